# How many mutants does Ruby's own compiler refuse?
#
#   ruby benches/refusals/ruby/count.rb MUTATE PATH...
#
# MUTATE is the program; every Ruby file below the paths is listed with all tiers and with arid code, each edit is made here, and the
# text is compiled in this one process. Files that Ruby refuses without an edit are passed over. Exit 1 if a mutant is refused.

require "json"
require "open3"

$VERBOSE = nil

def refusal(text)
  RubyVM::InstructionSequence.compile(text)
  nil
rescue SyntaxError => error
  error.message.lines.first.strip
end

# The mutated text, or nil if the original is not where the list says.
def edited(lines, mutant)
  text = lines[0, mutant["line"] - 1].join
  at = text.length + mutant["column"] - 1
  whole = lines.join
  return unless whole[at, mutant["original"].length] == mutant["original"]

  whole[0, at] + mutant["replacement"] + whole[(at + mutant["original"].length)..]
end

def mutants(program, file)
  arguments = %w[list --tier all --no-arid --isolated --quiet --output-format json --root]
  out, err, status = Open3.capture3(program, *arguments, File.dirname(file), file)
  return [] if status.exitstatus == 3 # nothing to mutate there

  abort "#{file}: #{err}" unless status.success?
  JSON.parse(out)["mutants"]
end

program, *paths = ARGV
files = paths.flat_map { |path| File.directory?(path) ? Dir.glob("#{path}/**/*.rb").sort : [path] }.map { |file| File.realpath(file) }
total, refused, passed_over, rules = 0, [], 0, Hash.new(0)
files.each do |file|
  text = File.read(file, encoding: "UTF-8")
  next passed_over += 1 unless text.valid_encoding? && refusal(text).nil?

  lines = text.lines
  mutants(program, file).each do |mutant|
    changed = edited(lines, mutant) or abort "#{file}:#{mutant["line"]}: #{mutant["original"]} is not there"
    total += 1
    rules[mutant["rule"]] += 1
    why = refusal(changed) or next
    refused << mutant["rule"]
    puts "#{file}:#{mutant["line"]}:#{mutant["column"]}  #{mutant["rule"]}  #{mutant["original"]} → #{mutant["replacement"]}\n    #{why}"
  end
end
rules.sort.each { |rule, count| puts format("%-34s %6d %4d refused", rule, count, refused.count(rule)) }
puts "#{refused.size} of #{total} mutants are refused (#{files.size - passed_over} files, #{passed_over} passed over), Ruby #{RUBY_VERSION}"
exit refused.empty?
