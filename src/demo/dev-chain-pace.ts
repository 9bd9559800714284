import type { DemoLogger } from './demo-logger.js';
import { callRpc } from './json-rpc.js';

/**
 * If anvil 1.7 mines by itself every 2 seconds or faster, it ignores --prune-history and keeps 1,500 whole states in
 * memory, each of which grows with the chain: 1.7 GB after 6,000 blocks (measured). From 3 seconds on it observes the
 * limit: 0.2 to 0.3 GB after 16,000 blocks.
 */
const SHORTEST_OWN_INTERVAL_SECONDS = 3;

/** The interval at which anvil mines by itself, for blocks that are to come every `stepSeconds`. */
export function ownInterval(stepSeconds: number): number {
  return Math.max(stepSeconds, SHORTEST_OWN_INTERVAL_SECONDS);
}

/** A running timer that mines. */
export interface ChainPace {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/**
 * Mines a block every `stepSeconds` if that is faster than anvil may mine by itself, and resets anvil's own timer each
 * time. If the gateway is killed, the chain continues, slightly slower.
 * @param everyStep further work to do after each step
 */
export function keepPace(
  rpcUrl: string,
  stepSeconds: number,
  everyStep: () => Promise<void>,
  logger?: DemoLogger,
): ChainPace {
  let running: Promise<void> | null = null;
  let down = false;
  const step = async () => {
    try {
      if (stepSeconds < ownInterval(stepSeconds)) await mineOnce(rpcUrl, ownInterval(stepSeconds));
      await everyStep();
      down = false;
    } catch (error) {
      if (!down) logger?.warn(`The development chain does not respond: ${String(error)}`);
      down = true;
    }
  };
  const timer = setInterval(() => {
    running ??= step().finally(() => (running = null));
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
