"""What many random games come to: counted, kept in a file, drawn."""
