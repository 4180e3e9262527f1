"""Run Slurm with one node on this machine, without systemd or accounting, in a temporary folder.

python tests/support/slurm_loopback.py sinfo        start Slurm, run a command in it, and stop it
"""

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
COMMANDS = ("sbatch", "squeue", "srun", "scancel", "scontrol", "sinfo")
INSTALL = "apt-get install --no-install-recommends munge slurm-client slurmctld slurmd"
SECONDS = 30  # for each step of starting and stopping; a second or two is usual

# OverMemoryKill replaces the cgroups of a cluster: a job that takes more than it requested is killed within a second.
# SchedulerParameters: a waiting job starts as soon as there is room, not at the next of rare checks.
CONF = """
ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
PlugStackConfig={folder}/plugstack.conf
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
KillWait=2
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> list[str]:
    """The programs that are needed and not installed."""
    return [name for name in DAEMONS + COMMANDS if not program(name)]


def program(name: str) -> str | None:
    """The path of a program; daemons are often outside the PATH of a user."""
    return shutil.which(name, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")


@contextlib.contextmanager
def running() -> Iterator[dict[str, str]]:
    """Yield the variables that lead commands to this Slurm, which runs until the end of the block."""
    with contextlib.ExitStack() as stack:
        stack.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, lambda *_: sys.exit(143)))
        temporary = tempfile.TemporaryDirectory(prefix="slurm_", ignore_cleanup_errors=True)
        folder = Path(stack.enter_context(temporary))
        variables = configure(folder)
        stack.enter_context(munged(folder))
        stack.enter_context(daemon(folder, [program("slurmctld"), "-D", "-f", folder / "slurm.conf"]))
        stack.enter_context(daemon(folder, [program("slurmd"), "-D", "-f", folder / "slurm.conf"]))
        await_that(lambda: said(variables, "sinfo", "--noheader", "--format=%T") == "idle", "the node is idle", folder)
        try:
            yield variables
        finally:
            # Cancel jobs while the node's daemon runs, because only it knows the processes of a job.
            said(variables, "scancel", f"--user={user()}")
            await_that(lambda: not said(variables, "squeue", "--noheader"), "no job is left", folder)


def configure(folder: Path) -> dict[str, str]:
    """Write everything that the daemons read."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    fields = {"host": socket.gethostname().split(".")[0], "user": user(), "folder": folder}
    controller, node = free_ports(2)
    conf = CONF.format(**fields, controller_port=controller, node_port=node, cpus=os.cpu_count(), memory=memory)
    (folder / "slurm.conf").write_text(conf)
    (folder / "plugstack.conf").touch()
    for name in ("state", "spool", "bin"):
        (folder / name).mkdir()
    # Snakemake's plug-in starts `srun` without the variables of Slurm, so without SLURM_CONF.
    srun = folder / "bin" / "srun"
    srun.write_text(f'#!/bin/sh\nSLURM_CONF={folder}/slurm.conf exec {program("srun")} "$@"\n')
    srun.chmod(0o755)
    (folder / "munge.key").write_bytes(secrets.token_bytes(1024))
    (folder / "munge.key").chmod(0o600)
    return {"SLURM_CONF": f"{folder}/slurm.conf", "PATH": f"{folder}/bin:{os.environ['PATH']}"}


def user() -> str:
    return pwd.getpwuid(os.getuid()).pw_name


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


@contextlib.contextmanager
def munged(folder: Path) -> Iterator[None]:
    """Run the daemon that signs messages, and enter the block once it listens."""
    files = {name: folder / f"munge.{name}" for name in ("socket", "key", "pid", "seed", "log")}
    options = [f"--{'socket' if name == 'socket' else name + '-file'}={path}" for name, path in files.items()]
    with daemon(folder, [program("munged"), "--foreground", "--force", *options]):
        await_that(files["socket"].exists, "munged listens", folder)
        yield


@contextlib.contextmanager
def daemon(folder: Path, command: list) -> Iterator[None]:
    with (folder / f"{Path(command[0]).name}.out").open("wb") as output:
        streams = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": subprocess.STDOUT}
        # In another process group: Ctrl-C must reach only this process, which then ends its daemons in order.
        process = subprocess.Popen(command, **streams, start_new_session=True)
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def said(variables: dict[str, str], *command: str) -> str:
    """The output of a Slurm command; empty if it fails, for example because a daemon is not up yet."""
    env = os.environ | variables
    done = subprocess.run(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=SECONDS
    )
    return done.stdout.strip()


def await_that(condition, what: str, folder: Path) -> None:
    until = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > until:
            logs = [*folder.glob("*.log"), *folder.glob("*.out")]
            raise TimeoutError("\n".join([f"not within {SECONDS} s: {what}", *map(tail, logs)]))
        time.sleep(0.1)


def tail(path: Path) -> str:
    return f"--- {path.name}\n" + "\n".join(path.read_text(errors="replace").splitlines()[-20:])


def main(command: list[str]) -> int:
    if absent := missing():
        print(f"error: {', '.join(absent)} not found; on Debian: {INSTALL}", file=sys.stderr)
        return 2
    with running() as variables:
        return subprocess.run(command, env=os.environ | variables).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
