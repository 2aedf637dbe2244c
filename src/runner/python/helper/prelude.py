def install(folder):
    import builtins

    if hasattr(builtins, "_mu_"):
        return
    import posix

    seen, flags = set(), posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC
    start, write, close, process = posix.open, posix.write, posix.close, posix.getpid

    def record(probe):
        me = process()
        if (me, probe) in seen:
            return
        seen.add((me, probe))
        try:
            handle = start(folder + b"/%d-0" % me, flags, 0o666)
            try:
                write(handle, b"%d\n" % probe)
            finally:
                close(handle)
        except OSError:
            pass

    builtins._mu_ = record


install(folder)
