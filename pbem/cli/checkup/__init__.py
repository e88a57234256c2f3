"""What `pbem doctor` looks at, a module for each: our names, our service, a mail's way."""
