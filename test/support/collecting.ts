import { randomBytes } from 'node:crypto';
import { decodeEventLog, encodeFunctionData } from 'viem';
import { decodeResults, encodeCalls, MULTICALL3 } from '../../src/chains/evm/multicall.pure.js';
import { type Collection, deployFactoryCall, type UnsignedCall } from '../../src/wallets/collection.pure.js';
import { Collector, Deposit } from '../../src/wallets/treasury/collector-contract.pure.js';
import {
  COLLECTOR_FACTORY,
  depositAddressOf,
  depositSaltOf,
  readTreasury,
  type Treasury,
} from '../../src/wallets/treasury/treasury-address.pure.js';
import type { Deployed, Hex, TestChain } from './anvil.js';
import { Actor, OddToken } from './contracts/collecting/artifacts.js';

/** As OddToken.sol counts them. */
export const HABITS = {
  quiet: 0,
  reverts: 1,
  saysNo: 2,
  longAnswer: 3,
  greedy: 4,
  calls: 5,
  noBalance: 6,
  shortBalance: 7,
  takesFee: 8,
};

export const COLLECTOR: Deployed<typeof Collector.abi> = {
  address: COLLECTOR_FACTORY as Hex,
  abi: Collector.abi,
};

export const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;
export const addressOf = (treasury: Treasury, index: number): Hex =>
  depositAddressOf(treasury, index).address as Hex;
export const saltOf = (treasury: Treasury, index: number): Hex =>
  hexOf(depositSaltOf(treasury.namespace, index));

/** A treasury that nobody has paid yet. */
export function newTreasury(address: string = hexOf(randomBytes(20))): Treasury {
  return readTreasury({ treasury: address, namespace: randomBytes(16).toString('hex') });
}

/** Deploys the contract that collects, as whoever needs it on a new chain does. */
export async function deployFactory(chain: TestChain): Promise<void> {
  const { to, data } = deployFactoryCall();
  await chain.send({ to: to as Hex, data: data as Hex });
  await chain.mine();
}

/** Mines one transaction. */
export async function run(
  chain: TestChain,
  call: UnsignedCall,
  options: { from?: Hex; gas?: bigint } = {},
): Promise<Outcome> {
  const hash = await chain.send({ to: call.to as Hex, data: call.data as Hex, gas: 15_000_000n, ...options });
  await chain.mine();
  return outcomeOf(chain, hash);
}

export interface Outcome {
  ok: boolean;
  gas: number;
  left: { deposit: string; token: string; amount: bigint }[];
}

export async function outcomeOf(chain: TestChain, hash: Hex): Promise<Outcome> {
  const receipt = await chain.receipt(hash);
  if (!receipt) throw new Error('the transaction was not mined');
  const { gasUsed } = receipt as unknown as { gasUsed: Hex };
  const left = receipt.logs.flatMap(({ address, topics, data }) => {
    try {
      const { args } = decodeEventLog({ abi: Deposit.abi, data, topics: topics as [Hex, ...Hex[]] });
      return [{ deposit: address, token: args.token.toLowerCase(), amount: args.amount }];
    } catch (error) {
      // A Transfer of a token.
      if (error instanceof Error && error.name === 'AbiEventSignatureNotFoundError') return [];
      throw error;
    }
  });
  return { ok: receipt.status === '0x1', gas: Number(gasUsed), left };
}

/** Several calls of one contract in one transaction of it, the last with a coin. */
export function actCall(actor: Hex, calls: { to: string; data: string }[], lastValue = 0n): UnsignedCall {
  const values = calls.map((_, i) => (i === calls.length - 1 ? lastValue : 0n));
  const args = [calls.map(({ to }) => to as Hex), values, calls.map(({ data }) => data as Hex)] as const;
  return { to: actor, data: encodeFunctionData({ abi: Actor.abi, functionName: 'act', args }), value: '0x0' };
}

/** What a call of the contract that collects is, with any arguments. */
export function collectCall(treasury: string, salts: Hex[], tokens: Hex[]): UnsignedCall {
  const args = [treasury as Hex, salts, tokens] as const;
  const data = encodeFunctionData({ abi: Collector.abi, functionName: 'collect', args });
  return { to: COLLECTOR_FACTORY, data, value: '0x0' };
}

/** One answer for each call, in a few requests. */
export async function askMany(chain: TestChain, calls: { to: string; data: string }[]): Promise<bigint[]> {
  const answers: bigint[] = [];
  for (let at = 0; at < calls.length; at += 1_000) {
    const some = calls.slice(at, at + 1_000);
    const answer = await chain.rpc('eth_call', [{ to: MULTICALL3, data: encodeCalls(some) }, 'latest']);
    answers.push(...decodeResults(answer, some.length).map((value) => BigInt(value ?? '-1')));
  }
  return answers;
}

export const balanceCall = (token: Hex, who: Hex): { to: string; data: string } => ({
  to: token,
  data: encodeFunctionData({ abi: OddToken.abi, functionName: 'balanceOf', args: [who] }),
});

/** All collections, one transaction each. */
export async function collectAll(chain: TestChain, collections: readonly Collection[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { call } of collections) outcomes.push(await run(chain, call));
  return outcomes;
}
