# A shop.
module Shop
  autoload :Label, "shop/label"
end

require "shop/cart"
