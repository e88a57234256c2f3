"""Door: finds and supervises the broker and the processes of `pbem serve`."""
