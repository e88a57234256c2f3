"""Floor 2: words and pictures. The only room of Jinja2 and Babel."""
