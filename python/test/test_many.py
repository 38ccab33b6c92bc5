"""Tests calls with many signatures, and threads."""

import sys
import threading
from typing import Literal

import pytest
from conftest import SIGNING

import fndsa

Keys = dict[str, fndsa.PrivateKey]


@pytest.mark.parametrize("name", SIGNING)
@pytest.mark.parametrize("threads", [None, 1, 3, 100])
def test_many_signatures_are_made_and_verified(name: str, threads: int | None, keys: Keys) -> None:
    key, public = keys[name], keys[name].public_key()
    messages = [bytes([number]) * number for number in range(19)]
    context = b"" if name.startswith("falcon") else b"v1"
    signatures = key.sign_many(messages, context=context, threads=threads)
    assert len(set(signatures)) == len(messages)
    for message, signature in zip(messages, signatures, strict=True):
        public.verify(signature, message, context=context)
    items = [(public, signature, message) for message, signature in zip(messages, signatures, strict=True)]
    fndsa.verify_many(items, context=context, threads=threads)
    items[3] = (public, items[4][1], items[3][2])
    items[17] = (public, b"", items[17][2])
    with pytest.raises(fndsa.InvalidSignatures, match="2 of 19 signatures are not valid; number 3: ") as caught:
        fndsa.verify_many(iter(items), context=context, threads=threads)
    assert list(caught.value.refused) == [3, 17]
    assert isinstance(caught.value, fndsa.InvalidSignature)


def test_many_keys_are_verified_in_one_call(keys: Keys) -> None:
    items = [(key.public_key(), key.sign(name.encode()), name.encode()) for name, key in keys.items()] * 5
    fndsa.verify_many(items)
    for number in range(len(keys)):
        wrong = items[number]
        items[number] = (items[number - 1][0], *wrong[1:])
        with pytest.raises(fndsa.InvalidSignatures) as caught:
            fndsa.verify_many(items)
        assert list(caught.value.refused) == [number]
        items[number] = wrong


def test_many_prehashed_messages_are_signed_and_verified(keys: Keys) -> None:
    key = keys["ml-dsa-44"]
    signatures = key.sign_many([b"one", b"two"], prehash="sha3-256")
    items = [(key.public_key(), signature, message) for signature, message in zip(signatures, [b"one", b"two"], strict=True)]
    fndsa.verify_many(items, prehash="sha3-256")
    with pytest.raises(fndsa.InvalidSignatures) as caught:
        fndsa.verify_many(items)
    assert list(caught.value.refused) == [0, 1]


def test_wrong_batches_are_errors(keys: Keys) -> None:
    key = keys["fn-dsa-512"]
    public, signature = key.public_key(), key.sign(b"m")
    assert key.sign_many([]) == []
    with pytest.raises(ValueError, match="nothing is verified"):
        fndsa.verify_many([])
    with pytest.raises(ValueError, match="threads is 0"):
        fndsa.verify_many([(public, signature, b"m")], threads=0)
    with pytest.raises(OverflowError):
        key.sign_many([b"m"], threads=-1)
    for items in ([(public, signature)], [public], [(signature, public, b"m")], 5, [(key, signature, b"m")]):
        with pytest.raises((TypeError, ValueError)):
            fndsa.verify_many(items)
    for messages in ("text", [b"m", "text"], 5):
        with pytest.raises(TypeError):
            key.sign_many(messages)
    with pytest.raises(ValueError, match="Falcon have no context"):
        fndsa.verify_many([(keys["falcon-512"].public_key(), b"", b"")], context=b"x")

    def broken():  # type: ignore[no-untyped-def]
        yield b"m"
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        key.sign_many(broken())


@pytest.fixture
def no_switches():  # type: ignore[no-untyped-def]
    """Disables switches between threads: a thread runs only if another thread releases the lock."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(before)


CALLS = {
    "generate": lambda key, public, signature: fndsa.generate("fn-dsa-512"),
    "sign": lambda key, public, signature: key.sign(b"m"),
    "sign_many": lambda key, public, signature: key.sign_many([b"m"] * 9, threads=1),
    "verify": lambda key, public, signature: public.verify(signature, b"m"),
    "Policy.verify": lambda key, public, signature: fndsa.Policy(public.to_pem()).verify(signature, b"m"),
    "verify_many": lambda key, public, signature: fndsa.verify_many([(public, signature, b"m")] * 9, threads=1),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.usefixtures("no_switches")
def test_other_threads_run_during_a_call(name: str, keys: Keys) -> None:
    key = keys["fn-dsa-512"]
    public, signature = key.public_key(), key.sign(b"m")
    ready, go, ran = threading.Lock(), threading.Lock(), []
    ready.acquire()
    go.acquire()

    def other() -> None:
        ready.release()
        go.acquire()
        ran.append(True)

    thread = threading.Thread(target=other)
    thread.start()
    ready.acquire()
    go.release()
    # The other thread continues when a call releases the lock and the system runs the thread.
    for calls in range(10_000):
        CALLS[name](key, public, signature)
        if ran:
            break
    thread.join()
    assert calls < 9_999, "no other thread ran during a call"


def test_no_other_thread_runs_without_a_release_of_the_lock(no_switches: None) -> None:
    # `test_other_threads_run_during_a_call` depends on this behaviour.
    ready, go, ran = threading.Lock(), threading.Lock(), []
    ready.acquire()
    go.acquire()

    def other() -> None:
        ready.release()
        go.acquire()
        ran.append(True)

    thread = threading.Thread(target=other)
    thread.start()
    ready.acquire()
    go.release()
    for _ in range(1_000_000):
        if ran:
            break
    else:
        ran.append(False)
    thread.join()
    assert ran == [False, True]


def test_threads_can_share_keys(keys: Keys) -> None:
    for name in ("fn-dsa-512", "falcon-512", "ml-dsa-44"):
        key = fndsa.PrivateKey.from_bytes(keys[name].to_bytes(), algorithm=name)
        public, failed = key.public_key(), []

        def work(number: int) -> None:
            try:
                for round in range(10):
                    message = f"{number} {round}".encode()
                    public.verify(key.sign(message), message)
                    with pytest.raises(fndsa.InvalidSignature):
                        public.verify(key.sign(message), b"another")
            except BaseException as e:
                failed.append(e)
                raise

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []


@pytest.mark.parametrize("prehash", [None, "sha512"])
@pytest.mark.parametrize("name", ["fn-dsa-512", "falcon-512", "ml-dsa-44"])
def test_a_message_is_copied_before_another_thread_changes_it(name: str, prehash: Literal["sha512"] | None, keys: Keys) -> None:
    key, public = keys[name], keys[name].public_key()
    states = [bytes([value]) * 1_000_000 for value in (1, 2)]
    changing, end = bytearray(states[0]), threading.Event()

    def change() -> None:
        while not end.is_set():
            for state in states:
                changing[:] = state

    thread = threading.Thread(target=change)
    thread.start()
    try:
        signatures = [key.sign(changing, prehash=prehash) for _ in range(10)]
        signatures += key.sign_many([changing] * 10, prehash=prehash)
    finally:
        end.set()
        thread.join()
    for signature in signatures:
        valid = 0
        for state in states:
            try:
                public.verify(signature, state, prehash=prehash)
                valid += 1
            except fndsa.InvalidSignature:
                pass
        assert valid == 1
