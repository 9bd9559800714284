/*
 * A browser opens six connections to one server without HTTP/2, for all its windows. Streams take one each for as long as
 * a window is looked at, so only some windows keep one; the others ask from time to time. Windows agree by messages,
 * which, unlike locks, pages without TLS have as well.
 */

/** Leaves three connections for everything else, also where checkout and dashboard are open. */
const MOST = 3;

/** Of a window with a stream. Those that had theirs earlier come first. */
interface Message {
  rank: number;
  isQuestion: boolean;
}

let channel: BroadcastChannel | null = null;

const hasMany = () => {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return /^h[23]/.test(entry?.nextHopProtocol ?? '');
};

/** This window has opened a stream. @param onFull others had theirs before: it has to be closed */
export function holdSlot(onFull: () => void): void {
  leaveSlot();
  // Browsers inside of older wallets know no channel; their windows are few.
  if (hasMany() || !('BroadcastChannel' in globalThis)) return;
  const rank = performance.timeOrigin + performance.now() + Math.random();
  const ahead = new Set<number>();
  const mine = new BroadcastChannel('gateway-streams');
  channel = mine;
  const say = (isQuestion: boolean) => mine.postMessage({ rank, isQuestion } satisfies Message);
  mine.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.rank < rank) ahead.add(data.rank);
    else if (data.isQuestion) say(false);
    if (ahead.size >= MOST) onFull();
  };
  say(true);
}

/** Browsers keep no page with an open channel for the way back. */
export function leaveSlot(): void {
  channel?.close();
  channel = null;
}
