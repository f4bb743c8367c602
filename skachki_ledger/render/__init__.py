"""Report values to text: nothing here asks the clock, the disk or the terminal."""
