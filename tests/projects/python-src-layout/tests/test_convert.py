import pytest

import temperature
from temperature.convert import main


def test_ice_and_steam():
    assert temperature.fahrenheit(0) == 32
    assert temperature.fahrenheit(100) == 212


def test_kelvin():
    assert temperature.kelvin(0) == 273.15


def test_nothing_is_colder_than_absolute_zero():
    with pytest.raises(ValueError):
        temperature.kelvin(-300)


def test_main(capsys):
    assert main(["100"]) == 0
    assert capsys.readouterr().out == "212.0\n"
