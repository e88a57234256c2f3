"""The terminals of the grammar: classes of words, the same in every language (orders.md, "Words").

Which words belong to a class is data (`words/*.toml`, one table a language).
"""

from enum import StrEnum


class Word(StrEnum):
    """A class of words, or a kind of token that every language shares."""

    # first words of orders
    TRADE = "TRADE"
    PLACE = "PLACE"
    ATTACK = "ATTACK"
    OCCUPY = "OCCUPY"
    FORTIFY = "FORTIFY"
    END = "END"
    STOP = "STOP"
    PAUSE = "PAUSE"
    CONTINUE = "CONTINUE"
    TAKE_BACK = "TAKE_BACK"
    CLAIM = "CLAIM"
    FILL = "FILL"
    AVOID = "AVOID"
    CAPITAL = "CAPITAL"
    # first words of services
    SET = "SET"
    DEFEND = "DEFEND"
    SAY = "SAY"
    HELP = "HELP"
    BOARD = "BOARD"
    HAND = "HAND"
    ORDERS = "ORDERS"
    HISTORY = "HISTORY"
    STATS = "STATS"
    AWAY = "AWAY"
    LUCK = "LUCK"
    RESIGN = "RESIGN"
    NEWKEY = "NEWKEY"
    STOP_MAIL = "STOP_MAIL"
    DRAW = "DRAW"
    PAUSE_GAME = "PAUSE_GAME"
    RESUME_GAME = "RESUME_GAME"
    # modes: a first line of their own
    YES = "YES"
    NO = "NO"
    CANCEL = "CANCEL"
    TRY = "TRY"
    NEXT_TURN = "NEXT_TURN"
    # inside orders
    FROM = "FROM"
    TO = "TO"
    ON = "ON"
    AGAINST = "AGAINST"
    AND = "AND"
    THEN = "THEN"
    AUTO = "AUTO"
    NONE = "NONE"
    WILD = "WILD"
    CARDS = "CARDS"
    BONUS = "BONUS"
    REST = "REST"
    ARMIES = "ARMIES"
    ALL = "ALL"
    BUT = "BUT"
    LEAST = "LEAST"
    ONCE = "ONCE"
    ROLLS = "ROLLS"
    UNTIL = "UNTIL"
    UNTIL_CAPTURED = "UNTIL_CAPTURED"
    ALL_IN = "ALL_IN"
    KEEP = "KEEP"
    LOSE = "LOSE"
    WHILE = "WHILE"
    WITH = "WITH"
    DICE = "DICE"
    LEAVE = "LEAVE"
    NEAREST = "NEAREST"
    ANY = "ANY"
    NEUTRAL = "NEUTRAL"
    # guards
    IF = "IF"
    UNLESS = "UNLESS"
    ELSE = "ELSE"
    NOT = "NOT"
    CAPTURED = "CAPTURED"
    MINE = "MINE"
    HOLD = "HOLD"
    LACK = "LACK"
    AT_LEAST = "AT_LEAST"
    AT_MOST = "AT_MOST"
    MORE_THAN = "MORE_THAN"
    LESS_THAN = "LESS_THAN"
    OR = "OR"
    ODDS = "ODDS"
    SHARE = "SHARE"
    NO_CARD = "NO_CARD"
    ELIMINATED = "ELIMINATED"
    # inside services
    WHEN = "WHEN"
    ANON = "ANON"
    GM = "GM"
    END_SAY = "END_SAY"
    # read over: articles, courtesy, the loose halves of separable verbs
    FILLER = "FILLER"
    # read over too, but a whole mail of it says yes: "ok", "that's right"
    ASSENT = "ASSENT"
    # what is no word of a table
    # order words in the past, as letters and stories use them: never an order, never a slip of one
    TOLD = "TOLD"
    NUMBER = "NUMBER"
    PERCENT = "PERCENT"
    NAME = "NAME"
    COMMA = "COMMA"
    COLON = "COLON"
    PERIOD = "PERIOD"
    UNKNOWN = "UNKNOWN"


IDLE = frozenset({Word.FILLER, Word.ASSENT})
"""Words that say nothing inside an order."""
GOES_ON = (Word.UNTIL, Word.UNTIL_CAPTURED, Word.WHILE, Word.ALL_IN)
"""What may follow "and keep attacking": how far."""
FLOW = frozenset({Word.END, Word.STOP, Word.PAUSE, Word.CONTINUE, Word.TAKE_BACK})
SETUP = frozenset({Word.CLAIM, Word.FILL, Word.AVOID, Word.CAPITAL})
TURN = FLOW | {Word.TRADE, Word.PLACE, Word.ATTACK, Word.OCCUPY, Word.FORTIFY}
SERVICES = frozenset(
    {
        Word.SET,
        Word.DEFEND,
        Word.SAY,
        Word.HELP,
        Word.BOARD,
        Word.HAND,
        Word.ORDERS,
        Word.HISTORY,
        Word.STATS,
        Word.AWAY,
        Word.LUCK,
        Word.RESIGN,
        Word.NEWKEY,
        Word.STOP_MAIL,
        Word.DRAW,
        Word.PAUSE_GAME,
        Word.RESUME_GAME,
    }
)
MODES = frozenset({Word.YES, Word.NO, Word.CANCEL, Word.TRY, Word.NEXT_TURN})
ORDER_WORDS = TURN | SETUP | SERVICES
"""First words of an order or a service: a line that holds one is never chatter."""
