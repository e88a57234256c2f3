"""When a dead child is started again, and when the supervisor gives up. Pure arithmetic."""

from dataclasses import dataclass

FAST_DEATH = 2.0  # seconds of life
HOPELESS = 10  # fast deaths in a row

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0  # seconds; leaves room within the 5 that are promised


@dataclass(frozen=True)
class Streak:
    """The fast deaths in a row of one child."""

    deaths: int = 0

    def after(self, lived: float) -> "Streak":
        """The streak after a death; `lived` in seconds since the start."""
        return Streak(self.deaths + 1) if lived < FAST_DEATH else Streak()

    @property
    def pause(self) -> float:
        """Seconds until the next start."""
        return min(_FIRST_PAUSE * 2.0 ** max(self.deaths - 1, 0), _LONGEST_PAUSE)

    @property
    def hopeless(self) -> bool:
        """Whether there is no use in starting it again."""
        return self.deaths >= HOPELESS
