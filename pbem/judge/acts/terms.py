"""The act on how a game is run: one of its options, from the next turn on."""

from dataclasses import dataclass
from typing import ClassVar

from pbem.judge import options
from pbem.judge.acts.act import Act, Grade, Words
from pbem.judge.acts.notice import mark, running, tell_all
from pbem.judge.gm import ActError, Why
from pbem.judge.options import OptionError, Options
from pbem.judge.progress import Progress
from pbem.judge.timetable import DAYS, times_text

FIXED = frozenset({"board", "zone"})
"""Options that cannot change under a running game."""

CONSENT = "consent"
"""The option that others must agree: a game master may ask for that, and not stop asking."""


@dataclass(frozen=True, slots=True)
class ChangeOption(Act):
    """Change an option of the game, as `--set` writes it: pace=72h, turns=single, press=none."""

    name: ClassVar[str] = "option"
    grade: ClassVar[Grade] = Grade.FAIR
    option: Words
    value: Words

    def play(self, progress: Progress, why: Why) -> None:
        game = running(progress)
        if self.option not in options.READERS or self.option in FIXED:
            raise ActError("no-option", name=self.option)
        before = progress.options
        if self.option == CONSENT and before.consent != Options().consent:
            raise ActError("consent-kept")
        try:
            after = options.changed(before, progress.state.ruleset, self.option, self.value)
        except OptionError as error:
            raise ActError("bad-option", name=self.option, value=self.value) from error
        game.options, progress.options = after.as_json(), after
        game.listed = after.listed == "yes"
        mark(progress, why, self.name, f"{self.option}={self.value.replace(' ', '')}")
        told = {"name": self.option, "before": written(before, self.option), "after": self.value}
        tell_all(progress, "option-changed", why, told)

    def undo(self, progress: Progress) -> Act | None:
        if self.option not in options.READERS or self.option == CONSENT:
            return None
        return ChangeOption(self.option, written(progress.options, self.option))


def written(chosen: Options, name: str) -> str:
    """The value of an option, as `--set` writes it."""
    value = getattr(chosen, options.FIELDS.get(name, name))
    if value is None:
        return "none"
    if name in _SPANS:
        return _span_text(value)
    match name:
        case "days":
            return ",".join(DAYS[day] for day in value)
        case "hours":
            return f"{value[0]}-{value[1]}"
        case "at":
            return ",".join(times_text(value))
        case "remind":
            return ",".join(_span_text(seconds) for seconds in value) or "none"
    return str(value)


def _span_text(seconds: int) -> str:
    return f"{seconds}s" if seconds % 3600 else f"{seconds // 3600}h"


_SPANS = frozenset(
    {"pace", "grace", "gap", "setup_pace", "invitation", "session", "time_bank", "pause", "stalled"}
)
