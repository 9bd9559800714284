import { EvmPool } from '../../src/chains/evm/evm-pool.js';
import { JsonRpc } from '../../src/chains/json-rpc.js';
import type { Hex, TestChain } from './anvil.js';
import { evmChain } from './evm-chain.js';
import type { LimitCounts, LimitedProvider, Limits } from './provider-limits.js';
import { TestClock } from './test-clock.js';

/** Blocks read at once, as the watcher does in catch-up. */
const RANGE = 64;
/** Steps without a new block, after which a chain counts as stopped. */
const MOST_FAILURES = 40;
/** Seconds between steps, by the test's clock. */
const STEP_SECONDS = 4;

/** A chain with known payments. */
export interface PaidChain {
  node: TestChain;
  token: Hex;
  keys: readonly Hex[];
  /** `height asset key amount`, sorted. */
  payments: readonly string[];
  height: number;
}

/** Outcome of reading a chain through a limited provider. */
export interface TrialResult {
  steps: number;
  failures: number;
  /** Blocks that were read, of all blocks. */
  read: number;
  blocks: number;
  /** Credits that no payment caused, and payments without a credit. */
  wrong: string[];
  counts: LimitCounts;
  /** The last failure. */
  error: string | null;
}

/** Pays in `blocks` blocks; the last one pays more addresses than any provider's batch has. */
export async function payChain(node: TestChain, blocks: number, crowd = 24): Promise<PaidChain> {
  const { address: token } = await node.deployToken();
  const keys = Array.from(
    { length: crowd },
    (_, i): Hex => `0x${(0xa000 + i).toString(16).padStart(40, '0')}`,
  );
  const payments: string[] = [];
  const pay = async (height: number, key: Hex, amount: bigint) => {
    if (amount % 2n === 0n) {
      await node.sendEth({ to: key, value: amount });
      payments.push(`${height} native ${key} ${amount}`);
    } else {
      await node.sendToken({ token, to: key, value: amount });
      payments.push(`${height} ${token.toLowerCase()} ${key} ${amount}`);
    }
  };
  let [height, amount] = [await node.blockNumber(), 1n];
  for (let i = 0; i < blocks; i++) {
    height++;
    const isLast = i === blocks - 1;
    for (const key of isLast ? keys : keys.slice(i % crowd, (i % crowd) + 2))
      await pay(height, key, amount++);
    await node.mine();
  }
  return { node, token, keys, payments: payments.toSorted(), height };
}

/** Reads the chain above a height through a provider with limits, as a watcher with one endpoint does. */
export async function tryProvider(
  chain: PaidChain,
  provider: LimitedProvider,
  limits: Limits,
  above = 0,
): Promise<TrialResult> {
  provider.limit(limits);
  const clock = new TestClock();
  const rpc = new JsonRpc(provider.url, { clock, deadlineMs: 20_000 });
  const pool = new EvmPool(evmChain([chain.token], chain.node.chainId), [rpc], clock);
  const credits: string[] = [];
  const wanted = new Set(chain.keys.map((key) => key.toLowerCase()));
  let [cursor, steps, failures, idle] = [above, 0, 0, 0];
  let error: string | null = null;
  while (cursor < chain.height && idle < MOST_FAILURES) {
    steps++;
    clock.advanceSeconds(STEP_SECONDS);
    try {
      await pool.probe();
      const blocks = await pool.blocks(cursor + 1, Math.min(RANGE, chain.height - cursor));
      const found: string[] = [];
      for (const block of blocks) {
        const ours = block.candidates.filter(({ key }) => wanted.has(`0x${key.toString('hex')}`));
        for (const { asset, key, amount } of ours.length > 0 ? await pool.verify(block, ours) : [])
          found.push(`${block.height} ${asset} 0x${key.toString('hex')} ${amount}`);
      }
      credits.push(...found);
      cursor += blocks.length;
      idle = blocks.length > 0 ? 0 : idle + 1;
    } catch (failure) {
      failures++;
      idle++;
      error = failure instanceof Error ? failure.message : String(failure);
    }
  }
  await rpc.close();
  return {
    steps,
    failures,
    read: cursor,
    blocks: chain.height,
    wrong: difference(
      credits,
      chain.payments.filter((payment) => Number(payment.split(' ')[0]) > above),
    ),
    counts: provider.counts,
    error,
  };
}

/** Entries of one list that the other lacks, in either direction; an entry that comes twice counts twice. */
function difference(credits: readonly string[], payments: readonly string[]): string[] {
  const left = [...payments];
  const extra = credits.filter((credit) => {
    const at = left.indexOf(credit);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [
    ...extra.map((credit) => `not paid: ${credit}`),
    ...left.map((payment) => `not credited: ${payment}`),
  ];
}
