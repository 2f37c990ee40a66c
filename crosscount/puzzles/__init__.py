"""What a puzzle is, the families, reading and writing files, the bundled collection."""
