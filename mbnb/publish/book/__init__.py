"""The book's making: checks, executes and builds chapters into pages, a site and a PDF."""
