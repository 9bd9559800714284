import { setTimeout as delay } from 'node:timers/promises';
import { FaucetError } from './dev-wallet.js';

const INTERVAL_MS = 250;

/** Polls until there is a result. @throws FaucetError with `what` if there is none within `timeoutMs` */
export async function poll<T>(what: string, timeoutMs: number, read: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await read();
    if (result !== null) return result;
    if (performance.now() > deadline) throw new FaucetError(`${what}: not within ${timeoutMs / 1_000} s`);
    await delay(INTERVAL_MS);
  }
}
