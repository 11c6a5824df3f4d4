"""Where a book's sources are kept, and the links that follow from it; fetches nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from mbnb.data.errors import InputError

# Services that run the notebooks of a repository know these hosts.
HOSTS = ("github.com", "gitlab.com")
MAIN = "main"
BINDER, COLAB = "https://mybinder.org", "https://colab.research.google.com"

_URL = re.compile(r"https://([a-z.]+)/([\w.-]+)/([\w.-]+?)(?:\.git)?/?", re.ASCII)
_BRANCH = re.compile(r"\w[\w.-]*(?:/\w[\w.-]*)*", re.ASCII)


@dataclass(frozen=True)
class Repository:
    """A repository on a host that Binder knows.

    Parameters
    ----------
    host, owner, name : str
    branch : str
        The branch, tag or commit whose notebooks the links open.
    """

    host: str
    owner: str
    name: str
    branch: str

    @classmethod
    def checked(cls, url: str, branch: str = MAIN) -> Repository:
        """The repository at an address.

        Raises
        ------
        InputError
            If the address or the branch is not of a form that the links could use.
        """
        found = _URL.fullmatch(url.strip())
        if found is None or found[1] not in HOSTS:
            allowed = " or ".join(f"https://{host}/OWNER/NAME" for host in HOSTS)
            raise InputError(f"the repository '{url}' cannot be linked to; allowed is {allowed}")
        if not _BRANCH.fullmatch(branch) or ".." in branch:
            raise InputError(f"'{branch}' is not the name of a branch, a tag or a commit")
        return cls(found[1], found[2], found[3], branch)

    @property
    def url(self) -> str:
        return f"https://{self.host}/{self.owner}/{self.name}"

    @property
    def on_colab(self) -> bool:
        """Whether Colab can open its notebooks: it reads from GitHub alone."""
        return self.host == HOSTS[0]

    def configure(self, config: dict[str, Any]) -> None:
        """Add the buttons for Binder, Colab and the source to Jupyter Book's settings, in place.

        The services' icons lie beside the theme, so that a page asks for nothing before a reader
        follows a link.
        """
        config["repository"] = {"url": self.url, "branch": self.branch, "path_to_book": ""}
        launch = config.setdefault("launch_buttons", {})
        launch |= {"notebook_interface": "jupyterlab", "binderhub_url": BINDER}
        if self.on_colab:
            launch["colab_url"] = COLAB
        html = config.setdefault("html", {})
        html["use_repository_button"] = True
        theme = config.setdefault("sphinx", {}).setdefault("config", {})
        theme.setdefault("html_theme_options", {})["use_source_button"] = True

    def told(self) -> str:
        """What a reader should know before following a launch button, as Markdown."""
        lines = [
            f"The sources are at <{self.url}>.",
            "The rocket above a chapter opens its notebook on Binder, which builds the "
            "environment first: allow some minutes.",
        ]
        if self.on_colab:
            lines += [
                "It opens it on Colab too; run this line there in a cell of its own first:",
                "",
                "```",
                f"%pip install --quiet git+{self.url}@{self.branch}",
                "```",
            ]
        return "\n".join(lines)
