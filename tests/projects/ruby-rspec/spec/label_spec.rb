RSpec.describe "a label" do
  it "is wide enough" do
    expect(Shop::Label.new.text(Shop::Cart.of(1))).to eq("1 items ")
  end

  it "holds a long note" do
    expect(Shop::Label.new.text(Shop::Cart.new([1] * 10))).to start_with("10 items")
  end
end
