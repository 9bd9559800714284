import { setImmediate } from 'node:timers/promises';
import { InFlightSends } from './in-flight-sends.js';

/** A promise that the test resolves. */
function pending<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}

/** Reports, at any time, whether the promise has resolved. */
function watch(promise: Promise<unknown>) {
  const seen = { hasResolved: false };
  void promise.then(() => (seen.hasResolved = true));
  return async () => {
    await setImmediate();
    return seen.hasResolved;
  };
}

it('a shutdown during two polls waits for the older one and for the send that it starts', async () => {
  const sends = new InFlightSends();
  const [older, newer, send] = [pending<boolean>(), pending<boolean>(), pending<void>()];
  const polls = [
    sends.poll(async () => {
      const isMore = await older.promise;
      sends.start(send.promise, () => undefined);
      return isMore;
    }),
    sends.poll(() => newer.promise),
  ];
  const hasStopped = watch(sends.stop());
  newer.resolve(false);
  expect(await hasStopped()).toBe(false);
  older.resolve(true);
  expect(await hasStopped()).toBe(false);
  expect(sends.size).toBe(1);
  send.resolve();
  expect(await hasStopped()).toBe(true);
  expect(await Promise.all(polls)).toEqual([true, false]);
});

it('a poll after the beginning of a shutdown claims nothing', async () => {
  const sends = new InFlightSends();
  await sends.stop();
  let hasClaimed = false;
  const claim = async () => (hasClaimed = true);
  expect([await sends.poll(claim), hasClaimed]).toEqual([false, false]);
});

it('a poll that fails rejects for its caller, and a shutdown meanwhile still waits for the sends', async () => {
  const sends = new InFlightSends();
  const [claim, send] = [pending<boolean>(), pending<void>()];
  sends.start(send.promise, () => undefined);
  const failed = sends.poll(async () => {
    await claim.promise;
    throw new Error('no connection');
  });
  const hasStopped = watch(sends.stop());
  claim.resolve(true);
  await expect(failed).rejects.toThrow('no connection');
  expect(await hasStopped()).toBe(false);
  send.resolve();
  expect(await hasStopped()).toBe(true);
});

it('a send that has ended no longer counts when its end is reported', async () => {
  const sends = new InFlightSends();
  const send = pending<void>();
  const sizes: number[] = [];
  sends.start(send.promise, () => sizes.push(sends.size));
  expect(sends.size).toBe(1);
  send.resolve();
  await setImmediate();
  expect(sizes).toEqual([0]);
});

it.each([
  ['true when the poll says so', true, null, true],
  ['true when a send was in flight at the end of the poll', false, setImmediate, true],
  ['true when a send started and ended during the poll', false, () => Promise.resolve(), true],
  ['false when nothing was sent', false, null, false],
])('pollAndWait returns that more may be waiting: %s', async (_, isMore, send, expected) => {
  const sends = new InFlightSends();
  const polled = sends.pollAndWait(async () => {
    if (send) sends.start(send(), () => undefined);
    await setImmediate();
    return isMore;
  });
  expect(await polled).toBe(expected);
  expect(sends.size).toBe(0);
});

it('pollAndWait returns that more may be waiting when a send of an earlier poll ended during this one', async () => {
  const sends = new InFlightSends();
  const send = pending<void>();
  sends.start(send.promise, () => undefined);
  const polled = sends.pollAndWait(async () => {
    send.resolve();
    await setImmediate();
    return false;
  });
  expect(await polled).toBe(true);
});
