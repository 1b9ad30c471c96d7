"""Grade many notebooks at once, on a Dask cluster: one on this machine, or one that runs already."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from distributed import Client, LocalCluster, as_completed

from .one import Graded, Job, grade, refused


def spread(jobs: Sequence[Job], workers: int, scheduler: str | None) -> Iterator[Graded]:
    """Grade jobs in parallel and yield results as they come, in any order.

    A job that takes its worker down is tried again as often as Dask allows, and then refused with that reason.

    Parameters:
        jobs: what to grade.
        workers: how many processes a cluster of this machine has; of no effect with a scheduler.
        scheduler: the address of a running scheduler, `tcp://host:port`. Its workers need this package, and one thread
            each.
    """
    with ExitStack() as stack:
        cluster = scheduler or stack.enter_context(
            LocalCluster(n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None)
        )
        client = stack.enter_context(Client(cluster))
        futures = {client.submit(grade, job, pure=False): job for job in jobs}
        for future in as_completed(list(futures)):
            error = future.exception()
            yield refused(futures.pop(future), f"the grader failed: {error!r}") if error else future.result()
            future.release()
