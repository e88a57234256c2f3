"""The JSON Schemas of what programs read, each at an address of its version."""

from fastapi import APIRouter, Response

from pbem.judge import twin

router = APIRouter(prefix="/schemas")


@router.get(f"/{twin.FORM}.json")
def letter() -> Response:
    """The form of the file that a letter carries for programs (SET FILE JSON)."""
    return Response(
        twin.form(),
        media_type="application/schema+json",
        headers={"Cache-Control": "public, max-age=86400"},
    )
