import shop


def test_one():
    pass
