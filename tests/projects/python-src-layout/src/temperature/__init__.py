from .convert import fahrenheit, kelvin

__all__ = ["fahrenheit", "kelvin"]
