import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Coin, FEE, type ScriptOutput, startUtxoNode, type UtxoNode } from '../support/litecoind.js';
import { newScriptKey } from '../support/utxo-chain.js';
import { Tally } from './occurrences.js';
import { amountOf, type Payee, payeeOf } from './payees.js';
import { type Part, random, type Step } from './program.js';

/** No fork goes further below the highest block than this; the gateway keeps 288. */
const WITHIN = 230;
/** Worth more than everything that one transaction pays. */
const COIN = 20_000_000n;
const SPLITS = 12;
const COINS_OF_A_SPLIT = 25;

/** A transaction of ours that may still be spent otherwise. */
interface Sent {
  hash: string;
  coin: Coin;
  fee: bigint;
  change: Coin;
}

export async function startUtxoActor(): Promise<UtxoActor> {
  const node = await startUtxoNode();
  // Many coins, so that it does not matter that evicted transactions hold some forever.
  for (let i = 0; i < SPLITS; i++) {
    const outputs: ScriptOutput[] = [];
    for (let j = 0; j < COINS_OF_A_SPLIT; j++)
      outputs.push({ key: await node.newScript(), amount: 150_000_000n });
    await node.pay(outputs);
  }
  await node.mine();
  return new UtxoActor(node);
}

/** Does to a UTXO chain what a program says. */
export class UtxoActor {
  /** Of this program, in the order they were made; whether one waits, the mempool knows. */
  private sent: Sent[] = [];
  private highest = 0;
  readonly tally = new Tally();

  constructor(readonly node: UtxoNode) {}

  /** Blocks that nothing of the last program can be taken back through. */
  async startOver(blocks: number): Promise<void> {
    await this.generate(blocks);
    this.sent = [];
    this.highest = await this.node.height();
  }

  /** One block above every height that was ever there, so that no tip looks like a node that lags. */
  async rise(blocks: number): Promise<void> {
    await this.generate(Math.max(0, this.highest - (await this.node.height())) + blocks);
  }

  /** The same, and what waits goes on waiting. */
  async riseEmpty(): Promise<void> {
    const due = this.highest + 1 - (await this.node.height());
    for (let i = 0; i < due; i++) await this.generateBlock([]);
  }

  /** @returns false when there was nothing to do it to */
  async act(step: Step, payees: readonly Payee[]): Promise<boolean> {
    const outputs = step.parts.map((part) => outputOf(part, payees));
    switch (step.kind) {
      case 'utxo.pay':
      case 'utxo.many':
        await this.pay(await this.node.coin(COIN), outputs, FEE);
        return true;
      case 'utxo.chain': {
        const parent = await this.oneThatWaits(step.pick);
        if (parent) await this.pay(parent.change, outputs, FEE);
        return parent !== null;
      }
      case 'utxo.bump': {
        const replaced = await this.oneThatWaits(step.pick);
        if (replaced) await this.pay(replaced.coin, outputs, replaced.fee + 40_000n);
        return replaced !== null;
      }
      case 'utxo.double-spend': {
        const robbed = await this.oneThatWaits(step.pick);
        if (robbed) await this.generateBlock([await this.node.sign([robbed.coin], outputs, FEE * 2n)]);
        return robbed !== null;
      }
      case 'utxo.mine':
        await this.generate(step.depth);
        return true;
      case 'utxo.mine-empty':
        await this.generateBlock([]);
        return true;
      case 'utxo.reorg':
        return this.reorg(step);
      case 'utxo.reorg-double-spend':
        return this.robInReorg(step, outputs);
      case 'utxo.rollback': {
        const depth = await this.allowed(step.depth);
        if (depth < 1) return false;
        await this.node.rollback(depth);
        return true;
      }
      case 'utxo.pause':
        this.node.freeze();
        await delay(50 + (step.pick % 300));
        this.node.thaw();
        return true;
      default:
        throw new Error(`${step.kind} is not of this chain`);
    }
  }

  private async pay(coin: Coin, outputs: ScriptOutput[], fee: bigint): Promise<void> {
    const hash = await this.node.broadcast(await this.node.sign([coin], outputs, fee));
    const spent = outputs.reduce((sum, { amount }) => sum + amount, 0n);
    // The change comes last.
    const change = { txid: hash, vout: outputs.length, amount: coin.amount - spent - fee };
    this.sent.push({ hash, coin, fee, change });
  }

