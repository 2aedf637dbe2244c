module Shop
  # Only a program of its own makes receipts.
  class Receipt
    def initialize(prices)
      @prices = prices
    end

    def line
      "#{@prices.sum + fee}"
    end

    def fee
      @prices.size > 2 ? 0 : 5
    end
  end
end
