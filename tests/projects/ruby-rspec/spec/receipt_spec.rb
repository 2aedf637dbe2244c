require "rbconfig"

RSpec.describe "the program" do
  def total(*prices)
    IO.popen([RbConfig.ruby, File.expand_path("../bin/total", __dir__), *prices.map(&:to_s)], &:read)
  end

  it "adds a fee for few" do
    expect(total(1)).to eq("6")
  end

  it "adds none for many" do
    expect(total(1, 2, 3, 4)).to eq("10")
  end
end
