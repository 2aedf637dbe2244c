RSpec.shared_examples "something with items" do |count|
  it "has items" do
    expect(subject.items.size).to eq(count)
  end
end
