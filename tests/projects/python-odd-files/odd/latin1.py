# -*- coding: latin-1 -*-


def size(a):
    word = "größe"; total = a + len(word)
    return total if a < 9 else "zu groß"
