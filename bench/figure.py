"""One measured figure beside the one to reach, and how both are printed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, in its unit; `at_least` and `under` are to be reached, if there are any.

    `note` says how it was measured, or what it lacks.
    """

    what: str
    value: float
    unit: str
    at_least: float | None = None
    under: float | None = None
    note: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether the figure to reach is reached; None where none is asked for."""
        if self.at_least is not None:
            return self.value >= self.at_least
        return None if self.under is None else self.value < self.under

    @property
    def goal(self) -> str:
        """The figure to reach in a few characters."""
        if self.at_least is not None:
            return f">= {_short(self.at_least)}"
        return "" if self.under is None else f"< {_short(self.under)}"


def row(figure: Figure) -> str:
    """The figure as a line of the table."""
    verdict = {True: "reached", False: "MISSED", None: ""}[figure.reached]
    line = (
        f"{figure.what:<46}{_short(figure.value):>10} {figure.unit:<10}"
        f"{figure.goal:<11}{verdict:<9}{figure.note}"
    )
    return line.rstrip()


def _short(value: float) -> str:
    """Three figures that count."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
