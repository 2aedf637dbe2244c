module Shop
  # What stands on a box.
  class Label
    WIDTH = 4 + 4

    def text(cart)
      cart.note.ljust(WIDTH)
    end
  end
end
