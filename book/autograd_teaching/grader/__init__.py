"""Grade the notebooks of a course: `python -m autograd_book.check grade SUBMISSIONS --out RESULTS`.

Read from the outside in: `command` is the command line, and imports nothing that may be missing; `course` grades what
has not been graded; `submissions` finds the notebooks; `spread` hands them to the workers of a Dask cluster; `one`
grades one notebook, for which it starts a `student` process under the `confinement` of limits; that process sends the
rows of each answer, in the form of `testing.wire`; `store` keeps what comes back, and `report` shows it.

A student's process computes rows and nothing else. The references, the comparison and the verdict stay with the
worker, so that a notebook which edits the checker edits its own copy. What such a process cannot promise: it shares
the kernel, the network and the file system with the grader, and may read what everybody may read; and unless root
grades, it is the user who grades and may do what they may. Untrusted code belongs in a container.
"""
