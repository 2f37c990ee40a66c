"""Leases: nobody but the holder ends a job, and only once; whoever dies loses nothing but time."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crosscount.service.leases import Leases
from crosscount.service.store import LONG, QUICK, Artifact, Ending, Job, Store

Open = Callable[..., Leases]
REQUEST: dict[str, Any] = {"puzzle": "@course-1"}
DONE = Ending("done", result={"count": 2}, summary={"verdict": "agree"})


@pytest.fixture
def leases(tmp_path: Path) -> Open:
    def opened(holder: str = "a", slots: int = 2, lease_seconds: float = 60) -> Leases:
        return Leases(tmp_path, holder, slots, lease_seconds)

    return opened


def asked(store: Store, key: str, client: str = "anna") -> Job:
    return store.add(key, "count", REQUEST, client)


def claimed(store: Leases, lane: int = QUICK) -> Job:
    job = store.claim(lane)
    assert job is not None
    return job


def now(store: Store, job: Job) -> Job:
    found = store.get(job.id)
    assert found is not None
    return found


def test_a_question_has_one_job_until_it_fails_or_is_cancelled(leases: Open) -> None:
    store = leases()
    job = asked(store, "k")
    assert asked(store, "k", "bert").id == job.id
    running = claimed(store)
    assert asked(store, "k").id == job.id
    assert store.finish(running, DONE)
    known = store.known("k", "carl")
    assert known is not None
    assert (known.id, known.result) == (job.id, {"count": 2})
    other = asked(store, "l")
    store.finish(claimed(store), Ending("failed", "why"))
    assert asked(store, "l").id != other.id


def test_only_the_holder_ends_a_job_and_only_once(leases: Open) -> None:
    old, new = leases("old"), leases("new")
    asked(old, "k")
    first = claimed(old)
    assert new.recover(5, alone=True) == [first.id]
    second = claimed(new)
    assert (second.id, second.attempts) == (first.id, 2)
    # The old one has lost it, whatever it says.
    assert not old.finish(first, Ending("done", result={"count": 99}))
    old.report(first, {"engines": []}, [])
    old.release(first)
    assert not old.promote(first)
    assert now(new, first).status == "running"
    assert new.finish(second, DONE)
    assert not new.finish(second, Ending("done", result={"count": 99}))
    assert now(new, first).result == {"count": 2}
    assert [event.kind for event in new.events(first.id, 0)].count("done") == 1


def test_the_same_holder_cannot_end_an_attempt_that_was_given_back(leases: Open) -> None:
    store = leases()
    asked(store, "k")
    first = claimed(store)
    store.release(first, excused=False)
    second = claimed(store)
    assert not store.finish(first, DONE)
    assert store.finish(second, DONE)


def test_a_lease_is_taken_over_only_when_it_has_run_out(leases: Open) -> None:
    dead, alive = leases("dead", 3, -1), leases("alive", 3)
    asked(dead, "k")
    asked(dead, "l")
    lost, kept = claimed(dead), claimed(alive)
    watcher = leases("watcher")
    assert watcher.recover(5, alone=False) == [lost.id]
    assert now(watcher, kept).status == "running"
    assert alive.heartbeat() == {kept.id}
    assert dead.heartbeat() == set()


def test_a_job_that_costs_too_many_lives_has_failed(leases: Open) -> None:
    leases().add("k", "count", REQUEST, "anna")
    for life in range(3):
        claimed(leases(f"life {life}"))
        leases("next").recover(3, alone=True)
    job = now(leases(), leases().add("l", "count", REQUEST, "anna"))
    failed = next(iter(leases().connection.execute("SELECT id FROM jobs WHERE key = 'k'")))[0]
    found = leases().get(failed)
    assert found is not None
    assert (found.status, found.reason) == ("failed", "the process that ran it died 3 times")
    assert job.status == "queued"


def test_an_excused_release_costs_no_attempt(leases: Open) -> None:
    store = leases()
    job = asked(store, "k")
    for _ in range(10):
        store.release(claimed(store))
    assert now(store, job).attempts == 0
    store.release(claimed(store), excused=False)
    assert now(store, job).attempts == 1


def test_clients_take_turns_and_none_takes_all_slots(leases: Open) -> None:
    store = leases(slots=3)
    for k in range(6):
        asked(store, f"anna {k}", "anna")
    first = [claimed(store) for _ in range(2)]
    assert store.claim(QUICK) is None, "two of three slots are all that one client gets"
    asked(store, "bert 0", "bert")
    third = claimed(store)
    assert third.client == "bert"
    assert store.claim(QUICK) is None, "the lane is full"
    asked(store, "bert 1", "bert")
    for job in (*first, third):
        store.finish(job, DONE)
    served = Counter(claimed(store).client for _ in range(3))
    assert served == {"anna": 2, "bert": 1}


def test_with_one_slot_clients_alternate(leases: Open) -> None:
    store = leases(slots=1)
    for k in range(3):
        asked(store, f"anna {k}", "anna")
    for k in range(3):
        asked(store, f"bert {k}", "bert")
    order = []
    for _ in range(6):
        job = claimed(store)
        order.append(job.client)
        store.finish(job, DONE)
    assert order == ["anna", "bert"] * 3


def test_a_long_job_changes_lanes_while_there_is_room(leases: Open) -> None:
    store = leases(slots=1)
    for key in ("k", "l", "m"):
        asked(store, key)
    first = claimed(store)
    assert store.promote(first)
    second = claimed(store)
    assert not store.promote(second), "the lane of long jobs is full"
    assert store.waiting(QUICK)
    store.release(second, lane=LONG)
    assert claimed(store).id not in (first.id, second.id)
    assert store.claim(LONG) is None
    store.finish(first, DONE)
    assert claimed(store, LONG).id == second.id


def test_a_new_attempt_voids_what_the_last_one_told(leases: Open) -> None:
    store = leases()
    asked(store, "k")
    first = claimed(store)
    store.report(first, {"engines": [1]}, [{"name": "bt"}])
    store.report(first, {"engines": [2]}, [])
    told = store.events(first.id, 0)
    assert [event.kind for event in told] == ["started", "engine", "progress"]
    assert told[-1].data == {"engines": [2]}
    store.release(first)
    store.finish(claimed(store), DONE)
    again = store.events(first.id, 0)
    assert [event.kind for event in again] == ["started", "done"]
    assert again[0].seq > told[-1].seq


def test_cancelling(leases: Open) -> None:
    store = leases()
    job = asked(store, "k", "anna")
    assert store.cancel(job.id, "bert") is None
    store.known("k", "bert")
    running = claimed(store)
    assert store.cancel(job.id, "anna") is False
    assert now(store, job).client == "bert", "who still wants it pays for it"
    assert store.cancel(job.id, "bert") is True
    assert store.heartbeat() == set()
    assert not store.finish(running, DONE)
    assert now(store, job).status == "cancelled"
    assert [event.data for event in store.events(job.id, 0)][-1] == {"status": "cancelled"}
    assert store.cancel(job.id, "bert") is False


def test_solutions_of_the_oldest_results_go_first(leases: Open) -> None:
    store = leases()
    jobs = []
    for key in ("k", "l", "m"):
        asked(store, key)
        job = claimed(store)
        file = {"cells": Artifact("text/plain", b"x" * 20)}
        ending = Ending("done", result={}, chunks=[(2, b"x" * 80)], kept_all=True, dtype="int8", artifacts=file)
        store.finish(job, ending)
        jobs.append(job)
    assert store.drop_solutions(300) == 0
    assert store.drop_solutions(250) == 1
    assert [now(store, job).kept for job in jobs] == [0, 2, 2]
    assert [now(store, job).kept_all for job in jobs] == [False, True, True]
    assert store.chunks(jobs[0].id, 0, 10) == []
    assert store.chunks(jobs[1].id, 1, 10) == [(0, 2, b"x" * 80)]
    assert now(store, jobs[0]).result == {}
    assert [store.artifact(job.id, "cells") is None for job in jobs] == [True, False, False]


def test_artifacts_come_back_as_they_were(leases: Open) -> None:
    store = leases()
    asked(store, "k")
    job = claimed(store)
    file = Artifact("text/plain", b"\0\xff")
    store.finish(job, Ending("done", result={}, artifacts={"certificate": file}))
    assert store.artifact(job.id, "certificate") == file
    assert store.artifact(job.id, "cells") is None


def test_nothing_is_half_written(leases: Open) -> None:
    store = leases()
    asked(store, "k")
    job = claimed(store)
    with pytest.raises(ValueError, match="Out of range"):
        store.finish(job, Ending("done", result={"count": float("nan")}))
    assert now(store, job).status == "running"
    assert store.finish(job, DONE)
