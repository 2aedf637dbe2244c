import importlib
import unittest

from odd import bom, crlf, emoji, größe, latin1, no_final_newline, tabs


class Odd(unittest.TestCase):
    def test_crlf(self):
        self.assertEqual(crlf.bigger(1, 2), 2)
        self.assertEqual(crlf.bigger(2, 1), 2)
        self.assertEqual(crlf.twice(2), 4)

    def test_byte_order_mark(self):
        self.assertTrue(bom.over(4))
        self.assertFalse(bom.over(3))

    def test_latin_1(self):
        self.assertEqual(latin1.size(2), 7)
        self.assertEqual(latin1.size(10), "zu groß")

    def test_no_final_newline(self):
        self.assertEqual(no_final_newline.half(4), 2)

    def test_beyond_the_basic_plane(self):
        self.assertEqual(emoji.mood(2), "😀😀")
        self.assertEqual(emoji.mood(-1), "😢")

    def test_tabs_and_a_form_feed(self):
        self.assertEqual(tabs.sign(-3), -1)
        self.assertEqual(tabs.sign(3), 1)

    def test_unicode_names(self):
        self.assertEqual(größe.länge("ab"), 3)

    def test_a_space_in_the_name(self):
        both = importlib.import_module("odd.two words").both
        self.assertEqual(both(True, False), False)
        self.assertEqual(both(True, True), True)
