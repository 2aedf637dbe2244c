import unittest

from shop.discount import discount, price, shipping


class Discount(unittest.TestCase):
    def test_a_small_order_costs_what_it_costs(self):
        self.assertEqual(discount(20, member=False), 0)

    def test_members_get_ten_per_cent(self):
        self.assertEqual(discount(20, member=True), 10)

    def test_a_big_order_gets_five_more(self):
        self.assertEqual(discount(200, member=False), 5)
        self.assertEqual(discount(200, member=True), 15)


class Shipping(unittest.TestCase):
    def test_a_small_parcel_costs_five(self):
        self.assertEqual(shipping(20, "home"), 5)

    def test_it_is_free_at_home_from_fifty_on(self):
        self.assertEqual(shipping(50, "home"), 0)


class Price(unittest.TestCase):
    def test_a_member_pays_less(self):
        self.assertEqual(price(20, member=True, country="home"), 23)


if __name__ == "__main__":
    unittest.main()