  private async oneThatWaits(pick: number): Promise<Sent | null> {
    const mempool = new Set(await this.node.rpc<string[]>('getrawmempool'));
    const waiting = this.sent.filter(({ hash }) => mempool.has(hash));
    return waiting[pick % Math.max(1, waiting.length)] ?? null;
  }

  private async reorg({ depth: wanted, pick: seed }: Step): Promise<boolean> {
    const depth = await this.allowed(wanted);
    if (depth < 1) return false;
    const pick = random(seed);
    const mined = await this.minedWithin(depth);
    await this.node.rollback(depth);
    const kept = await this.someOfTheMempool(pick);
    await this.generateBlock(kept);
    const waiting = new Set(await this.node.rpc<string[]>('getrawmempool'));
    const count = (hashes: string[]) => mined.filter((hash) => hashes.includes(hash)).length;
    this.tally.add('Bitcoin transactions that a reorg mined again', count(kept));
    this.tally.add('Bitcoin transactions that a reorg made wait again', count([...waiting]));
    // A node keeps no transactions of blocks that it leaves more than ten deep at once.
    const forgotten = mined.filter((hash) => !kept.includes(hash) && !waiting.has(hash));
    this.tally.add('Bitcoin transactions that the node forgot', forgotten.length);
    for (let i = 1; i < depth; i++) await this.generateBlock([]);
    return true;
  }

  /** Transactions of the last blocks, without those that pay the miner. */
  private async minedWithin(depth: number): Promise<string[]> {
    const height = await this.node.height();
    const blocks = await Promise.all(
      Array.from({ length: depth }, async (_, i) => {
        return this.node.rpc<{ tx: string[] }>('getblock', [await this.node.hashAt(height - i), 1]);
      }),
    );
    return blocks.flatMap(({ tx }) => tx.slice(1));
  }

  /** Transactions of which every parent comes before them, or is in a block. */
  private async someOfTheMempool(pick: (below: number) => number): Promise<string[]> {
    type Entry = { depends: string[]; ancestorcount: number };
    const mempool = await this.node.rpc<Record<string, Entry>>('getrawmempool', [true]);
    const kept = new Set<string>();
    const inOrder = Object.entries(mempool).sort(([, a], [, b]) => a.ancestorcount - b.ancestorcount);
    for (const [hash, { depends }] of inOrder)
      if (pick(2) === 0 && depends.every((parent) => kept.has(parent))) kept.add(hash);
    return [...kept];
  }

  private async robInReorg(step: Step, outputs: ScriptOutput[]): Promise<boolean> {
    const depth = await this.allowed(step.depth);
    // Of the newest: those are above the fork, as a rule.
    const robbed = this.sent.at(-1 - (step.pick % Math.min(6, this.sent.length)));
    if (depth < 1 || !robbed) return false;
    await this.node.rollback(depth);
    try {
      await this.generateBlock([await this.node.sign([robbed.coin], outputs, FEE * 3n)]);
    } finally {
      // Where the coin is spent below the fork, the branch is an empty one.
      for (let i = 0; i < depth; i++) await this.generateBlock([]);
    }
    return true;
  }

  private async allowed(depth: number): Promise<number> {
    return Math.min(depth, (await this.node.height()) - (this.highest - WITHIN));
  }

  /** Blocks with what waits; paid to strangers, so that the node's wallet stays small. */
  private async generate(blocks: number): Promise<void> {
    if (blocks > 0) await this.node.rpc('generatetodescriptor', [blocks, stranger()]);
    this.highest = Math.max(this.highest, await this.node.height());
  }

  private async generateBlock(transactions: string[]): Promise<void> {
    await this.node.rpc('generateblock', [stranger(), transactions]);
    this.highest = Math.max(this.highest, await this.node.height());
  }
}

/** New each time: a branch of the same second must not be the block that was just taken away. */
function stranger(): string {
  return `raw(0014${randomBytes(20).toString('hex')})`;
}

function outputOf(part: Part, payees: readonly Payee[]): ScriptOutput {
  const payee = payeeOf(part, payees);
  return { key: payee?.script ?? newScriptKey(), amount: amountOf(part, payee, 'BTC') };
}
