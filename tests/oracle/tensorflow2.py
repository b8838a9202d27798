"""Runs programs in TensorFlow 2, each in a new process: a fork of one that has only imported TensorFlow, which takes seconds.

The suite itself runs graphs in sessions (graphs.py), so start() precedes the import of its modules.
"""

import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import traceback

# Gives the same bits in every process. A process has one pool of threads, of the size that its first session took, and the number of
# threads decides in which order sums are made.
ENVIRONMENT = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0", "TF_NUM_INTRAOP_THREADS": "1"}
SECONDS = 1200  # for a program: a guard against hanging

connections = []  # to the servers, one for each process of the suite
used = 0  # the index of this process' connection


def start(count):
    """Starts `count` servers. They end with the processes that hold a connection to them."""
    os.environ.update(ENVIRONMENT)
    import tensorflow  # noqa: F401  (for the forks)

    for _ in range(count):
        ours, theirs = multiprocessing.Pipe()
        if os.fork() == 0:
            ours.close()
            serve(theirs)
        theirs.close()
        connections.append(ours)


def stop():
    """Waits for the servers to end, so that their time counts as this process' children's."""
    while connections:
        connections.pop().close()
        os.wait()


def use(index):
    """Chooses the server of this process."""
    global used
    used = index


def run(program, *arguments, given=""):
    """Runs a program, the text or the path of it, with `given` as its input. Returns a subprocess.CompletedProcess."""
    connections[used].send((program, arguments, given))
    return connections[used].recv()


def run_checked(program, *arguments):
    """Fails if the program does."""
    done = run(program, *arguments)
    assert done.returncode == 0, done.stderr
    return done


def serve(connection):
    while True:
        try:
            asked = connection.recv()
        except EOFError:
            os._exit(0)
        connection.send(answer(*asked))


def answer(program, arguments, given):
    files = [tempfile.TemporaryFile("w+") for _ in range(3)]
    files[0].write(given)
    files[0].seek(0)
    child = os.fork()
    if child == 0:
        for number, file in enumerate(files):
            os.dup2(file.fileno(), number)
        become(program, arguments)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    for file in files:
        file.seek(0)
    return subprocess.CompletedProcess([program, *arguments], status, files[1].read(), files[2].read())


def become(program, arguments):
    """Runs the program in this process, and ends it."""
    signal.alarm(SECONDS)
    sys.argv, status = [program, *arguments], 1
    try:
        if program.endswith(".py"):
            runpy.run_path(program, run_name="__main__")
        else:
            exec(program, {"__name__": "__main__"})
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
