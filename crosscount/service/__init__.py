"""HTTP and the web page: the same questions as on the command line, as jobs that survive whatever happens."""
