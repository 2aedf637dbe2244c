"""Puts the code of a mutant in place of the code of functions that are loaded already.

A function that is changed keeps its identity: whoever has imported, decorated or stored it runs the mutant. That is the same as
loading the mutated file only if loading does nothing else, so all must be proved of each mutant: the loaded code is what its file
says, only bodies of functions differ, and every function that runs such a body is known. Else it is refused, and runs in a process
that loads it.
PYTEST_DONT_REWRITE
"""

import __future__

import ast
import builtins
import gc
import inspect
import json
import os
import sys
import tokenize
import types
from collections import namedtuple
from io import BytesIO

_FUTURE = 0
for _name in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _name).compiler_flag
# Code of a function, not of a module or a class body.
_OPTIMIZED = inspect.CO_OPTIMIZED | inspect.CO_NEWLOCALS
# What else looks at a function may have seen these when it was made.
_KIND = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_ITERABLE_COROUTINE
_SHAPE = _KIND | inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | _OPTIMIZED
_SUSPENDED = ((types.GeneratorType, "gi_code"), (types.CoroutineType, "cr_code"), (types.AsyncGeneratorType, "ag_code"))


# A builtin during a trial.
_COUNT = "_mu_round_"
# Code as it was loaded, and code of the mutant (`None`: nothing there stands for it); whether it is that of a function which is
# made while the file is loaded, not by another function.
Pair = namedtuple("Pair", "old new outermost")


class Refused(Exception):
    """The mutant cannot be swapped in, and why."""


class Rounds:
    """Counts how often the functions that differ begin, and how often their loops go round."""

    def __init__(self, limit, over):
        self.count = 0

        def count():
            self.count += 1
            if self.count > limit:
                over(self.count)

        setattr(builtins, _COUNT, count)


class Functions:
    """The functions of the project that are loaded, by the file of their code. `root`: the project."""

    def __init__(self, root):
        self.by_file, self.suspended, self.files = {}, [], {}
        self._find(root + os.sep)

    def _find(self, root):
        for each in gc.get_objects():
            if type(each) is types.FunctionType:
                file = each.__code__.co_filename
                if file.startswith(root) and "-packages" + os.sep not in file:
                    self.by_file.setdefault(file, {}).setdefault(each.__code__, []).append(each)
            else:
                for kind, code in _SUSPENDED:
                    if type(each) is kind:
                        self.suspended.append(getattr(each, code))

    def prepare(self, folder):
        """In the parent, so that the next trials of a file find it done."""
        for changed in _changed(folder):
            with open(changed["original"], "rb") as text:
                original = text.read()
            known = self.files.get(changed["file"])
            if known is None or known.original != original:
                self.files[changed["file"]] = _File(changed["file"], original)

    def swap(self, folder, rounds, over):
        """In a child. How many functions have new code; `Refused` where that would not be the same as loading the file.

        After so many `rounds` of the functions that differ, `over` is called.
        """
        count = 0
        self.rounds = Rounds(rounds, over)
        for changed in _changed(folder):
            with open(changed["changed"], "rb") as text:
                pairs = self.files[changed["file"]].pairs(text.read(), changed["mutant"])
            loaded = self.by_file.get(changed["file"], {})
            if not loaded and _is_loaded(changed["file"]):
                raise Refused("the loaded module is not known to come from this file")
            for pair in pairs:
                count += self._swap_one(loaded, pair)
        return count

    def _swap_one(self, loaded, pair):
        name, functions = pair.old.co_name, loaded.get(pair.old, [])
        if pair.outermost and loaded and not functions:
            raise Refused("what is loaded of %s is not what its file says" % name)
        if functions and pair.new is None:
            raise Refused("nothing stands for %s in the mutant" % name)
        if functions and _shape(pair.old) != _shape(pair.new):
            raise Refused("it makes %s a function of another kind" % name)
        if any(code == pair.old for code in self.suspended):
            raise Refused("%s is running already" % name)
        for function in functions:
            # The word that counts must be what it is everywhere else.
            if function.__globals__.get("__builtins__") not in (builtins, builtins.__dict__):
                raise Refused("%s has builtins of its own" % name)
            function.__code__ = pair.new
        return len(functions)


