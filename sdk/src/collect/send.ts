#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { readOptions, UsageError } from './command-line.pure.js';
import { ChainNode, NodeRefusal, NodeSilence } from './node.js';
import { PlanError } from './plan.pure.js';
import { type Result, sendAll } from './sending.js';
import { readSignedFile, type SignedFile } from './signed-file.pure.js';
import { amountText } from './words.pure.js';

const USAGE = `Usage: collect-send --transactions <file> --node <URL> [--wait <minutes>]

Sends what collect-sign has signed to a node of the chain: first coin for fees, then each address when that has arrived.
It needs no key. Run it again whenever it was interrupted: what is in a block is not sent again, and nothing can be paid
twice.

  --wait <minutes>  for a transaction to be in a block; default: 30

Exits with 0 when everything is done, 1 when something is not, 2 when something is wrong, 3 when it still waits.
`;

class Refusal extends Error {}

function isHttpUrl(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

async function run(words: readonly string[]): Promise<number> {
  if (words.includes('--help')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const { given } = readOptions(words, ['transactions', 'node', 'wait'], []);
  const { transactions, node: url, wait = '30' } = given;
  if (transactions === undefined || url === undefined)
    throw new UsageError('--transactions and --node are needed.');
  if (!isHttpUrl(url)) throw new UsageError('--node must be an http or https address.');
  if (!/^[1-9]\d{0,4}$/.test(wait)) throw new UsageError('--wait must be a whole number of minutes.');
  const file = readSignedFile(readFileSync(transactions, 'utf8'));
  const node = new ChainNode(url);
  await check(file, node);
  const results = await sendAll(file, node, Number(wait) * 60);
  process.stdout.write(reportOf(results));
  if (results.some(({ outcome }) => outcome === 'waiting')) return 3;
  return results.every(({ outcome }) => outcome === 'done') ? 0 : 1;
}

/** Before anything is sent. */
async function check(file: SignedFile, node: ChainNode): Promise<void> {
  const chainId = await node.chainId();
  if (chainId !== BigInt(file.chainId))
    throw new Refusal(`The node is of chain ${chainId}; these transactions are for chain ${file.chainId}.`);
  const hasCoin = file.transactions.some(({ kind }) => kind === 'coin');
  if (hasCoin && !file.isContract && (await node.hasCode(file.destination)))
    throw new Refusal(
      `${file.destination} is a contract, which may refuse coin with so little gas: sign with --contract.`,
    );
}

/** What is not done is named with its reason; the rest is counted. */
function reportOf(results: readonly Result[]): string {
  const WORDS = {
    done: 'done',
    failed: 'FAILED in a block: the token refused it, or the destination did',
    replaced: 'not needed',
    unsent: 'NOT SENT',
    waiting: 'WAITS for a block: run this again',
  };
  const lines = results.flatMap(({ transaction, outcome, why }) => {
    const { kind, from, amount, currencyCode, decimals, hash } = transaction;
    const what = `${amountText(BigInt(amount), decimals, currencyCode)}${kind === 'fee' ? ` for fees of ${transaction.to}` : ''}`;
    // What the node says is shown without what could move a cursor.
    const reason = why === '' ? '' : `: ${why.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, 300)}`;
    return outcome === 'done' ? [] : [`${from} ${what}: ${WORDS[outcome]}${reason} (${hash})`];
  });
  const done = results.filter(({ outcome }) => outcome === 'done').length;
  return [...lines, `${done} of ${results.length} transactions are done.`, ''].join('\n');
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${USAGE}`);
  else if (
    [PlanError, Refusal, NodeRefusal, NodeSilence].some((kind) => error instanceof kind) ||
    (error instanceof Error && 'syscall' in error)
  )
    process.stderr.write(`${(error as Error).message}\n`);
  else throw error;
  process.exitCode = 2;
}
