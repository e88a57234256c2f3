"""What each kind of letter is told: one frozen value a kind, filled by the judge.

Templates read the fields by their names. A field holds facts, never words; moments are aware
datetimes and are shown in the reader's zone. Events and views must be the reader's own
(`rules.view.view`, `rules.view.visible`): a letter can show only what it is given.
"""

from pbem.render.contexts.answers import (
    Confirm,
    Done,
    Help,
    History,
    Mistakes,
    NotUnderstood,
    Paused,
    Preview,
    Proposed,
    Stats,
    Understood,
)
from pbem.render.contexts.calls import (
    Invitation,
    Joined,
    Reminder,
    SetupCall,
    SetupResult,
    TurnCall,
)
from pbem.render.contexts.letter import Correction, Letter, Served, Told
from pbem.render.contexts.lobby import Lobby, Login
from pbem.render.contexts.news import (
    DailyNews,
    GameOver,
    Notice,
    Out,
    Press,
    Report,
    Revealed,
    TurnRanOut,
)
from pbem.render.contexts.table import Late, SeatLine, Table

__all__ = [
    "Confirm",
    "Correction",
    "DailyNews",
    "Done",
    "GameOver",
    "Help",
    "History",
    "Invitation",
    "Joined",
    "Late",
    "Letter",
    "Lobby",
    "Login",
    "Mistakes",
    "NotUnderstood",
    "Notice",
    "Out",
    "Paused",
    "Press",
    "Preview",
    "Proposed",
    "Reminder",
    "Report",
    "Revealed",
    "SeatLine",
    "Served",
    "SetupCall",
    "SetupResult",
    "Stats",
    "Table",
    "Told",
    "TurnCall",
    "TurnRanOut",
    "Understood",
]
