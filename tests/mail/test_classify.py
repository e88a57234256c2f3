"""Mail of machines that only a subject or an odd header gives away, and people's beside it."""

from email.header import Header

import pytest

from pbem.mail.inbound import read
from pbem.mail.reading import Kind


def kind(subject: str, sender: str = "anna@example.com", *more: str, null: bool = False) -> Kind:
    head = [f"From: {sender}", f"Subject: {Header(subject, 'utf-8').encode()}", *more]
    raw = "\n".join([*head, "", "place 5 in Siam", "end", ""]).encode()
    return read(raw, envelope_from="" if null else sender).kind


@pytest.mark.parametrize(
    "subject",
    [
        *("Out of office: [g7]", "Automatic reply: [g7]", "OOO: Re: [g7]", "Vacation: Re: [g7]"),
        *("Risposta automatica: [g7]", "[Risposta automatica] Re: [g7]", "Messaggio di assenza"),
        *("Assenza dall'ufficio", "Ferie: Re: [g7]", "Risponditore automatico: Re: [g7]"),
        *("Automatische reactie: [g7]", "Afwezigheidsbericht", "Buiten kantoor: Re: [g7]"),
        *("Afwezig: Re: [g7]", "Met vakantie: Re: [g7]", "Automatisch bericht: [g7]"),
        *("Samodejno sporočilo: [g7]", "Avtomatični odgovor", "Obvestilo o odsotnosti"),
        *("Odsotna: Re: [g7]", "Na dopustu: Re: [g7]", "Abwesenheitsnotiz: [g7]"),
        *("Frånvaro: Re: [g7]", "Automatikus válasz: [g7]", "自動応答: [g7]"),
    ],
)
def test_an_answer_that_nobody_wrote_is_known_by_its_subject(subject: str) -> None:
    assert kind(subject) is Kind.AUTO_REPLY


@pytest.mark.parametrize(
    "subject",
    [
        *("Afwezig", "Odsotna", "Ferie", "Vacation", "Away until Friday", "Odsotnost armade"),
        *("Afwezig? Nee, hier zijn mijn orders", "Re: Automatic reply: [g7]", "Auto in Siam"),
        *("Fwd: Out of office", "Holiday orders", "Notifica", "Messaggio per te", "Melding"),
    ],
)
def test_a_player_may_write_about_being_away(subject: str) -> None:
    assert kind(subject) is Kind.ORDERS


@pytest.mark.parametrize(
    "subject",
    [
        *("Undeliverable: [g7]", "Delivery delayed: [g7]", "Mail System Error - Returned Mail"),
        *("Recapito non riuscito: [g7]", "Impossibile recapitare: [g7]", "Mancata consegna"),
        *("Notifica sullo stato del recapito (mancato recapito)", "Messaggio non recapitato"),
        *("Niet bezorgd: [g7]", "Niet-bestelbaar", "Melding van bezorgingsstatus (fout)"),
        *("Bezorging vertraagd: [g7]", "E-mailbezorging mislukt", "Bericht niet afgeleverd"),
        *("Nedostavljeno sporočilo", "Ni mogoče dostaviti: [g7]", "Dostava ni uspela"),
        *("Obvestilo o statusu dostave (napaka)", "Sporočila ni bilo mogoče dostaviti"),
    ],
)
def test_a_notice_of_delivery_is_known_by_its_subject_and_the_null_sender(subject: str) -> None:
    assert kind(subject, "no-reply@mx.example.net", null=True) is Kind.BOUNCE
    assert kind(subject) is Kind.ORDERS


@pytest.mark.parametrize("name", ["X-Autoreply-From", "X-Mail-Autoreply", "X-FC-MachineGenerated"])
def test_headers_that_only_programs_write(name: str) -> None:
    assert kind("Re: [g7]", "anna@example.com", f"{name}: true") is Kind.AUTO_REPLY
    assert kind("Re: [g7]", "anna@example.com", f"{name}: false") is Kind.ORDERS
