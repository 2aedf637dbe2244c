require 'gone'
RSpec.describe('a') { it('never') {} }
