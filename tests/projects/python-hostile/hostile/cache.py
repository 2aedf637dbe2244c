import json
import os

FILE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "var", "price.json")


def compute(amount):
    return amount * 2 + 1


def price(amount):
    """Keeps its result in the project: what one run wrote, the next would read."""
    if os.path.exists(FILE):
        with open(FILE) as file:
            return json.load(file)
    os.makedirs(os.path.dirname(FILE), exist_ok=True)
    with open(FILE, "w") as file:
        json.dump(compute(amount), file)
    return compute(amount)
