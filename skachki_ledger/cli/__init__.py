"""The shell: arguments in, text out. Commands load when they are called, so hot ones start fast."""
