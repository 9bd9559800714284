import { keccak_256 } from '@noble/hashes/sha3.js';
import { amountOf, codeOf, countOf, evmOf, listOf, objectOf, parse, PlanError, textOf } from './plan.pure.js';

export const SIGNED_FORM = 'signed-transactions-1';

/** A transaction as it is sent, and what it does in words. Whoever has it can send it, and can change nothing. */
export interface SignedTransaction {
  kind: 'fee' | 'token' | 'coin';
  from: string;
  to: string;
  nonce: number;
  amount: string;
  currencyCode: string;
  decimals: number;
  hash: string;
  raw: string;
}

export interface SignedFile {
  form: typeof SIGNED_FORM;
  blockchain: string;
  chainId: number;
  destination: string;
  isContract: boolean;
  transactions: SignedTransaction[];
}

/** 300 addresses, each with coin for its fees and up to 50 tokens and coin. */
const MOST = 20_000;
const KINDS = ['fee', 'token', 'coin'] as const;

/** @throws PlanError */
export function readSignedFile(text: string): SignedFile {
  const file = objectOf(parse(text), 'file');
  if (file['form'] !== SIGNED_FORM)
    throw new PlanError(`form: must be ${SIGNED_FORM}: give what collect-sign wrote`);
  return {
    form: SIGNED_FORM,
    blockchain: textOf(file['blockchain'], 'blockchain', /^[a-z0-9-]{1,64}$/),
    chainId: countOf(file['chainId'], 'chainId', 1, Number.MAX_SAFE_INTEGER),
    destination: evmOf(file['destination'], 'destination'),
    isContract: file['isContract'] === true,
    transactions: listOf(file['transactions'], 'transactions', MOST).map(transactionAt),
  };
}

function transactionAt(value: unknown, i: number): SignedTransaction {
  const at = `transactions[${i}]`;
  const one = objectOf(value, at);
  const kind = KINDS.find((known) => known === one['kind']);
  if (!kind) throw new PlanError(`${at}.kind: must be one of ${KINDS.join(', ')}`);
  const raw = textOf(one['raw'], `${at}.raw`, /^0x([0-9a-f]{2}){60,500}$/);
  const hash = `0x${Buffer.from(keccak_256(Buffer.from(raw.slice(2), 'hex'))).toString('hex')}`;
  if (one['hash'] !== hash) throw new PlanError(`${at}.hash: is not that of raw: the file is damaged`);
  return {
    kind,
    from: evmOf(one['from'], `${at}.from`),
    to: evmOf(one['to'], `${at}.to`),
    nonce: countOf(one['nonce'], `${at}.nonce`, 0, Number.MAX_SAFE_INTEGER),
    amount: String(amountOf(one['amount'], `${at}.amount`)),
    currencyCode: codeOf(one['currencyCode'], `${at}.currencyCode`),
    decimals: countOf(one['decimals'], `${at}.decimals`, 0, 77),
    hash,
    raw,
  };
}
