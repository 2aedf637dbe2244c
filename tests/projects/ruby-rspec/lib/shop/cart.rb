module Shop
  # What somebody is about to buy.
  class Cart
    LIMIT = 10 * 10

    attr_reader :items

    def self.of(*prices)
      new(prices)
    end

    def initialize(items = [])
      @items = items
    end

    def add(price)
      raise ArgumentError, "a price is missing" unless price

      @items << price
      self
    end

    def total
      items.sum
    end

    def discount
      if total > LIMIT
        total / 10
      else
        0
      end
    end

    def empty?
      items.empty?
    end

    def cheapest(other = nil)
      other&.cheapest || items.min
    end

    def note
      text = <<~NOTE
        #{items.size} items
      NOTE
      text.strip
    end

    def first_price
      Integer(items.first)
    rescue TypeError
      -1
    end
  end
end
