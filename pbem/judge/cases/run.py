"""One case from its file to its verdict."""

from dataclasses import dataclass

from pbem.judge.cases.case import Case, CaseError
from pbem.judge.cases.compare import failures, report
from pbem.judge.cases.play import Sitting
from pbem.judge.choosing import OptionError
from pbem.rules.ruleset import RulesetError
from pbem.store.engine import Engine


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the case passed; the report of a failed one shows both positions."""

    passed: bool
    report: str = ""


def run(case: Case, engine: Engine) -> Verdict:
    """Play the case on a database of its own kind (`store.memory.open_memory`).

    A case that cannot be played fails, so that the cases behind it are played all the same.
    """
    try:
        sitting = Sitting(case, engine)
        course = sitting.play()
    except (OptionError, RulesetError, CaseError) as error:
        return Verdict(False, f"{case.id}: {error}")
    except Exception as error:
        return Verdict(False, f"{case.id}: {type(error).__name__}: {error}")
    found = failures(case, course, sitting.by_colour)
    return Verdict(not found, report(case, course, found) if found else "")
