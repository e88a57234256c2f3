"""The tables, as rows without behaviour.

Letters of seats are `A` to `F`; all moments are UTC; JSON columns hold what `rules.notation` and
the judge write. Every row that leads to an effect has a unique key, so that doing it twice fails
in the database even where a lock was lost. Columns that grow long stand last: SQLite reads a row
from its beginning, and what stands behind a long one costs more pages.
"""

from pbem.store.tables.boards import Board
from pbem.store.tables.clock import Clock, Outage
from pbem.store.tables.consent import Consent, ConsentStatus, Voice
from pbem.store.tables.desk import Appointment, Audit, LoginLink, Office, Visit
from pbem.store.tables.games import Event, Game, Picture, Position, Seat, SeatStatus, Snapshot
from pbem.store.tables.keys import ApiKey
from pbem.store.tables.lobby import Caller, Spectator
from pbem.store.tables.move import AddressChange, ChangeStatus
from pbem.store.tables.orders import HandledOrders, Proposal, ProposalStatus, SetupList
from pbem.store.tables.post import Bounce, Inbox, InboxStatus, Outbox, OutboxStatus, Source
from pbem.store.tables.row import NAMING, Document, Row
from pbem.store.tables.servers import MailFolder, SlowDomain
from pbem.store.tables.standstill import Standstill
from pbem.store.tables.webhooks import CallStatus, HookKind, Webhook, WebhookCall

__all__ = [
    "NAMING",
    "AddressChange",
    "ApiKey",
    "Appointment",
    "Audit",
    "Board",
    "Bounce",
    "CallStatus",
    "Caller",
    "ChangeStatus",
    "Clock",
    "Consent",
    "ConsentStatus",
    "Document",
    "Event",
    "Game",
    "HandledOrders",
    "HookKind",
    "Inbox",
    "InboxStatus",
    "LoginLink",
    "MailFolder",
    "Office",
    "Outage",
    "Outbox",
    "OutboxStatus",
    "Picture",
    "Position",
    "Proposal",
    "ProposalStatus",
    "Row",
    "Seat",
    "SeatStatus",
    "SetupList",
    "SlowDomain",
    "Snapshot",
    "Source",
    "Spectator",
    "Standstill",
    "Visit",
    "Voice",
    "Webhook",
    "WebhookCall",
]
