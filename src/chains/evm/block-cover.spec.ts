import { findMisfit, hasLeftOut, readReceipts } from './block-cover.js';
import { bloomOf } from './evm-bloom.pure.js';
import { TRANSFER_TOPIC } from './evm-transfer-logs.pure.js';
import { type EvmHeader, toBytes } from './evm-wire.pure.js';
import { encodeReceipt } from './receipt-encoding.pure.js';
import { orderedTrieRoot } from './trie-root.pure.js';

type Json = Record<string, unknown>;

const TOKEN = `0x${'70'.repeat(20)}`;
const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
const word = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
const BLOCK = hash(0xb10c);
const bloomOfLogs = (logs: Json[]) =>
  bloomOf(
    logs.flatMap((log) => [log['address'], ...(log['topics'] as string[])].map((one) => toBytes(one, 'log'))),
  );
const text = (bytes: Buffer) => `0x${bytes.toString('hex')}`;

/** Receipts of a block with so many logs in each transaction, each of a payment to another address. */
function receiptsOf(...counts: number[]): Json[] {
  let place = 0;
  return counts.map((count, i) => {
    const logs = Array.from({ length: count }, () => ({
      address: TOKEN,
      topics: [TRANSFER_TOPIC, word(1), word(1_000 + place)],
      data: word(7),
      blockHash: BLOCK,
      transactionHash: hash(i),
      logIndex: `0x${(place++).toString(16)}`,
    }));
    return {
      transactionHash: hash(i),
      blockHash: BLOCK,
      type: '0x2',
      status: '0x1',
      cumulativeGasUsed: '0x5208',
      logsBloom: text(bloomOfLogs(logs)),
      logs,
    };
  });
}

const logs = (receipt: Json | undefined) => receipt?.['logs'] as Json[];
const withLogs = (list: Json[], at: number, change: (logs: Json[]) => Json[]) =>
  list.map((one, i) => (i === at ? { ...one, logs: change(logs(one)) } : one));
const headerOf = (list: Json[], transactions = list.length): EvmHeader => ({
  height: 1,
  hash: BLOCK,
  parentHash: hash(0),
  time: new Date(0),
  logsBloom: bloomOfLogs(list.flatMap(logs)),
  transactionHashes: Array.from({ length: transactions }, (_, i) => hash(i)),
});
const rootOf = (list: Json[]) => orderedTrieRoot(list.map(encodeReceipt));

const WHOLE = receiptsOf(2, 0, 3);
/** At which depths it is noticed. */
const CHANGES: [string, Json[], { filters: boolean; logs: boolean; root: boolean }][] = [
  ['nothing', WHOLE, { filters: false, logs: false, root: false }],
  [
    'the first log is left out',
    withLogs(WHOLE, 0, (all) => all.slice(1)),
    { filters: true, logs: true, root: true },
  ],
  [
    'the last log of a transaction',
    withLogs(WHOLE, 0, (all) => all.slice(0, -1)),
    { filters: true, logs: true, root: true },
  ],
  [
    'the last log of the block',
    withLogs(WHOLE, 2, (all) => all.slice(0, -1)),
    { filters: true, logs: true, root: true },
  ],
  [
    'all logs of the last transaction',
    withLogs(WHOLE, 2, () => []),
    { filters: true, logs: true, root: true },
  ],
  [
    'a recipient is another',
    withLogs(WHOLE, 0, ([one, ...more]) => [{ ...one, topics: [TRANSFER_TOPIC, word(1), word(9)] }, ...more]),
    { filters: false, logs: true, root: true },
  ],
  [
    'an amount is another',
    withLogs(WHOLE, 0, ([one, ...more]) => [{ ...one, data: word(8) }, ...more]),
    { filters: false, logs: false, root: true },
  ],
  [
    'a receipt has no filter',
    WHOLE.map((one) => ({ ...one, logsBloom: undefined })),
    { filters: true, logs: false, root: true },
  ],
  [
    'a receipt has a root for a status',
    WHOLE.map((one) => ({ ...one, status: undefined, root: hash(1) })),
    { filters: false, logs: false, root: true },
  ],
  [
    'a type is unknown',
    WHOLE.map((one) => ({ ...one, type: '0x7f' })),
    { filters: false, logs: false, root: true },
  ],
];

describe.each(CHANGES)('receipts in which %s', (_what, list, noticed) => {
  it.each(['filters', 'logs', 'root'] as const)('are compared with the header by %s', (depth) => {
    const shown = readReceipts(headerOf(WHOLE), list, new Set([TOKEN]));
    const why = findMisfit(headerOf(WHOLE), rootOf(WHOLE), shown, depth);
    expect(why !== null).toBe(noticed[depth]);
  });
});

describe('a bit of the header’s filter', () => {
  const of = (list: Json[], header = headerOf(WHOLE)) =>
    hasLeftOut(header, readReceipts(header, list, new Set([TOKEN])));
  it('that no log has is one that was left out, whatever the receipts’ own filters say', () => {
    expect(of(WHOLE.map((one) => ({ ...one, logs: [] })))).toBe(true);
    expect(of(WHOLE.map((one) => ({ ...one, logs: [], logsBloom: undefined })))).toBe(true);
  });
  it('is missing where there is no filter any longer', () => {
    expect(of(WHOLE)).toBe(false);
    expect(of(WHOLE, { ...headerOf(WHOLE), logsBloom: Buffer.alloc(256) })).toBe(false);
  });
});

describe('receipts', () => {
  const read = (list: unknown, transactions = 3, mayEndUncovered = false) =>
    readReceipts(headerOf(WHOLE, transactions), list, new Set([TOKEN]), mayEndUncovered);

  it('are counted with all their logs, and show the transfers of listed tokens', () => {
    expect(read(WHOLE)).toMatchObject({ logs: 5, gapless: 3 });
    expect(read(WHOLE).candidates).toHaveLength(5);
    expect(readReceipts(headerOf(WHOLE), WHOLE, new Set()).candidates).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['of fewer transactions', WHOLE.slice(0, 2)],
    ['of another order', WHOLE.toReversed()],
    ['of another block', WHOLE.map((one) => ({ ...one, blockHash: hash(5) }))],
    ['without block', WHOLE.map((one) => ({ ...one, blockHash: undefined }))],
    ['without list of logs', WHOLE.map((one) => ({ ...one, logs: null }))],
    [
      'with logs of another transaction',
      withLogs(WHOLE, 2, (all) => all.map((log) => ({ ...log, transactionHash: hash(0) }))),
    ],
  ])('that are %s cannot be read', (_what, list) => {
    expect(() => read(list)).toThrow(/the node sent/);
  });

  describe('with a state sync at the end', () => {
    const synced = receiptsOf(2, 0, 3, 1);
    const fits = (list: Json[], mayEndUncovered: boolean) => {
      const shown = read(list, 4, mayEndUncovered);
      return findMisfit(headerOf(WHOLE), rootOf(WHOLE), shown, 'root') === null;
    };

    it('that the header does not cover fit on Polygon, and show its transfers', () => {
      expect(fits(synced, true)).toBe(true);
      expect(read(synced, 4, true).candidates).toHaveLength(6);
    });
    it('of which no receipt is shown fit on Polygon', () => expect(fits(WHOLE, true)).toBe(true));
    it('fit nowhere else: a node could append whatever it likes', () => {
      expect(fits(synced, false)).toBe(false);
      expect(() => fits(WHOLE, false)).toThrow(/another block/);
    });
    it('may lack no more than one', () =>
      expect(() => fits(WHOLE.slice(0, 2), true)).toThrow(/another block/));
  });
});
