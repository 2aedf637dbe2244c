"""Articles, read from text once: the tests share one catalogue for the whole session."""


def parse(text):
    articles = {}
    for line in text.splitlines():
        if not line.strip():
            continue
        name, amount, cents = line.split(";")
        articles[name.strip()] = {"amount": int(amount), "euro": int(cents) / 100}
    return articles


def amount(catalogue, name):
    article = catalogue.get(name)
    if article is None:
        return 0
    return article["amount"]
