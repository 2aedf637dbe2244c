RSpec.describe('a') do
