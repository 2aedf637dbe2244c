def discount(total, member):
    """Per cent off: ten for members, five more for big orders."""
    percent = 10 if member else 0
    if total > 100:
        percent += 5
    return percent


def shipping(total, country):
    """What sending costs: nothing at home from 50 on."""
    if country == "home" and total >= 50:
        return 0
    return 5


def price(total, member, country):
    """What the customer pays in the end."""
    return total - total * discount(total, member) / 100 + shipping(total, country)


def voucher(total, worth):
    """A voucher never pays anything back."""
    if worth > total:
        return 0
    return total - worth
