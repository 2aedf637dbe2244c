"""The pytest plug-in of `mutate`; loaded with `-p`, so that nothing is asked of the project. PYTEST_DONT_REWRITE"""

# A plug-in that is named with `-p` is parsed for assertions every time; what stands in another module is compiled once.
from mutate_pytest_hooks import *  # noqa: F403
