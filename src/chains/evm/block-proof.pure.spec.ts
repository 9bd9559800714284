import type { ObservedTransfer } from '../chain-adapter.pure.js';
import { checkProof, missingBytes, readShownBlock } from './block-proof.pure.js';
import { TRANSFER_TOPIC } from './evm-transfer-logs.pure.js';
import { encodeReceipt } from './receipt-encoding.pure.js';
import { encodeRlp, rlpNumber } from './rlp.pure.js';
import { hashOf } from './transaction-encoding.pure.js';
import { orderedTrieRoot } from './trie-root.pure.js';

type Json = Record<string, unknown>;

const US = `0x${'c0ffee'.padStart(40, '0')}`;
const TOKEN = `0x${'11'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;
const word = (value: bigint | string) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;

const number = (value: unknown) => rlpNumber(BigInt(String(value)));
const bytes = (value: unknown) => Buffer.from(String(value).slice(2), 'hex');

interface Part {
  transaction: Json;
  encoded: Buffer;
  receipt: Json;
}

/** A legacy transaction with its receipt. */
function part(nonce: number, fields: Json = {}, receipt: Json = {}): Part {
  const all = { to: US, value: '0x7', input: '0x', ...fields };
  const common = {
    type: '0x0',
    nonce: `0x${nonce.toString(16)}`,
    gasPrice: '0x1',
    gas: '0x5208',
    v: '0x1b',
    r: '0x1',
    s: '0x2',
  };
  const encoded = encodeRlp([
    ...[common.nonce, common.gasPrice, common.gas].map(number),
    bytes(all.to),
    number(all.value),
    bytes(all.input),
    ...[common.v, common.r, common.s].map(number),
  ]);
  return withReceipt({ ...common, ...all }, encoded, receipt);
}

/** A transaction of a type that is not known here. */
function unknown(nonce: number): Part {
  const encoded = Buffer.concat([Buffer.from([0x50]), encodeRlp([rlpNumber(nonce)])]);
  return withReceipt({ type: '0x50', to: US, value: '0x7' }, encoded, { type: '0x50' });
}

/** As Polygon's nodes append it: the fields of no signed transaction. */
function appended(): Part {
  return { ...part(99), transaction: { ...part(99).transaction, hash: word(99n) } };
}

function withReceipt(fields: Json, encoded: Buffer, changes: Json): Part {
  const hash = hashOf(encoded);
  const about = { transactionHash: hash, blockHash: HASH };
  const usual = {
    from: `0x${'22'.repeat(20)}`,
    ...about,
    status: '0x1',
    cumulativeGasUsed: '0x5208',
    logsBloom: `0x${'00'.repeat(256)}`,
    logs: [],
  };
  return { transaction: { ...fields, hash }, encoded, receipt: { ...usual, ...changes } };
}

function log(transactionHash: unknown, changes: Json = {}): Json {
  const topics = [TRANSFER_TOPIC, word(1n), word(US)];
  return {
    address: TOKEN,
    topics,
    data: word(8n),
    blockHash: HASH,
    transactionHash,
    logIndex: '0x0',
    ...changes,
  };
}

const OBSERVED = { height: 5, hash: HASH, parentHash: word(4n), time: new Date(1_000_000) };

/** @param covered how many of the parts the roots cover */
function shownBlock(parts: readonly Part[], covered = parts.length) {
  const inside = parts.slice(0, covered);
  const json = {
    number: '0x5',
    hash: HASH,
    parentHash: word(4n),
    timestamp: '0x3e8',
    logsBloom: `0x${'00'.repeat(256)}`,
    sha3Uncles: HASH,
    miner: US,
    stateRoot: HASH,
    difficulty: '0x0',
    gasLimit: '0x1',
    gasUsed: '0x1',
    extraData: '0x',
    mixHash: HASH,
    nonce: `0x${'00'.repeat(8)}`,
    transactionsRoot: orderedTrieRoot(inside.map(({ encoded }) => encoded)),
    receiptsRoot: orderedTrieRoot(inside.map(({ receipt }) => encodeReceipt(receipt))),
    transactions: parts.map((one) => one.transaction),
  };
  return readShownBlock(json, OBSERVED);
}

function transfer(of: Part, changes: Partial<ObservedTransfer> = {}): ObservedTransfer {
  const txHash = String(of.transaction['hash']);
  return { txHash, ordinal: 'value', asset: 'native', key: bytes(US), amount: 7n, ...changes };
}

const tokens = (of: Part, changes: Partial<ObservedTransfer> = {}) =>
  transfer(of, { asset: TOKEN, ordinal: 'log:0', amount: 8n, ...changes });

function check(
  parts: readonly Part[],
  transfers: readonly ObservedTransfer[],
  { covered = parts.length, shown = [] as Part[] } = {},
) {
  const known = new Map(shown.map((one) => [String(one.transaction['hash']), one.encoded]));
  return checkProof(
    shownBlock(parts, covered),
    parts.map(({ receipt }) => receipt),
    known,
    transfers,
  );
}

/** Pays in a token. */
const paid = part(1, { value: '0x0', to: TOKEN });
paid.receipt['logs'] = [
  log(paid.transaction['hash']),
  log(paid.transaction['hash'], { data: word(3n), logIndex: '0x1' }),
];
const failed = part(2, {}, { status: '0x0' });
const plain = part(3);

describe('checkProof', () => {
  it.each<[string, Part[], ObservedTransfer[]]>([
    ['a native payment', [plain], [transfer(plain)]],
    ['a token payment', [plain, paid], [tokens(paid)]],
    ['both', [plain, paid], [tokens(paid), transfer(plain), tokens(paid, { ordinal: 'log:1', amount: 3n })]],
    [
      'an internal payment, but for its amount',
      [plain],
      [transfer(plain, { ordinal: 'call:0.1', amount: 999n })],
    ],
  ])('proves %s', (_what, parts, transfers) => {
    expect(check(parts, transfers)).toBeNull();
  });

  it.each<[string, ObservedTransfer]>([
    ['another amount', transfer(plain, { amount: 8n })],
    ['another recipient', transfer(plain, { key: bytes(TOKEN) })],
    ['a failed transaction', transfer(failed)],
    ['an internal payment in a failed transaction', transfer(failed, { ordinal: 'call:0' })],
    ['the native coin for a token', transfer(paid)],
    ['another amount of a token', tokens(paid, { amount: 9n })],
    ['another recipient of a token', tokens(paid, { key: bytes(TOKEN) })],
    ['another token', tokens(paid, { asset: US })],
    ['another position', tokens(paid, { ordinal: 'log:1' })],
    ['a position that the receipt does not have', tokens(paid, { ordinal: 'log:2' })],
    ['a position that is none', tokens(paid, { ordinal: 'log:x' })],
    ['a log of another transaction', tokens(plain)],
    ['a transaction of another block', transfer(part(4))],
  ])('refuses %s', (_what, one) => {
    expect(() => check([plain, paid, failed], [one])).toThrow(/does not/);
  });

  it.each<[string, (receipts: Json[]) => Json[]]>([
    ['fewer receipts', (all) => all.slice(1)],
    ['more receipts', (all) => [...all, ...all]],
    ['receipts in another order', (all) => all.toReversed()],
    ['no receipts', () => []],
  ])('refuses %s', (_what, change) => {
    const receipts = change([plain, paid].map(({ receipt }) => receipt));
    expect(() => checkProof(shownBlock([plain, paid]), receipts, new Map(), [])).toThrow(
      'receipts are not those',
    );
  });

  it('refuses a receipt that names another transaction', () => {
    const renamed = { ...plain, receipt: { ...plain.receipt, transactionHash: HASH } };
    expect(() => check([renamed], [transfer(plain)])).toThrow('does not transfer');
  });

  it('proves what the header covers where a node appends a transaction, and not that', () => {
    const last = appended();
    expect(check([plain, last], [transfer(plain)], { covered: 1 })).toBeNull();
    expect(() => check([plain, last], [transfer(last)], { covered: 1 })).toThrow('does not cover');
    expect(() => check([plain, last, last], [transfer(plain)], { covered: 1 })).toThrow(
      'transactions are not those',
    );
  });

  it('needs the signed bytes of a transaction of an unknown type', () => {
    const other = unknown(1);
    const block = [other, plain, paid];
    expect(missingBytes(shownBlock(block))).toEqual([other.transaction['hash']]);
    expect(missingBytes(shownBlock([plain, paid]))).toEqual([]);
    expect(check(block, [tokens(paid), transfer(plain)], { shown: [other] })).toBeNull();
    expect(check(block, [transfer(plain)])).toContain('type 0x50');
    const wrong = { ...other, encoded: plain.encoded };
    expect(check(block, [transfer(plain)], { shown: [wrong] })).toContain('type 0x50');
    // Its bytes do not tell whom it pays.
    expect(check(block, [transfer(other)], { shown: [other] })).toContain('cannot be read');
  });

  it('does not refuse receipts beside a transaction of an unknown type, whose receipt may have another form', () => {
    const other = unknown(1);
    const forms = [other, plain].map(({ receipt }) => ({ ...receipt, type: '0x0' }));
    const bytesShown = new Map([[String(other.transaction['hash']), other.encoded]]);
    const reason = checkProof(shownBlock([other, plain]), forms, bytesShown, [transfer(plain)]);
    expect(reason).toContain('receipt cannot be read');
  });

  it('refuses fields that are not those of the signed bytes', () => {
    const forged = { ...plain, transaction: { ...plain.transaction, value: '0x46' } };
    expect(missingBytes(shownBlock([forged]))).toEqual([plain.transaction['hash']]);
    expect(() => check([forged], [transfer(plain, { amount: 70n })], { shown: [plain] })).toThrow(
      'does not transfer',
    );
    expect(() => check([forged], [transfer(plain, { amount: 70n })])).toThrow('transactions are not those');
  });
});

describe('readShownBlock', () => {
  it('refuses another block than the one that was observed', () => {
    const { json } = shownBlock([plain]);
    for (const change of [
      { hash: word(1n) },
      { number: '0x6' },
      { parentHash: HASH },
      { timestamp: '0x3e9' },
    ])
      expect(() => readShownBlock({ ...json, ...change }, OBSERVED)).toThrow('another header');
  });

  it('tells whether the hash is that of the header', () => {
    expect(shownBlock([plain]).isHashed).toBe(false);
  });
});
