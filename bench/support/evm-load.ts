import { randomBytes } from 'node:crypto';
import type { Hex, TestChain } from '../../test/support/anvil.js';

/**
 * A token that logs the transfers in its call data, in few instructions, so that a chain is filled fast. Its call data is words of
 * 32 bytes, each one transfer: 20 bytes recipient, 12 bytes amount. It keeps no balances. Assembled by hand:
 * position = 0; while position < calldatasize: word = calldataload(position);
 * emit Transfer(caller, word >> 96, word & (2^96 - 1)); position += 32.
 */
const LOUD_TOKEN =
  '60005b80361115604e578035806bffffffffffffffffffffffff1660005260601c33' +
  '7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60206000a36020016002565b00';
/** Copies the code behind itself and returns it. */
const CREATION = `0x60${size(LOUD_TOKEN)}600c60003960${size(LOUD_TOKEN)}6000f3${LOUD_TOKEN}`;

/** A payment in a block: native coin, or the token. */
export interface Payout {
  to: Hex;
  amount: bigint;
  isToken: boolean;
}

/** How much happens in each block beside the payouts. */
export interface Noise {
  nativeTransfers: number;
  tokenCalls: number;
  transfersPerCall: number;
}

/** @returns the contract, in lower case */
export async function deployLoudToken(chain: TestChain): Promise<Hex> {
  const hash = await chain.rpc<Hex>('eth_sendTransaction', [
    { from: chain.account(0), data: CREATION, gas: '0x100000' },
  ]);
  await chain.mine();
  const receipt = await chain.receipt(hash);
  if (!receipt?.contractAddress) throw new Error('the token was not deployed');
  return receipt.contractAddress;
}

/** Mines one block for each entry of `payouts`: those, and the noise. */
export async function fillChain(
  chain: TestChain,
  token: Hex,
  payouts: readonly (readonly Payout[])[],
  noise: Noise,
): Promise<void> {
  for (const paid of payouts) await mineBlock(chain, token, paid, noise);
}

/** One block with these payouts and the noise. */
export async function mineBlock(
  chain: TestChain,
  token: Hex,
  paid: readonly Payout[],
  noise: Noise,
): Promise<void> {
  const native = [
    ...Array.from({ length: noise.nativeTransfers }, () => ({ to: address(), amount: 1n })),
    ...paid.filter(({ isToken }) => !isToken),
  ];
  const calls = Array.from({ length: noise.tokenCalls }, () =>
    Array.from({ length: noise.transfersPerCall }, () => word(address(), 1n)),
  );
  const extra = paid.filter(({ isToken }) => isToken).map(({ to, amount }) => word(to, amount));
  if (extra.length > 0) calls.push(extra);
  const transactions = [
    ...native.map(({ to, amount }) => ({ to, value: `0x${amount.toString(16)}`, gas: '0x5208' })),
    ...calls.map((words) => ({
      to: token,
      data: `0x${words.join('')}`,
      gas: `0x${(100_000 + words.length * 3_500).toString(16)}`,
    })),
  ];
  await sendAll(
    chain.url,
    transactions.map((transaction, i) => ({ from: chain.account(i % 10), ...transaction })),
  );
  await chain.mine();
}

async function sendAll(url: string, transactions: readonly object[]): Promise<void> {
  if (transactions.length === 0) return;
  const body = transactions.map((transaction, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_sendTransaction',
    params: [transaction],
  }));
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const replies = (await answer.json()) as { error?: { message: string } }[];
  const refused = replies.find(({ error }) => error);
  if (refused) throw new Error(`anvil: ${refused.error?.message ?? ''}`);
}

/** A random address that is not watched. */
function address(): Hex {
  return `0x${randomBytes(20).toString('hex')}`;
}

function word(to: Hex, amount: bigint): string {
  return to.slice(2) + amount.toString(16).padStart(24, '0');
}

function size(code: string): string {
  return (code.length / 2).toString(16).padStart(2, '0');
}
