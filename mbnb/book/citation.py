"""How to cite the book, from `CITATION.cff`; knows no other source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from mbnb.data.errors import InputError

CITATION = "CITATION.cff"


def citation_text(root: Path) -> str:
    """The page's text: the book and what it builds on, in words and as BibTeX.

    Raises
    ------
    InputError
        If the file is missing or lacks what a citation needs.
    """
    try:
        told = yaml.safe_load((root / CITATION).read_text("utf-8"))
        works = [
            ("The book and its package", "mbnb", told),
            *(("The study that it implements", None, one) for one in told.get("references", [])),
        ]
        return "\n\n".join(_section(*work) for work in works)
    except OSError:
        raise InputError(
            f"{root / CITATION} is not there, so no page can tell how to cite"
        ) from None
    except (yaml.YAMLError, KeyError, AttributeError, TypeError) as error:
        raise InputError(f"{root / CITATION} lacks what a citation needs ({error!r})") from None


def _section(heading: str, key: str | None, work: Mapping[str, Any]) -> str:
    return f"## {heading}\n\n{in_words(work)}\n\n```bibtex\n{bibtex(work, key)}\n```"


def in_words(work: Mapping[str, Any]) -> str:
    """A work as a list of references has it, roughly as the APA does, in Markdown."""
    names = [_inverted(author) for author in work["authors"]]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])}, & {names[-1]}"
    parts = [f"{listed}{'' if listed.endswith('.') else '.'}", f"({_year(work) or 'n.d.'})."]
    version = f" (Version {work['version']})" if "version" in work else ""
    kind = " [Computer software]" if work.get("type") == "software" else ""
    end = "" if work["title"].endswith("?") and not version + kind else "."
    parts.append(f"*{work['title']}*{version}{kind}{end}")
    if "conference" in work:
        parts.append(f"{work['conference']['name']}.")
    parts += [f"{one}." for one in _identifiers(work)]
    address = _address(work)
    return " ".join([*parts, f"<{address}>"] if address else parts)


def bibtex(work: Mapping[str, Any], key: str | None = None) -> str:
    """A work as an entry of BibTeX."""
    people = work["authors"]
    first = people[0].get("family-names", people[0].get("name", ""))
    title = work["title"].split()
    named = key or "".join(c for c in f"{first}{_year(work)}{title[0]}".lower() if c.isalnum())
    fields = {
        "title": f"{{{work['title']}}}",
        "author": " and ".join(_for_bibtex(author) for author in people),
        "year": _year(work),
        "booktitle": work.get("conference", {}).get("name", ""),
        "version": str(work.get("version", "")),
        "note": "; ".join(_identifiers(work)),
        "url": _address(work),
    }
    kind = "inproceedings" if "conference" in work else "software"
    lines = [f"  {name:<9} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{named},", *lines, "}"])


def _inverted(author: Mapping[str, str]) -> str:
    if "name" in author:
        return author["name"]
    initials = " ".join(f"{name[0]}." for name in author["given-names"].split())
    return f"{author['family-names']}, {initials}"


def _for_bibtex(author: Mapping[str, str]) -> str:
    # In braces, a name that is no person's stays one name.
    if "name" in author:
        return f"{{{author['name']}}}"
    return f"{author['family-names']}, {author['given-names']}"


def _year(work: Mapping[str, Any]) -> str:
    return str(work.get("year") or str(work.get("date-released", ""))[:4])


def _identifiers(work: Mapping[str, Any]) -> list[str]:
    return [str(one["value"]) for one in work.get("identifiers", [])]


def _address(work: Mapping[str, Any]) -> str:
    if "doi" in work:
        return f"https://doi.org/{work['doi']}"
    return str(work.get("url") or work.get("repository-code") or "")
