/**
 * Milliseconds that whatever asks a test server has for its request. A busy machine gets all of them; where the server
 * decides never to answer, {@link fallSilent} ends them at once, so that no test waits for one of them either.
 */
export const PATIENCE_MS = 29_000;

interface Deadline {
  ends: () => void;
}
const open = new Set<Deadline>();
let restore: (() => void) | null = null;

/** From now on the deadlines of {@link PATIENCE_MS} are known here. @returns how to undo that, for the end of the file */
export function watchDeadlines(): () => void {
  if (restore) throw new Error('the deadlines are watched already');
  const [signalAfter, setTimer, clearTimer] = [AbortSignal.timeout, setTimeout, clearTimeout];
  // An endpoint of Esplora has three times as long.
  AbortSignal.timeout = (ms) => (ms >= PATIENCE_MS ? watchedSignal() : signalAfter.call(AbortSignal, ms));
  const timers = new Map<unknown, Deadline>();
  globalThis.setTimeout = Object.assign((work: () => void, ms?: number, ...args: []) => {
    const timer = setTimer(work, ms, ...args);
    if (ms === PATIENCE_MS)
      timers.set(
        timer,
        watched(() => (clearTimer(timer), work())),
      );
    return timer;
  }, setTimer);
  globalThis.clearTimeout = (timer) => {
    const deadline = timers.get(timer);
    if (deadline) open.delete(deadline);
    timers.delete(timer);
    clearTimer(timer);
  };
  restore = () => {
    [AbortSignal.timeout, globalThis.setTimeout, globalThis.clearTimeout] = [
      signalAfter,
      setTimer,
      clearTimer,
    ];
    open.clear();
    restore = null;
  };
  return restore;
}

/** A server calls it once it is certain that a request gets no answer. */
export function fallSilent(): void {
  const ended = [...open];
  open.clear();
  for (const { ends } of ended) ends();
}

function watched(ends: () => void): Deadline {
  const deadline = { ends };
  open.add(deadline);
  return deadline;
}

function watchedSignal(): AbortSignal {
  const controller = new AbortController();
  watched(() => controller.abort(new DOMException('the server fell silent', 'TimeoutError')));
  return controller.signal;
}
