import type { DemoLogger } from './demo-logger.js';
import { callRpc } from './json-rpc.js';

/**
 * anvil 1.7 keeps 1,500 whole states in memory as soon as it mines by itself every 2 seconds or faster,
 * whatever --prune-history says, and each state grows with the chain: 1.7 GB after 6,000 blocks (measured).
 * From 3 seconds on it keeps to the limit it was given: 0.2 to 0.3 GB after 16,000 blocks.
 */
const SHORTEST_OWN_INTERVAL_SECONDS = 3;

/** The interval at which anvil mines by itself, for blocks that come every `stepSeconds`. */
export function ownInterval(stepSeconds: number): number {
  return Math.max(stepSeconds, SHORTEST_OWN_INTERVAL_SECONDS);
}

/** A running heartbeat. */
export interface ChainPace {
  /** Returns when the beat under way is over. */
  stop(): Promise<void>;
}

/**
 * Mines a block every `stepSeconds` where that is faster than anvil may do it, and winds up anvil's own
 * timer again each time. So the chain goes on, slightly slower, when the gateway is killed.
 * @param everyBeat further work to do regularly while the chain runs
 */
export function keepPace(
  rpcUrl: string,
  stepSeconds: number,
  everyBeat: () => Promise<void>,
  logger?: DemoLogger,
): ChainPace {
  let running: Promise<void> | null = null;
  let down = false;
  const beat = async () => {
    try {
      if (stepSeconds < ownInterval(stepSeconds)) await mineOnce(rpcUrl, ownInterval(stepSeconds));
      await everyBeat();
      down = false;
    } catch (error) {
      if (!down) logger?.warn(`The development chain does not answer: ${String(error)}`);
      down = true;
    }
  };
  const timer = setInterval(() => {
    running ??= beat().finally(() => (running = null));
  }, stepSeconds * 1_000);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

async function mineOnce(rpcUrl: string, interval: number): Promise<void> {
  // The interval was changed by hand: leave mining to the user.
  if ((await callRpc(rpcUrl, 'anvil_getIntervalMining')) !== interval) return;
  await callRpc(rpcUrl, 'evm_mine');
  await callRpc(rpcUrl, 'evm_setIntervalMining', [interval]);
}
