/** Something to be ended: servers and folders of a benchmark. */
type End = () => Promise<unknown>;

/** What was started, oldest first; the oldest is ended last. */
const started: End[] = [];

/** Has it ended when the benchmark is over, however that comes: at its end, by an error, or by Ctrl-C. */
export function atTheEnd(end: End): void {
  started.push(end);
}

export async function endAll(): Promise<void> {
  for (let end = started.pop(); end; end = started.pop()) {
    await end().catch((error: unknown) => console.error(error));
  }
}

/** A signal ends what was started, then this process. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void endAll().finally(() => process.exit(1)));
  }
}
