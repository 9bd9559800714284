import { parseEvmAddress, toChecksumAddress } from '../../../src/chains/evm/evm-address.pure.js';
import type { GasFees } from '../../../src/chains/account-reader.pure.js';

/** A token to send, from one address. */
export interface PlannedToken {
  contract: string;
  currencyCode: string;
  decimals: number;
  amount: bigint;
  gasLimit: bigint;
}

export interface PlannedAddress {
  address: string;
  index: number;
  nonce: bigint;
  balance: bigint;
  tokens: PlannedToken[];
}

/** A plan of `POST …/collections`, as it is signed. */
export interface Plan {
  blockchain: string;
  chainId: bigint;
  currencyCode: string;
  accountPath: string;
  fees: GasFees;
  dataFee: bigint;
  transferGas: bigint;
  funding: { address: string; nonce: bigint; balance: bigint };
  addresses: PlannedAddress[];
}

/** The message begins with the field. */
export class PlanError extends Error {}

const FORM = 'signing-plan-1';
const MOST_ADDRESSES = 300;
const MOST_TOKENS = 50;
const LAST_INDEX = 2 ** 31 - 1;
/** More than any block takes. */
const MOST_GAS = 100_000_000n;
const WORD = 2n ** 256n;

/** Every field is checked: the plan came over a network, and what it says is signed. @throws PlanError */
export function readPlan(text: string): Plan {
  const plan = objectOf(parse(text), 'plan');
  if (plan['form'] !== FORM)
    throw new PlanError(`form: must be ${FORM}: give one of the plans of a collection`);
  const fees = objectOf(plan['fees'], 'fees');
  const gasPrice = amountOf(fees['gasPrice'], 'fees.gasPrice');
  const funding = objectOf(plan['funding'], 'funding');
  if (funding['path'] !== '1/0') throw new PlanError('funding.path: must be 1/0');
  const addresses = listOf(plan['addresses'], 'addresses', MOST_ADDRESSES).map(addressAt);
  const repeated = addresses.find(
    ({ index }, i) => addresses.findIndex((other) => other.index === index) < i,
  );
  if (repeated) throw new PlanError(`addresses: index ${repeated.index} is there twice`);
  if (addresses.length === 0) throw new PlanError('addresses: there are none');
  return {
    blockchain: textOf(plan['blockchain'], 'blockchain', /^[a-z0-9-]{1,64}$/),
    chainId: BigInt(countOf(plan['chainId'], 'chainId', 1, Number.MAX_SAFE_INTEGER)),
    currencyCode: codeOf(plan['currencyCode'], 'currencyCode'),
    accountPath: textOf(plan['accountPath'], 'accountPath', /^m(\/\d{1,10}'?){0,10}$/),
    fees: {
      gasPrice,
      market:
        fees['baseFee'] === null || fees['priorityFee'] === null
          ? null
          : {
              baseFee: amountOf(fees['baseFee'], 'fees.baseFee'),
              priorityFee: amountOf(fees['priorityFee'], 'fees.priorityFee'),
            },
    },
    dataFee: amountOf(fees['dataFee'], 'fees.dataFee'),
    transferGas: gasOf(plan['transferGas'], 'transferGas'),
    funding: {
      address: evmOf(funding['address'], 'funding.address'),
      nonce: nonceOf(funding['nonce'], 'funding.nonce'),
      balance: amountOf(funding['balance'], 'funding.balance'),
    },
    addresses,
  };
}

function addressAt(value: unknown, i: number): PlannedAddress {
  const at = `addresses[${i}]`;
  const one = objectOf(value, at);
  const index = countOf(one['index'], `${at}.index`, 0, LAST_INDEX);
  if (one['path'] !== `0/${index}`) throw new PlanError(`${at}.path: must be 0/${index}`);
  const tokens = listOf(one['tokens'], `${at}.tokens`, MOST_TOKENS).map((token, j): PlannedToken => {
    const place = `${at}.tokens[${j}]`;
    const fields = objectOf(token, place);
    return {
      contract: evmOf(fields['contract'], `${place}.contract`),
      currencyCode: codeOf(fields['currencyCode'], `${place}.currencyCode`),
      decimals: countOf(fields['decimals'], `${place}.decimals`, 0, 77),
      amount: amountOf(fields['amount'], `${place}.amount`),
      gasLimit: gasOf(fields['gasLimit'], `${place}.gasLimit`),
    };
  });
  if (new Set(tokens.map(({ contract }) => contract)).size < tokens.length)
    throw new PlanError(`${at}.tokens: a token is there twice`);
  return {
    address: evmOf(one['address'], `${at}.address`),
    index,
    nonce: nonceOf(one['nonce'], `${at}.nonce`),
    balance: amountOf(one['balance'], `${at}.balance`),
    tokens,
  };
}

/** @throws PlanError */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new PlanError('The file is no JSON.');
  }
}

export function objectOf(value: unknown, field: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PlanError(`${field}: must be an object`);
  return value as Record<string, unknown>;
}

export function listOf(value: unknown, field: string, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > most)
    throw new PlanError(`${field}: must be a list of at most ${most}`);
  return value as unknown[];
}

export function textOf(value: unknown, field: string, form: RegExp): string {
  if (typeof value !== 'string' || !form.test(value))
    throw new PlanError(`${field}: must have the form ${form.source}`);
  return value;
}

/** Letters that a terminal shows as they are. */
export const codeOf = (value: unknown, field: string) => textOf(value, field, /^[A-Za-z0-9._-]{1,32}$/);

/** Digits in a string, or a whole number that a double holds exactly. */
export function amountOf(value: unknown, field: string): bigint {
  const amount = typeof value === 'string' && /^(0|[1-9]\d{0,77})$/.test(value) ? BigInt(value) : null;
  if (amount === null || amount >= WORD) throw new PlanError(`${field}: must be a string of digits`);
  return amount;
}

export function countOf(value: unknown, field: string, least: number, most: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most)
    throw new PlanError(`${field}: must be a whole number from ${least} to ${most}`);
  return value;
}

const gasOf = (value: unknown, field: string) => BigInt(countOf(value, field, 21_000, Number(MOST_GAS)));
const nonceOf = (value: unknown, field: string) =>
  BigInt(countOf(value, field, 0, Number.MAX_SAFE_INTEGER - 1_000));

/** With its checksum. */
export function evmOf(value: unknown, field: string): string {
  const key = typeof value === 'string' ? parseEvmAddress(value) : null;
  if (!key) throw new PlanError(`${field}: must be an address with a right checksum`);
  return toChecksumAddress(key);
}
