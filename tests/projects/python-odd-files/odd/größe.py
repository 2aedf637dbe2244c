def länge(wort):
    return len(wort) + 1
