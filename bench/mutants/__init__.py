"""How much of the rules the tests hold: every small change of a rule should fail one of them."""
