require "shop"

RSpec.configure do |config|
  config.order = :random
  config.example_status_persistence_file_path = "spec/status.txt"
end

Dir[File.join(__dir__, "support", "*.rb")].sort.each { |file| require file }
