# Records which probes of woven sources are reached. A probe is a call of the private method `_mu_` with its number.
#
# Written into the folder of one request by `mutate`, and loaded at the start of every Ruby process of a run that records reach.
# The process of the tests itself keeps hits in a table. Every other process (started by a test, or forked) appends a number to a
# file of its own when it is first hit, at once: it may die at any time.

module MutateProbe
  # Objects of the system as they are before any code of the project runs: tests replace what they like.
  OPEN, PID, READ = ::File.method(:open), ::Process.method(:pid), ::File.method(:binread)
  LIST, REMOVE, ALIVE = ::Dir.method(:children), ::File.method(:unlink), ::Process.method(:getpgid)
  LOCK = ::Thread::Mutex.new

  @folder = ::ENV["MUTATE_HITS"]
  @hits = {}
  @memory = nil # The process that keeps hits in memory.
  @writer = nil

  class << self
    def hit(probe)
      return if @hits[probe] && PID.call == (@memory || @writer)

      pid = PID.call
      if pid == @memory
        @hits[probe] = true
      elsif @folder
        write(probe, pid)
      end
    end

    # From now on this process keeps what it reaches.
    def keep
      @memory, @hits = PID.call, {}
    end

    # What was reached since the last call, in this process and in started ones. A process that lives on may reach again what it
    # reached before without saying so: its whole list counts each time.
    def take
      found, @hits = @hits, {}
      probes = found.keys
      LIST.call(@folder).each do |name|
        path = "#{@folder}/#{name}"
        probes.concat(READ.call(path).split.map { |number| number.to_i })
        REMOVE.call(path) unless alive?(name.to_i)
      end
      probes.uniq
    end

    # What a block reaches by itself, apart from what was reached before it.
    def apart
      before, @hits = @hits, {}
      result = yield
    ensure
      inside = @hits.keys
      @hits = before
      @while_loading = (@while_loading || []).concat(inside)
      result
    end

    # What was reached while files were loaded, whenever that was: every test may depend on it.
    def take_loading
      found, @while_loading = @while_loading || [], []
      found.uniq
    end

    private

    def write(probe, pid)
      @writer, @memory, @hits = pid, nil, {} if @writer != pid
      @hits[probe] = true
      OPEN.call("#{@folder}/#{pid}", "ab") { |file| file.write("#{probe}\n") }
    rescue ::SystemCallError, ::IOError
      nil
    end

    def alive?(pid)
      ALIVE.call(pid)
      true
    rescue ::SystemCallError
      false
    end
  end
end

# Objects without any method of their own have it too.
class BasicObject
  private

  def _mu_(probe)
    ::MutateProbe.hit(probe)
    false
  end
end