def _changed(folder):
    with open(os.path.join(folder, "changed.json"), encoding="utf-8") as text:
        return json.load(text)


def _is_loaded(file):
    for module in list(sys.modules.values()):
        known = getattr(module, "__file__", None)
        if isinstance(known, str) and os.path.realpath(known) == os.path.realpath(file):
            return True
    return False


class _File:
    """A file as it was loaded."""

    def __init__(self, file, original):
        self.file, self.original = file, original
        encoding, _ = tokenize.detect_encoding(BytesIO(original).readline)
        self.encoding = encoding
        self.lines = self._lines(original)
        text = "\n".join(self.lines)
        module = ast.parse(text, file)
        self.whole = compile(text, file, "exec", dont_inherit=True)
        self.flags = self.whole.co_flags & _FUTURE
        self.imports = list(_imports(module))
        self.statements = _line_ranges(module)

    def _lines(self, text):
        return text.decode(self.encoding).replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def pairs(self, text, of_mutant):
        """Every function that differs, with its new code; or with its old code, counted, where it is not that `of_mutant`."""
        lines = self._lines(text)
        start, end = self._changed_lines(lines)
        moved = len(lines) - len(self.lines)
        before, after = self._parsed(self.lines[start:end], start), self._parsed(lines[start : end + moved], start)
        old, new = self._compiled(before), self._compiled(after)
        found = []
        _compare(old, new, found)
        counted = self._counted(after, new, [pair.new for pair in found]) if of_mutant else None
        counted = counted or self._counted(before, old, [pair.old for pair in found])
        found = [pair._replace(new=_same(counted, pair.new if of_mutant else pair.old)) for pair in found]
        # Code in a whole file must be the same as in this part of it, and there must be no other that looks the same.
        known = _nested(self.whole)
        for pair in found:
            if sum(pair.old == each for each in known) != 1:
                raise Refused("%s is compiled in another way, or twice" % pair.old.co_name)
        return found

    def _parsed(self, lines, start):
        text = "\n" * start + "\n".join(lines) + "\n"
        try:
            part = compile(text, self.file, "exec", self.flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            raise Refused("it is no program: %s" % error)
        # Calls of what a module has imported are compiled in a way of their own.
        part.body[:0] = self.imports
        return part

    def _compiled(self, part):
        try:
            return compile(part, self.file, "exec", self.flags, dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            raise Refused("it does not compile: %s" % error)

    def _counted(self, part, plain, functions):
        """Pairs of all code in a part of the file: as it is, and with rounds counted in these functions."""
        wanted = {(code.co_name, code.co_firstlineno) for code in functions if code is not None}
        with_rounds = self._compiled(_Counter(wanted).visit(part))
        return list(zip(_nested(plain), _nested(with_rounds)))

    def _changed_lines(self, lines):
        """Lines, from 0, of the statements of the module that hold every changed line."""
        shorter = min(len(lines), len(self.lines))
        head = next((at for at in range(shorter) if lines[at] != self.lines[at]), shorter)
        tail = next((at for at in range(shorter - head) if lines[-1 - at] != self.lines[-1 - at]), shorter - head)
        last = len(self.lines) - tail
        hit = [(first, end) for first, end in self.statements if first < max(last, head + 1) and end > head]
        if not hit:
            raise Refused("it changes no statement")
        return min(first for first, _ in hit), max(end for _, end in hit)


def _imports(node):
    """Statements that import something into the module itself, wherever they stand."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            if getattr(child, "module", None) != "__future__":
                yield child
        elif not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield from _imports(child)


def _line_ranges(module):
    """Of each statement of a module, (first line, line behind the last), from 0; those that share a line are one."""
    ranges = []
    for statement in module.body:
        starts = [statement.lineno] + [each.lineno for each in getattr(statement, "decorator_list", ())]
        first, end = min(starts) - 1, statement.end_lineno
        if ranges and first < ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(end, ranges[-1][1]))
        else:
            ranges.append((first, end))
    return ranges


class _Counter(ast.NodeTransformer):
    """Lets functions and their loops count, on the lines that are there."""

    def __init__(self, wanted):
        self.wanted, self.inside = wanted, False

    def _function(self, node):
        first = min([node.lineno] + [each.lineno for each in node.decorator_list])
        outer, self.inside = self.inside, (node.name, first) in self.wanted
        node.body = [self.visit(each) for each in node.body]
        if self.inside:
            node.body.insert(1 if ast.get_docstring(node, clean=False) is not None else 0, _round_at(node.body[0]))
        self.inside = outer
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def visit_Lambda(self, node):
        outer, self.inside = self.inside, ("<lambda>", node.lineno) in self.wanted
        node.body = self.visit(node.body)
        if self.inside:
            counted = ast.BoolOp(ast.Or(), [_round_at(node.body).value, node.body])
            node.body = ast.copy_location(counted, node.body)
        self.inside = outer
        return node

    def _loop(self, node):
        self.generic_visit(node)
        if self.inside:
            node.body.insert(0, _round_at(node.body[0]))
        return node

    visit_For = visit_AsyncFor = visit_While = _loop


def _round_at(node):
    call = ast.Expr(ast.Call(ast.Name(_COUNT, ast.Load()), [], []))
    for each in ast.walk(call):
        ast.copy_location(each, node)
    return call


def _same(pairs, wanted):
    return next((counted for plain, counted in pairs if plain is wanted), None)


def _is_code(value):
    return isinstance(value, types.CodeType)


def _nested(code):
    found = []
    for value in code.co_consts:
        if _is_code(value):
            found.append(value)
            found.extend(_nested(value))
    return found


def _compare(old, new, found):
    """Both run when the file is loaded: they may differ in the functions that they make, and in nothing else."""
    theirs, ours = [each for each in old.co_consts if _is_code(each)], [each for each in new.co_consts if _is_code(each)]
    if len(theirs) != len(ours) or _without_code(old) != _without_code(new):
        raise Refused("it changes what is done while its file is loaded")
    for before, after in zip(theirs, ours):
        if before == after:
            continue
        if before.co_flags & _OPTIMIZED != _OPTIMIZED:
            _compare(before, after, found)
            continue
        found.append(Pair(before, after, True))
        _nested_pairs(before, after, found)


def _without_code(code):
    """All that decides what code does, but for the functions that it makes."""
    consts = [(type(value), repr(value)) for value in code.co_consts if not _is_code(value)]
    names = (code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars)
    return code.co_name, code.co_flags, code.co_code, consts, names, getattr(code, "co_exceptiontable", None)


def _shape(code):
    """What a function that is there already cannot change with its code, or others have seen."""
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS)
    count += bool(code.co_flags & inspect.CO_VARKEYWORDS)
    counts = (code.co_argcount, code.co_kwonlyargcount, code.co_posonlyargcount)
    return code.co_name, code.co_flags & _SHAPE, counts, code.co_varnames[:count], code.co_freevars


def _nested_pairs(before, after, found):
    """What these functions make: some of it may have been made while files were loaded, by a decorator for example."""
    theirs, ours = [each for each in before.co_consts if _is_code(each)], [each for each in after.co_consts if _is_code(each)]
    if len(theirs) != len(ours):
        found.extend(Pair(each, None, False) for each in _nested(before))
        return
    for old, new in zip(theirs, ours):
        if old != new:
            found.append(Pair(old, new, False))
            _nested_pairs(old, new, found)
