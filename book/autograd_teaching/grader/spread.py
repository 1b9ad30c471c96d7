"""Grade many notebooks at once, on a Dask cluster: one on this machine, or one that runs already."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from distributed import Client, LocalCluster, as_completed

from .one import Graded, Job, grade


def spread(jobs: Sequence[Job], workers: int, scheduler: str | None) -> Iterator[tuple[Job, Graded | BaseException]]:
    """Grade jobs in parallel and yield each with its result, or with what the grader raised, in any order.

    A job that takes its worker down is tried again as often as Dask allows.

    Parameters:
        jobs: what to grade.
        workers: how many processes a cluster of this machine has; of no effect with a scheduler.
        scheduler: the address of a running scheduler, `tls://host:port` or `tcp://host:port`. Its workers need this
            package, and one thread each.

    Raises `ConnectionError` if no scheduler answers there.
    """
    with ExitStack() as stack:
        client = stack.enter_context(_client(scheduler or stack.enter_context(local_cluster(workers))))
        futures = {client.submit(grade, job, pure=False): job for job in jobs}
        for future in as_completed(list(futures)):
            yield futures.pop(future), future.exception() or future.result()
            future.release()


def _client(where: str | LocalCluster) -> Client:
    try:
        return Client(where)
    except (OSError, TypeError) as error:  # TypeError: the keys that tls:// needs are not configured
        raise ConnectionError(f"no scheduler could be reached at {where}: {error}") from error


def local_cluster(workers: int) -> LocalCluster:
    """Workers on this machine. Without TLS every notebook could give them orders: it shares their loopback."""
    return LocalCluster(
        n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, security=True
    )
