"""Reads the table of engines, engines.ron, as lists and dictionaries."""

import re

TOKEN = re.compile(r'\s+|//[^\n]*|#!\[[^\]]*(?:\([^)]*\))?\]|("(?:[^"\\]|\\.)*")|(-?[0-9][0-9.e-]*)|([A-Za-z_][A-Za-z_0-9]*)|([()\[\]:,])')


def tokens(text):
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise ValueError(f"engines.ron: cannot read {text[at:at + 40]!r}")
        at = found.end()
        if found.lastindex:
            yield found.group(found.lastindex)


class Reader:
    def __init__(self, text):
        self.rest = list(tokens(text))[::-1]

    def next(self):
        return self.rest.pop()

    def peek(self):
        return self.rest[-1]

    def items(self, end):
        while self.peek() != end:
            yield
            if self.peek() == ",":
                self.next()
        self.next()

    def fields(self):
        """What is between brackets: a dictionary of named fields, or a list."""
        named, values = {}, []
        for _ in self.items(")"):
            value = self.value()
            if self.peek() == ":":
                self.next()
                named[value] = self.value()
            else:
                values.append(value)
        return named or values

    def value(self):
        token = self.next()
        if token == "[":
            return [self.value() for _ in self.items("]")]
        if token == "(":
            return self.fields()
        if token[0] == '"':
            return token[1:-1]
        if token in ("true", "false"):
            return token == "true"
        if token[0].isdigit() or token[0] == "-":
            return float(token)
        if self.rest and self.peek() == "(":
            self.next()
            fields = self.fields()
            return {"variant": token, **fields} if isinstance(fields, dict) else [token, *fields]
        return token


def read(path):
    with open(path, encoding="utf-8") as file:
        return Reader(file.read()).value()
