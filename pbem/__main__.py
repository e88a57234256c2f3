"""`python -m pbem`: the same as the command `pbem`."""

from pbem.cli import app

app(prog_name="pbem")
