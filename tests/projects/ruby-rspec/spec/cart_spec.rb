RSpec.describe Shop::Cart do
  subject(:cart) { described_class.of(1, 2, 3) }

  it_behaves_like "something with items", 3

  it { is_expected.not_to be_empty }
  it { expect(described_class.new).to be_empty }

  describe "#add" do
    it "adds a price" do
      expect(cart.add(4).total).to eq(10)
    end

    it "wants a price" do
      expect { cart.add(nil) }.to raise_error(ArgumentError)
    end
  end

  describe "#discount" do
    it "is nothing for little" do
      expect(cart.discount).to eq(0)
    end

    it "is a tenth for much" do
      expect(described_class.of(100, 50).discount).to eq(15)
    end
  end

  describe "#cheapest" do
    it("works") { expect(cart.cheapest).to eq(1) }
    it("works") { expect(cart.cheapest(described_class.of(7))).to eq(7) }
  end

  describe "#first_price" do
    before(:context) { @price = Shop::Cart.of(8, 9).first_price }

    it "is the first" do
      expect(@price).to eq(8)
    end

    it "is -1 for nothing" do
      expect(described_class.new.first_price).to eq(-1)
    end
  end

  it "is for the future" do
    pending "nobody has written it"
    expect(cart.total).to eq(7)
  end

  xit "is left out" do
    raise "never run"
  end
end
