"""The act on how a game is played and run: one of its options, from the next turn on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pbem.judge import choosing
from pbem.judge.acts.act import Act, Grade, OptionName, Words
from pbem.judge.acts.notice import mark, running, tell_all
from pbem.judge.choosing import OptionError
from pbem.judge.gm import ActError, Why
from pbem.judge.options import Options
from pbem.judge.progress import Progress
from pbem.judge.timetable import DAYS, times_text
from pbem.rules import overrule
from pbem.rules.action import SetRule
from pbem.rules.adjudicate import play
from pbem.rules.refusal import Refusal
from pbem.rules.ruleset import Misfit

SETTLED: Mapping[str, str] = {
    **dict.fromkeys(("goal", "mission_deck", "kill_credit", "capital_target"), "settled-goal"),
    **dict.fromkeys(("setup", "first_turn", "two_player"), "settled-setup"),
    "card_deck": "settled-cards",
    "board": "settled-board",
    "zone": "settled-zone",
}
"""Options that cannot change under a running game, with the code of the reason."""

CONSENT = "consent"
"""The option that others must agree: a game master may ask for that, and not stop asking."""


@dataclass(frozen=True, slots=True)
class ChangeOption(Act):
    """Change an option of the game, as `--set` writes it: pace=72h, turns=single, fortify=chain."""

    name: ClassVar[str] = "option"
    grade: ClassVar[Grade] = Grade.FAIR
    option: OptionName
    value: Words

    def play(self, progress: Progress, why: Why) -> None:
        running(progress)
        before = _effective(progress, self.option)
        if self.option in overrule.CHANGEABLE:
            self._set_rule(progress, why, before)
        else:
            self._set_option(progress, why)
        told = {"name": self.option, "before": before, "after": self.value}
        tell_all(progress, "option-changed", why, told)

    def _set_rule(self, progress: Progress, why: Why, before: str) -> None:
        """A rule that each turn reads anew; the turn that is open goes on by the old one."""
        wanted = {**progress.state.coming, self.option: self.value}
        for fault in progress.state.ruleset.faults(wanted):
            raise _refused(fault.misfit)
        if before == self.value:
            raise ActError("option-already", name=self.option, value=self.value)
        mark(progress, why, self.name, f"{self.option}={self.value}")
        played = play(progress.state, SetRule(self.option, self.value), progress.chance)
        if isinstance(played, Refusal):
            raise ActError("only-in-a-turn")
        progress.happened(played)

    def _set_option(self, progress: Progress, why: Why) -> None:
        game, before = progress.game, progress.options
        if self.option == CONSENT and before.consent != Options().consent:
            raise ActError("consent-kept")
        try:
            after = choosing.changed(before, progress.state.ruleset, self.option, self.value)
        except OptionError as error:
            raise _refused(error.misfit) from error
        game.options, progress.options = after.as_json(), after
        game.listed = after.listed == "yes"
        mark(progress, why, self.name, f"{self.option}={self.value.replace(' ', '')}")

    def undo(self, progress: Progress) -> Act | None:
        if self.option not in CHANGEABLE or self.option == CONSENT:
            return None
        return ChangeOption(self.option, _effective(progress, self.option))


CHANGEABLE = (*sorted(overrule.CHANGEABLE), *(o for o in choosing.READERS if o not in SETTLED))
"""All options that can change under a running game."""


def _effective(progress: Progress, name: str) -> str:
    """What an option is, or will be from the next turn on; ActError for what cannot change."""
    if name in SETTLED:
        raise ActError(SETTLED[name], name=name)
    if name not in CHANGEABLE:
        raise ActError("unknown-option", name=name)
    if name in overrule.CHANGEABLE:
        return progress.state.coming.get(name) or str(getattr(progress.state.ruleset, name))
    return written(progress.options, name)


def _refused(misfit: Misfit) -> ActError:
    """What cannot be read, or a clash: with what to do, as where a game is made."""
    if misfit.code == "bad-option":
        return ActError(misfit.code, **misfit.facts)
    return ActError("misfit", where=misfit.where, of=misfit.code, about=dict(misfit.facts))


def written(chosen: Options, name: str) -> str:
    """The value of an option, as `--set` writes it."""
    value = getattr(chosen, choosing.FIELDS.get(name, name))
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
