import { setTimeout as delay } from 'node:timers/promises';
import { type ChainNode, NodeRefusal } from './node.js';
import type { SignedFile, SignedTransaction } from './signed-file.pure.js';

/**
 * `done` and `failed` are in a block; `replaced`: another transaction of the address with this number is; `unsent`: the
 * node did not take it, or the one before; `waiting`: it was sent, and is in no block yet.
 */
export type Outcome = 'done' | 'failed' | 'replaced' | 'unsent' | 'waiting';
export interface Result {
  transaction: SignedTransaction;
  outcome: Outcome;
  /** What the node said. */
  why: string;
}

/** What nodes keep of one account at least while it waits (geth, txpool.accountslots). */
const AT_ONCE = 16;
const ADDRESSES_AT_ONCE = 8;
/** Milliseconds between two questions whether it is in a block. */
const PAUSE = 1_000;
/** A node may forget what waits: it is told again. */
const QUESTIONS_BEFORE_AGAIN = 30;
/** geth, Erigon, Nethermind, Besu. */
const IS_KNOWN = /already known|known transaction|already ?exists|already imported/i;

/**
 * Sends what has been signed, and nothing else, so that it can be run again at any time: the chain takes each number of
 * an address once. Coin for fees comes first, and each address when it is there.
 */
export async function sendAll(file: SignedFile, node: ChainNode, patience: number): Promise<Result[]> {
  const payers = new Set(file.transactions.filter(({ kind }) => kind === 'fee').map(({ from }) => from));
  const groups = new Map<string, SignedTransaction[]>();
  for (const one of file.transactions) groups.set(one.from, [...(groups.get(one.from) ?? []), one]);
  const results: Result[] = [];
  const work = async (queue: SignedTransaction[][]) => {
    for (let group = queue.shift(); group; group = queue.shift())
      results.push(...(await sendInOrder(group, node, patience)));
  };
  await work([...groups].flatMap(([from, group]) => (payers.has(from) ? [group] : [])));
  const queue = [...groups].flatMap(([from, group]) => (payers.has(from) ? [] : [group]));
  await Promise.all(Array.from({ length: ADDRESSES_AT_ONCE }, () => work(queue)));
  return results;
}

/** Of one address. What follows one that the node does not take would wait for it, and is not sent. */
async function sendInOrder(group: SignedTransaction[], node: ChainNode, patience: number): Promise<Result[]> {
  const results: Result[] = [];
  const ordered = group.toSorted((a, b) => a.nonce - b.nonce);
  for (let start = 0; start < ordered.length; start += AT_ONCE) {
    const sent: Result[] = [];
    for (const transaction of ordered.slice(start, start + AT_ONCE)) {
      const stop = [...results, ...sent].find(({ outcome }) => outcome === 'unsent' || outcome === 'waiting');
      if (stop && stop.outcome === 'unsent')
        sent.push({ transaction, outcome: 'unsent', why: 'the one before it was not sent' });
      else sent.push(await sendOne(transaction, node));
    }
    results.push(...(await waitFor(sent, node, patience)));
  }
  return results;
}

async function sendOne(transaction: SignedTransaction, node: ChainNode): Promise<Result> {
  const found = await find(transaction, node);
  if (found.outcome !== 'unsent') return found;
  try {
    await node.send(transaction.raw);
    return { transaction, outcome: 'waiting', why: '' };
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error;
    if (IS_KNOWN.test(error.message)) return { transaction, outcome: 'waiting', why: '' };
    // Mined meanwhile.
    const now = await find(transaction, node);
    return now.outcome === 'unsent' ? { transaction, outcome: 'unsent', why: error.message } : now;
  }
}

/** What the chain says. */
async function find(transaction: SignedTransaction, node: ChainNode): Promise<Result> {
  const { hash, from, nonce } = transaction;
  // In this order: what is mined between the questions is asked for once more.
  const isPast = (await node.count(from)) > BigInt(nonce);
  const receipt = await node.receipt(hash);
  if (receipt) return { transaction, outcome: receipt.hasSucceeded ? 'done' : 'failed', why: '' };
  return isPast
    ? { transaction, outcome: 'replaced', why: `another transaction ${nonce} of this address was sent` }
    : { transaction, outcome: 'unsent', why: '' };
}

async function waitFor(results: readonly Result[], node: ChainNode, patience: number): Promise<Result[]> {
  let all = [...results];
  for (let question = 1; all.some(({ outcome }) => outcome === 'waiting'); question++) {
    all = await Promise.all(
      all.map(async (result): Promise<Result> => {
        if (result.outcome !== 'waiting') return result;
        const now = await find(result.transaction, node);
        if (now.outcome !== 'unsent') return now;
        return question % QUESTIONS_BEFORE_AGAIN === 0 ? sendOne(result.transaction, node) : result;
      }),
    );
    if (question >= patience) break;
    if (all.some(({ outcome }) => outcome === 'waiting')) await delay(PAUSE);
  }
  return all;
}
