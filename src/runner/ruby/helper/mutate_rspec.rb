# Runs an RSpec suite for `mutate`: selects, orders and reports examples. `ruby mutate_rspec.rb`, in the root of the project.
#
# Written into the folder of one request; nothing of it is installed anywhere.

require "json"

module Mutate
  FOLDER = ENV.delete("MUTATE_FOLDER")
  OWNER = Process.pid
  ASKED = JSON.parse(File.read(File.join(FOLDER, "request.json"), encoding: "UTF-8"))
  OPEN, PID, GENERATE = File.method(:open), Process.method(:pid), JSON.method(:generate)
  CLOCK = Process.method(:clock_gettime)

  # A text that JSON can carry.
  def self.name(text)
    text.to_s.dup.force_encoding("UTF-8").scrub { |bytes| bytes.unpack1("H*") }
  end

  # One event, written at once: a crash loses nothing that was said before. A forked child stays silent.
  def self.say(event, **fields)
    return unless PID.call == OWNER

    line = GENERATE.call({ event: event }.merge(fields))
    OPEN.call("#{FOLDER}/report.jsonl", "ab", 0o600) { |file| file.write("#{line}\n") }
  end

  def self.describe(error)
    message = begin
      name(error.message).strip
    rescue StandardError => broken
      "(its text cannot be shown: #{broken.class})"
    end
    message = message.sub(/\.?$/, "; run `bundle install`") if name(error.class) == "Bundler::GemNotFound"
    { kind: name(error.class), message: message[0, 500], file: file_of(error, message) }
  end

  def self.file_of(error, message)
    file = error.is_a?(SyntaxError) ? message[/^(?:.*?: )?(\/[^\n:]+):\d+/, 1] : nil
    file ||= (error.backtrace || []).map { |line| line[/\A(.*?):\d+/, 1] }.compact.find { |path| path.start_with?("#{ASKED["root"]}/") }
    file && name(file)
  end

  # Which example has which id. Examples of one description are told apart by their place in the file.
  class Names
    def initialize(groups)
      @ids, @examples = {}.compare_by_identity, {}
      groups.each { |group| group.descendants.each { |each| each.examples.each { |example| add(example) } } }
    end

    def [](example)
      @ids[example]
    end

    def include?(id)
      @examples.key?(id)
    end

    private

    def add(example)
      path, place = example.id.sub(%r{\A\./}, "").match(/\A(.*)(\[[^\[\]]*\])\z/m).captures
      id = Mutate.name("#{path}::#{description(example)}")
      id = "#{id} #{place}" if @examples.key?(id)
      @ids[example], @examples[id] = id, example
    end

    # What RSpec calls a one-liner is known only after it ran.
    def description(example)
      metadata = example.metadata
      return metadata[:full_description] unless metadata[:description].to_s.empty? || metadata[:description_args].to_a.empty?

      "#{metadata[:full_description]} (line #{metadata[:line_number]})"
    end
  end

  class Run
    # The names of all examples, and the example that is running.
    attr_reader :names, :current

    def initialize
      @only, @deselect = ASKED["only"], ASKED["deselect"]
      @last, @current = nil, nil
    end

    # The files that can hold a selected example; nil: all.
    def files
      return if @only.nil?

      found = @only.map { |test| test.partition("::").first }.uniq
      found if found.all? { |file| File.file?(file) }
    end

    # Takes all but the selected examples out, and puts files in the order that was asked for.
    def select(groups, world)
      @names = Names.new(world.example_groups)
      chosen = []
      groups.each do |top|
        top.descendants.each do |group|
          kept = world.filtered_examples[group].select { |example| wants?(@names[example]) }
          world.filtered_examples[group] = kept
          chosen.concat(kept)
        end
        top.descendants.each { |group| group.instance_variable_set(:@descendant_filtered_examples, nil) }
      end
      missing = (@only || []).reject { |test| @names.include?(test) }
      Mutate.say("missing", ids: missing) unless missing.empty?
      ordered(groups, chosen)
    end

    def examples_of(group)
      group.descendants.flat_map { |each| RSpec.world.filtered_examples[each] }.map { |example| @names[example] }
    end

    def begin(example)
      @last = @current = @names[example] or return
      Mutate.say("start", id: @last)
      @started = CLOCK.call(Process::CLOCK_MONOTONIC)
    end

    def finish(example, status, error, phase = "call")
      @current = nil
      id = @names[example] or return
      took = ((CLOCK.call(Process::CLOCK_MONOTONIC) - @started) * 1e6).to_i
      failure = error && Mutate.describe(error).merge(phase: phase)
      failure = { kind: "", message: "failed", file: nil, phase: phase } if status == "failed" && failure.nil?
      refused(error)
      Mutate.say("result", id: id, status: status, us: [took, 0].max, failure: failure)
      stop if status == "failed"
    end

    # An error outside of any example: while loading, or in a hook of a group or of the suite.
    def outside(error, context)
      loading = context[/\A(?:An error occurred while|While) loading (.*?)(?:\.\z|\.\n|\. - Did you mean\?| an `exit`)/m, 1]
      if loading || @last.nil?
        place = loading ? loading.sub(%r{\A\./}, "") : context
        Mutate.say("load_failure", id: Mutate.name(place), **Mutate.describe(error))
      else
        hook = context[/`?(after\(:\w+\)|before\(:\w+\))/, 1] || "a hook"
        Mutate.say("result", id: @last, status: "failed", us: 0, failure: Mutate.describe(error).merge(phase: hook))
        stop
      end
    end

    private

    # Ruby refuses a file that a test loads.
    def refused(error)
      error = error.cause while error && !error.is_a?(SyntaxError) && error.cause
      return unless error.is_a?(SyntaxError)

      Mutate.say("load_failure", id: @last, **Mutate.describe(error))
    end

    def stop
      RSpec.world.wants_to_quit = true if ASKED["bail"]
    end

    def wants?(id)
      return false if @deselect.any? { |name| id == name || id.start_with?("#{name}::", "#{name} ") }

      @only.nil? || position.key?(id)
    end

    def position
      @position ||= (@only || []).each_with_index.to_h
    end

    def ordered(groups, chosen)
      if @only
        first = {}
        @only.each_with_index { |test, at| first[test.partition("::").first] ||= at }
        groups = groups.each_with_index.sort_by { |group, at| [first[file_of_group(group)] || first.size + @only.size, at] }.map(&:first)
      end
      Mutate.say("collected", ids: groups.flat_map { |group| examples_of(group) })
      retried = chosen.select { |example| retried?(example) }.map { |example| @names[example] }
      Mutate.say("retried", ids: retried) unless retried.empty?
      Mutate.say("notice", text: "rspec-retry: a failed example is not run again") if retries_all?
      groups
    end

    def file_of_group(group)
      id = examples_of(group).first
      id && id.partition("::").first
    end

    # Somebody has marked this example, or its group, as one that fails at times.
    def retried?(example)
      more_than_once?(example.metadata[:retry])
    end

    # A count for all says nothing about any of them.
    def retries_all?
      config = RSpec.configuration
      config.respond_to?(:default_retry_count) && more_than_once?(config.default_retry_count)
    end

    def more_than_once?(count)
      count.is_a?(Integer) && count > 1
    end
  end

  # Gives every hit to the examples that depend on it.
  class Reach
    def initialize(run)
      @run, @on = run, ASKED["reach"]
      return unless @on

      MutateProbe.keep
      Kernel.prepend(Loads)
      Kernel.singleton_class.prepend(Loads)
    end

    # What was reached until now belongs to these; nil: to everybody.
    def give(tests)
      return unless @on

      tell(tests, MutateProbe.take)
      tell(nil, MutateProbe.take_loading)
    end

    private

    def tell(tests, probes)
      return if probes.empty?

      Mutate.say("reach", tests: tests, probes: probes.sort)
    end

    # What an example loads first is there for all that follow, so its hits belong to nobody in particular.
    module Loads
      def require(path)
        MutateProbe.apart { super }
      end

      def load(path, wrap = false)
        MutateProbe.apart { super }
      end

      def require_relative(path)
        from = caller_locations(1, 1).first.absolute_path
        return super if from.nil?

        MutateProbe.apart { Kernel.require(File.expand_path(path, File.dirname(from))) }
      end
    end
  end

  # What a project may ask for and a trial must not do.
  module Quiet
    def self.settle(config)
      config.example_status_persistence_file_path = nil
      config.fail_fast = false if config.respond_to?(:fail_fast=)
      config.dry_run = false if config.dry_run?
      settle_coverage
    end

    # All selected examples run, not only those that failed last: settled before files are loaded.
    def self.forget_last_run(config)
      config.filter_manager.inclusions.delete(:last_run_status)
      config.instance_variable_set(:@only_failures, nil)
    end

    def self.settle_coverage
      return unless defined?(::SimpleCov)

      ::SimpleCov.at_exit {}
      ::SimpleCov.minimum_coverage(0) if ::SimpleCov.respond_to?(:minimum_coverage)
      Mutate.say("notice", text: "SimpleCov: coverage is not written")
    rescue StandardError
      nil
    end
  end

  module Runner
    def configure(err, out)
      super
      Quiet.forget_last_run(RSpec.configuration)
    end

    def run_specs(groups)
      Quiet.settle(RSpec.configuration)
      REACH.give(nil)
      super(RUN.select(groups, RSpec.world))
    ensure
      REACH.give(nil)
    end
  end

  module Reporter
    def example_started(example)
      REACH.give(nil)
      RUN.begin(example)
      super
    end

    def example_passed(example)
      RUN.finish(example, "passed", nil)
      REACH.give([RUN.names[example]].compact)
      super
    end

    def example_failed(example)
      RUN.finish(example, "failed", example.exception)
      REACH.give([RUN.names[example]].compact)
      super
    end

    # What is expected to fail and does is what the author wanted to see.
    def example_pending(example)
      RUN.finish(example, example.execution_result.example_skipped? ? "skipped" : "passed", nil)
      REACH.give([RUN.names[example]].compact)
      super
    end

    def notify_non_example_exception(error, context)
      RUN.outside(error, Mutate.name(context))
      super
    end
  end

  # Hooks of a group belong to all of its examples.
  module Group
    def run_before_context_hooks(*)
      Group.around(self) { super }
    end

    def run_after_context_hooks(*)
      Group.around(self) { super }
    end

    # RSpec makes a group of every example too; what such a one reaches is the example's.
    def self.around(group)
      return yield if RUN.current

      REACH.give(nil)
      begin
        yield
      ensure
        REACH.give(RUN.examples_of(group))
      end
    end
  end

  # Where files came from, as far as it was not the tree in which the tests run.
  def self.tell_origins
    root, original = ASKED["root"], ASKED["original_root"]
    inside = ->(file, folder) { file.start_with?("#{folder}/") && !file.include?("/gems/") }
    if root != original
      astray = $LOADED_FEATURES.select { |file| inside.call(file, original) && !inside.call(file, root) }
      say("outside", files: astray.map { |file| name(file) }) unless astray.empty?
    end
    return unless ASKED["reach"]

    loaded = $LOADED_FEATURES.reject { |file| file.start_with?("#{root}/") }
    roots = $LOAD_PATH.map(&:to_s).sort_by { |path| -path.length }
    loaded.each do |file|
      from = roots.find { |path| file.start_with?("#{path}/") } or next
      ours = "lib/#{file[(from.length + 1)..]}"
      say("instead", ours: name(ours), theirs: name(file)) if File.file?("#{root}/#{ours}")
    end
  end

  def self.main
    # RSpec looks at the name of the program.
    $PROGRAM_NAME = "rspec"
    require "rspec/core"
    RSpec::Core::Runner.disable_autorun!
    RSpec::Core::Runner.prepend(Runner)
    RSpec::Core::Reporter.prepend(Reporter)
    RSpec::Core::ExampleGroup.singleton_class.prepend(Group)
    paths = RUN.files || ASKED["tests"]
    # The first of these outrank `.rspec`; the order of examples is that of their files.
    quiet = %w[--order defined --no-fail-fast --no-profile --no-color --no-drb --format progress --out] + [File::NULL]
    status = RSpec::Core::Runner.run(quiet + ["--"] + paths)
    tell_origins
    say("finished")
    exit(status.to_i)
  end

  RUN = Run.new
  REACH = Reach.new(RUN)
end

Mutate.main
