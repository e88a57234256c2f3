"""Loading modules from other sources than those in their files, which nobody has to write over."""

import sys
from collections.abc import Mapping
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType


def load_instead(sources: Mapping[str, str]) -> None:
    """Modules that are imported from now on have these sources, by path below the work folder.

    The bytecode of all other modules is used if there is any.
    """
    modules = {_name(path): (Path(path).resolve(), sources[path]) for path in sources}
    if loaded := sorted(modules.keys() & sys.modules.keys()):
        raise ImportError(f"loaded already: {', '.join(loaded)}")
    sys.meta_path.insert(0, _Finder(modules))


def _name(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")


class _Finder(MetaPathFinder):
    def __init__(self, modules: Mapping[str, tuple[Path, str]]) -> None:
        self._modules = modules

    def find_spec(self, fullname: str, _path: object, _target: object = None) -> ModuleSpec | None:
        if fullname not in self._modules:
            return None
        path, source = self._modules[fullname]
        return spec_from_file_location(fullname, path, loader=_Loader(fullname, path, source))


class _Loader(SourceFileLoader):
    def __init__(self, fullname: str, path: Path, source: str) -> None:
        super().__init__(fullname, str(path))
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.get_filename(fullname), "exec", dont_inherit=True)
