RSpec.describe "a > \"b\" ' (x|y)*" do
  it("nul \0 and\nline") {}
  [1, 2].each { |n| it("#{n} is $1 \\ é") { expect(n).to eq(2) } }
  it('same') {}
  it('same') {}
  it { expect(1).to eq(1) }
  it('throws') { raise IOError, 'no till' }
  xit('skipped') {}
  it('skips itself') { skip }
  it('expected') { pending; raise 'as told' }
  it('surprise') { pending; 1 }
  describe('hooks') do
    before { raise RangeError, 'no set-up' }
    it('in') {}
  end
end
