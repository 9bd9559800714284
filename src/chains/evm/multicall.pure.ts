import { malformed, toData } from './evm-wire.pure.js';

/**
 * Multicall3 makes several calls in one, at the same address on almost every EVM chain (https://www.multicall3.com): its
 * deployment was signed once for all chains, so elsewhere the address is empty.
 */
export const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11';

/** Function selectors of aggregate3((address,bool,bytes)[]) and getEthBalance(address). */
const AGGREGATE3 = '82ad56cb';
const GET_ETH_BALANCE = '4d2301cc';
/** Hex digits of one word of the ABI encoding. */
const WORD = 64;

/** A call of a contract; `data` is hex with 0x. */
export interface ContractCall {
  to: string;
  data: string;
}

/** The balance in the native coin, as a call. @param word the address in 32 bytes of hex, without 0x */
export function nativeBalanceCall(word: string): ContractCall {
  return { to: MULTICALL3, data: `0x${GET_ETH_BALANCE}${word}` };
}

/** The data of one call of {@link MULTICALL3} that makes all of these. Each of them may fail alone. */
export function encodeCalls(calls: readonly ContractCall[]): string {
  const parts = calls.map(({ to, data }) => {
    const bytes = data.slice(2);
    const padded = bytes.padEnd(Math.ceil(bytes.length / WORD) * WORD, '0');
    return `${to.slice(2).padStart(WORD, '0')}${word(1)}${word(0x60)}${word(bytes.length / 2)}${padded}`;
  });
  let offset = calls.length * 32;
  const offsets = parts.map((part) => {
    const own = word(offset);
    offset += part.length / 2;
    return own;
  });
  return `0x${AGGREGATE3}${word(0x20)}${word(calls.length)}${offsets.join('')}${parts.join('')}`;
}

/**
 * What each call returned, as hex with 0x; null for one that failed.
 * @throws ChainInconsistencyError
 */
export function decodeResults(value: unknown, count: number): (string | null)[] {
  const words = new Words(toData(value, 'result of several calls').slice(2));
  const list = words.number(0);
  if (words.number(list) !== count) throw malformed('result of several calls');
  const first = list + 32;
  return Array.from({ length: count }, (_, i) => {
    const at = first + words.number(first + i * 32);
    const succeeded = words.number(at) === 1;
    const bytes = at + words.number(at + 32);
    const returned = words.slice(bytes + 32, words.number(bytes));
    return succeeded ? `0x${returned}` : null;
  });
}

/** Reads hex digits by positions in bytes. */
class Words {
  constructor(private readonly digits: string) {}

  /** A word that counts or points within the text. */
  number(at: number): number {
    const value = BigInt(`0x${this.slice(at, 32)}`);
    if (value > BigInt(this.digits.length)) throw malformed('result of several calls');
    return Number(value);
  }

  slice(at: number, length: number): string {
    const end = (at + length) * 2;
    if (end > this.digits.length) throw malformed('result of several calls');
    return this.digits.slice(at * 2, end);
  }
}

function word(value: number): string {
  return value.toString(16).padStart(WORD, '0');
}
