"""Measures one peer once and prints one line of JSON; `compare` runs it in an environment that has the peer.

    python peers.py pydantic-monty | pyeryx

The line has the form that `cargo bench --bench figures -- --json` prints for us, and `burst_us` besides. Each peer is
used in the fastest of the ways that it documents, with its defaults: no limit is set that it does not set itself.
Where two ways were close or changed places, both are measured and the better one counts.
"""

import gc
import json
import os
import subprocess
import sys
import sysconfig
import time
from contextlib import ExitStack

FRESH, EXECS, SCRIPTS, CALLS, PROCESSES = 200, 2000, 100, 100, 15  # chosen by hand: a round of a peer takes some 20 s
PAUSE_SECONDS = 0.02  # what a peer prepares behind our back is ready by then, on a busy machine too
LIVE = (8, 16, 24, 32)  # the memory of a session is the slope over these
PLAIN_LOOP = f"for i in range({CALLS}): i"


def now(n):
    """The tool of all three: it does nothing, so what is left is the way there and back."""
    return n + 1


def times(work, count, pause_seconds=0):
    """Microseconds of each of `count` runs of `work`, after some that do not count."""
    for _ in range(count // 10 + 5):
        work()
    found = []
    for _ in range(count):
        if pause_seconds:
            time.sleep(pause_seconds)
        start = time.perf_counter_ns()
        work()
        found.append((time.perf_counter_ns() - start) / 1000)
    return found


def spread(values):
    ordered = sorted(values)
    return {"median": ordered[len(ordered) // 2], "p99": ordered[len(ordered) * 99 // 100]}


def fresh(work):
    """`fresh_us` is what somebody waits for who comes now and then, `burst_us` what it is without a pause. Pauses help who
    prepares the next sandbox in the background, and harm who is woken up; the better one counts."""
    burst, paused = spread(times(work, FRESH)), spread(times(work, FRESH, PAUSE_SECONDS))
    return {"fresh_us": min(burst, paused, key=lambda one: one["median"]), "burst_us": burst}


def per_call(with_calls, without):
    """One call: a script with `CALLS` of them, less the median of the same loop without."""
    rest = spread(times(without, SCRIPTS))["median"]
    return spread([(each - rest) / CALLS for each in times(with_calls, SCRIPTS)])


def pss_kib(pids):
    """What these processes hold, pages that several share divided among them. None where the system does not say."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/smaps_rollup") as rollup:
                total += next(int(line.split()[1]) for line in rollup if line.startswith("Pss:"))
        except OSError:
            return None
    return total


def slope(open_session, pids):
    """KiB that one more live session takes: the straight line through the sizes at `LIVE`. `open_session` is given a stack
    to put on what must be closed."""
    sessions, sizes = [], []
    with ExitStack() as stack:
        for count in LIVE:
            while len(sessions) < count:
                sessions.append(open_session(stack))
            time.sleep(0.2)
            sizes.append(pss_kib(pids(sessions)))
    if None in sizes:
        return None
    middle, mean = sum(LIVE) / len(LIVE), sum(sizes) / len(sizes)
    across = sum((count - middle) * (size - mean) for count, size in zip(LIVE, sizes))
    return across / sum((count - middle) ** 2 for count in LIVE)


def wall_ms(command, environment=None):
    environment = {**os.environ, **(environment or {})}
    start = time.perf_counter_ns()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return (time.perf_counter_ns() - start) / 1e6


def pydantic_monty():
    from pydantic_monty import FunctionSnapshot, Monty, MontyComplete

    figures = {}
    # The pool as its README has it. It keeps a worker warm, and the next session gets the process of the last one, with
    # an interpreter of its own. A new process for each (`max_checkouts_per_worker=1`) takes many times as long.
    with Monty() as pool:

        def one():
            with pool.checkout() as session:
                assert session.feed_run("1+1") == 2

        figures.update(fresh(one))

        # `max_suspensions` counts calls for the life of a session and cannot be switched off.
        with pool.checkout(limits={"max_suspensions": 10**9}) as session:
            figures["exec_us"] = spread(times(lambda: session.feed_run("1+1"), EXECS))

            # `feed_start` and `resume` answer a call several times faster than `feed_run(external_lookup=...)`.
            def calls():
                step = session.feed_start(f"for i in range({CALLS}): now(i)", external_lookup={"now": now})
                while not isinstance(step, MontyComplete):
                    if isinstance(step, FunctionSnapshot):
                        step = step.resume({"return_value": now(*step.args)})
                    else:
                        step = step.resume_auto()  # the name itself is looked up once

            def without():
                assert isinstance(session.feed_start(PLAIN_LOOP), MontyComplete)

            figures["call_us"] = per_call(calls, without)

    # A live session is a worker. They start as they are needed, so none is counted that has no session.
    with Monty(max_processes=max(LIVE)) as pool:

        def open_session(stack):
            session = stack.enter_context(pool.checkout())
            session.feed_run("1+1")
            return session

        workers = lambda sessions: [session.worker_pid for session in sessions]
        figures["session_kib"] = slope(open_session, workers)

    # The program comes with the package and needs neither Python nor a pool.
    program = os.path.join(sysconfig.get_path("scripts"), "monty")
    figures["process_ms"] = spread([wall_ms([program, "-c", "1+1"]) for _ in range(PROCESSES)])["median"]
    return figures


def pyeryx():
    import eryx

    figures = {}
    # Every `execute` of a `Sandbox` has a fresh instance, and one is kept ready in the background, so the `Sandbox` is kept.
    # No other way was faster: a new `Sandbox`, a `SandboxFactory`, its pool, a new `Session`. `Session.clear_state` takes
    # longer and leaves changed modules as they are. `1+1` gives no value here; `result = 1+1` would, for a little more.
    sandbox = eryx.Sandbox()
    figures.update(fresh(lambda: sandbox.execute("1+1")))

    # Callbacks are coroutines. Gathered, or declared with a factory, they take no less time.
    session = eryx.Session(callbacks=[{"name": "now", "fn": now, "description": "n + 1"}])
    plain = eryx.Session()
    assert session.execute("result = await now(n=1)").result == 2
    figures["exec_us"] = spread(times(lambda: plain.execute("1+1"), EXECS))
    figures["call_us"] = per_call(
        lambda: session.execute(f"for i in range({CALLS}): await now(n=i)"), lambda: session.execute(PLAIN_LOOP)
    )

    def open_session(_):
        opened = eryx.Session()
        opened.execute("1+1")
        return opened

    figures["session_kib"] = slope(open_session, lambda _: [os.getpid()])

    # A process that runs one script wants no pool and nothing ready for the next: its performance guide names these
    # settings, and the time is a third with them. Python's own start is not eryx's and is taken off.
    lean = {"ERYX_WARM_INSTANCES": "0", "ERYX_ALLOCATOR": "on-demand"}
    python, script = [sys.executable, "-I", "-c"], "import eryx; eryx.Sandbox().execute('1+1')"
    bare, whole = [], []
    for _ in range(PROCESSES):
        bare.append(wall_ms([*python, "pass"]))
        whole.append(wall_ms([*python, script], lean))
    figures["process_ms"] = spread(whole)["median"] - spread(bare)["median"]
    return figures


PEERS = {"pydantic-monty": pydantic_monty, "pyeryx": pyeryx}

if __name__ == "__main__":
    if sys.argv[1:] not in [[name] for name in PEERS]:
        sys.exit(f"usage: peers.py {' | '.join(PEERS)}")
    gc.disable()
    print(json.dumps(PEERS[sys.argv[1]]()))
