"""The live table: one screen for the night. Guided questions, screen and completion are pure."""
