"""Templates whose macros are made ready once a letter, however many templates import them.

Jinja runs an imported template anew at every import, and the templates of a letter import each
other some forty times.
"""

from collections.abc import Mapping
from typing import Any

import jinja2
from jinja2.environment import TemplateModule

MODULES = "modules"
"""Under this name a letter's templates are told its modules."""


class Modules:
    """The macros of one letter. They know what the letter is told, and nothing of who imports."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        self._told = told
        self._ready: dict[Template, TemplateModule] = {}

    def of(self, template: "Template") -> TemplateModule:
        """The module of a template, run at the first import."""
        if template not in self._ready:
            self._ready[template] = template.run(self._told)
        return self._ready[template]


class Template(jinja2.Template):
    """A template that looks among the letter's modules before it runs for an import."""

    def make_module(
        self,
        vars: dict[str, Any] | None = None,  # noqa: A002  # Jinja's name
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,  # noqa: A002  # Jinja's name
    ) -> TemplateModule:
        """What `import ... with context` gives; without a letter's modules, as Jinja makes it."""
        modules = (vars or {}).get(MODULES)
        if isinstance(modules, Modules):
            return modules.of(self)
        return super().make_module(vars, shared, locals)

    def run(self, told: Mapping[str, Any]) -> TemplateModule:
        """A module that knows what is told."""
        return super().make_module(dict(told))
