import unittest

import shop


class ShopTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.empty = shop.total([])

    def test_a_total(self):
        self.assertEqual(self.empty, 0)

    def test_b_wrong(self):
        self.assertEqual(1, 2)

    def test_c_parts(self):
        for n in range(2):
            with self.subTest(n=n):
                self.assertEqual(n, 0)

    @unittest.expectedFailure
    def test_d_expected(self):
        self.fail()

    def test_e_skipped(self):
        self.skipTest("not here")


class BrokenTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise OSError("no class")

    def test_one(self):
        pass


class AsyncTest(unittest.IsolatedAsyncioTestCase):
    async def test_async(self):
        self.assertEqual(shop.total([1]), 1)
