"""What chapters show: figures, charts to touch, tables and sentences, each of finished results."""
