import { ChainInconsistencyError } from '../chain-adapter.pure.js';
import {
  malformed,
  toAddress,
  toCount,
  toFullBlock,
  toHash,
  toHeader,
  toList,
  toLog,
  toObject,
  toQuantity,
  toReceipt,
} from './evm-wire.pure.js';

const hash = (byte: string) => `0x${byte.repeat(32)}`;
const address = (byte: string) => `0x${byte.repeat(20)}`;
const BLOOM = 'c3'.repeat(256);
const LAST_SECOND = 8_640_000_000_000;
const hex = (value: number) => `0x${value.toString(16)}`;

const BLOCK = {
  number: '0x10',
  hash: hash('b1'),
  parentHash: hash('b0'),
  timestamp: '0x6553f100',
  logsBloom: `0x${BLOOM}`,
  transactions: [hash('a1'), hash('a2')],
};
const HEADER = {
  height: 16,
  hash: hash('b1'),
  parentHash: hash('b0'),
  time: new Date(1_700_000_000_000),
  logsBloom: Buffer.from(BLOOM, 'hex'),
};
const TRANSACTION = { hash: hash('a1'), from: address('01'), to: address('02'), value: '0xde0b6b3a7640000' };
const LOG = {
  address: address('70'),
  topics: [hash('dd'), hash('01')],
  data: '0x0aFF',
  blockHash: hash('b1'),
  transactionHash: hash('a1'),
  logIndex: '0x7',
};
const { transactionHash, blockHash } = LOG;
const RECEIPT = { transactionHash, blockHash, from: address('ab'), status: '0x1', logs: [LOG] };
const READ_LOG = { ...LOG, logIndex: 7 };

/** Values of another type than the text, list or object that is wanted. */
const NO_TEXT: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a number', 1],
  ['a bigint', 1n],
  ['a boolean', true],
  ['an object', {}],
];

function expectRefusal(read: () => unknown, field: string): void {
  expect(read).toThrow(ChainInconsistencyError);
  expect(read).toThrow(new Error(`the node sent a malformed ${field}`));
}

it('malformed names the field', () => {
  expect(malformed('log data')).toBeInstanceOf(ChainInconsistencyError);
  expect(malformed('log data').message).toBe('the node sent a malformed log data');
});

describe('toObject and toList', () => {
  it('return an object and a list as they are', () => {
    const [object, list] = [{ a: 1 }, [1, 'x', null]];
    expect(toObject(object, 'field')).toBe(object);
    expect(toList(list, 'field')).toBe(list);
    expect(toList([], 'field')).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a list', [{}]],
    ['a text', '{}'],
    ['a number', 1],
    ['a boolean', true],
  ])('toObject refuses %s', (_what, value) => expectRefusal(() => toObject(value, 'field'), 'field'));

  it.each<[string, unknown]>([...NO_TEXT, ['a text', '[]'], ['an object with a length', { length: 0 }]])(
    'toList refuses %s',
    (_what, value) => expectRefusal(() => toList(value, 'field'), 'field'),
  );
});

describe.each([
  { name: 'toHash', read: toHash, bytes: 32 },
  { name: 'toAddress', read: toAddress, bytes: 20 },
])('$name', ({ read, bytes }) => {
  const digits = 'aB'.repeat(bytes);

  it.each([
    ['lower case as it is', `0x${digits.toLowerCase()}`],
    ['mixed case in lower case', `0x${digits}`],
    ['upper case in lower case', `0X${digits.toUpperCase()}`],
  ])('returns %s', (_what, text) => {
    expect(read(text, 'field')).toBe(`0x${digits.toLowerCase()}`);
  });

  it.each<[string, unknown]>([
    ...NO_TEXT,
    ['a list of one', [`0x${digits}`]],
    ['an empty text', ''],
    ['the prefix alone', '0x'],
    ['no prefix', digits],
    ['a byte less', `0x${digits.slice(2)}`],
    ['a digit less', `0x${digits.slice(1)}`],
    ['a digit more', `0x${digits}0`],
    ['a byte more', `0x${digits}00`],
    ['a letter that is no digit', `0x${digits.slice(1)}g`],
    ['a space before it', ` 0x${digits}`],
    ['a line feed behind it', `0x${digits}\n`],
  ])('refuses %s', (_what, value) => expectRefusal(() => read(value, 'field'), 'field'));
});

describe('toQuantity and toCount', () => {
  const MAX = 2n ** 256n - 1n;

  it.each<[string, string, bigint]>([
    ['zero', '0x0', 0n],
    ['either case', '0xfF', 255n],
    ['leading zeros, which some nodes send', '0x0001', 1n],
    ['64 digits with leading zeros', `0x${'1'.padStart(64, '0')}`, 1n],
    ['more than a float holds exactly', '0x20000000000001', 2n ** 53n + 1n],
    ['the largest of 256 bits', `0x${MAX.toString(16)}`, MAX],
  ])('toQuantity reads %s', (_what, text, quantity) => {
    expect(toQuantity(text, 'field')).toBe(quantity);
  });

  it.each<[string, string, number]>([
    ['zero', '0x0', 0],
    ['leading zeros', '0x00ff', 255],
    ['the largest exact number', '0x1fffffffffffff', Number.MAX_SAFE_INTEGER],
  ])('toCount reads %s', (_what, text, count) => {
    expect(toCount(text, 'field')).toBe(count);
  });

  it.each<[string, unknown]>([
    ...NO_TEXT,
    ['a list of one', ['0x1']],
    ['an empty text', ''],
    ['the prefix alone', '0x'],
    ['a decimal number', '255'],
    ['digits without a prefix', 'ff'],
    ['an upper-case prefix', '0X1'],
    ['a negative number', '-0x1'],
    ['a sign behind the prefix', '0x-1'],
    ['a fraction', '0x1.8'],
    ['a letter that is no digit', '0xg'],
    ['a space before it', ' 0x1'],
    ['a line feed behind it', '0x1\n'],
    ['65 digits', `0x1${'0'.repeat(64)}`],
    ['65 digits with a leading zero', `0x${'0'.repeat(65)}`],
  ])('both refuse %s', (_what, value) => {
    expectRefusal(() => toQuantity(value, 'field'), 'field');
    expectRefusal(() => toCount(value, 'field'), 'field');
  });

  it.each([
    ['2^53', '0x20000000000000'],
    ['the largest of 256 bits', `0x${'f'.repeat(64)}`],
  ])('toCount refuses a number that a float does not hold exactly: %s', (_what, text) =>
    expectRefusal(() => toCount(text, 'field'), 'field'),
  );
});

describe('toHeader and toFullBlock', () => {
  const full = (changes: Record<string, unknown> = {}) => ({
    ...BLOCK,
    transactions: [{ ...TRANSACTION, ...changes }],
  });

  it('toHeader reads a block with hashes of transactions', () => {
    expect(toHeader(BLOCK)).toEqual({ ...HEADER, transactionHashes: BLOCK.transactions });
  });

  it('toFullBlock reads a block with full transactions', () => {
    expect(toFullBlock(full())).toEqual({
      header: { ...HEADER, transactionHashes: [hash('a1')] },
      transactions: [{ ...TRANSACTION, value: 10n ** 18n }],
    });
  });

  it('both read a block without transactions', () => {
    const empty = { ...BLOCK, transactions: [] };
    expect(toHeader(empty).transactionHashes).toEqual([]);
    expect(toFullBlock(empty)).toEqual({ header: { ...HEADER, transactionHashes: [] }, transactions: [] });
  });

  it.each([
    ['the first block', { number: '0x0', timestamp: '0x0' }, 0, 0],
    ['the last time that a Date holds', { timestamp: hex(LAST_SECOND) }, 16, LAST_SECOND * 1_000],
  ])('both read %s', (_what, changes, height, time) => {
    const block = { ...BLOCK, ...changes, transactions: [] };
    expect(toHeader(block)).toMatchObject({ height, time: new Date(time) });
    expect(toFullBlock(block).header).toMatchObject({ height, time: new Date(time) });
  });

  it.each<[string, unknown]>([
    ['null, as for a block that does not exist', null],
    ['nothing', undefined],
    ['a text', hash('b1')],
    ['a list', [BLOCK]],
  ])('both refuse %s', (_what, value) => {
    expectRefusal(() => toHeader(value), 'block');
    expectRefusal(() => toFullBlock(value), 'block');
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no number, as of a pending block', { number: null }, 'block number'],
    ['a number of another type', { number: 16 }, 'block number'],
    ['a number beyond 2^53', { number: '0x20000000000000' }, 'block number'],
    ['no hash, as of a pending block', { hash: null }, 'block hash'],
    ['a short hash', { hash: address('b1') }, 'block hash'],
    ['no parent hash', { parentHash: undefined }, 'parent hash'],
    ['a short parent hash', { parentHash: '0x00' }, 'parent hash'],
    ['no time', { timestamp: undefined }, 'block time'],
    ['a time of another type', { timestamp: 1_700_000_000 }, 'block time'],
    ['a time a second after the last of a Date', { timestamp: hex(LAST_SECOND + 1) }, 'block time'],
    ['no bloom', { logsBloom: null }, 'logs bloom'],
    ['an empty bloom', { logsBloom: '0x' }, 'logs bloom'],
    ['a bloom of 255 bytes', { logsBloom: `0x${BLOOM.slice(2)}` }, 'logs bloom'],
    ['a bloom of 257 bytes', { logsBloom: `0x${BLOOM}00` }, 'logs bloom'],
    ['a bloom with half a byte', { logsBloom: `0x${BLOOM}0` }, 'logs bloom'],
    ['a bloom with a letter that is no digit', { logsBloom: `0x${BLOOM.slice(1)}g` }, 'logs bloom'],
    ['a bloom without a prefix', { logsBloom: BLOOM }, 'logs bloom'],
    ['no transactions', { transactions: undefined }, 'transaction list'],
    ['transactions that are no list', { transactions: {} }, 'transaction list'],
  ])('both refuse %s', (_what, changes, field) => {
    expectRefusal(() => toHeader({ ...BLOCK, ...changes }), field);
    expectRefusal(() => toFullBlock({ ...full(), ...changes }), field);
  });

  it.each<[string, unknown]>([
    ['a full transaction instead of its hash', TRANSACTION],
    ['null instead of a hash', null],
    ['a short hash', '0xa1'],
  ])('toHeader refuses %s among the hashes', (_what, transaction) =>
    expectRefusal(() => toHeader({ ...BLOCK, transactions: [hash('a1'), transaction] }), 'transaction hash'),
  );

  it.each<[string, unknown]>([
    ['a hash instead of a transaction', hash('a1')],
    ['null instead of a transaction', null],
    ['a list instead of a transaction', [TRANSACTION]],
  ])('toFullBlock refuses %s', (_what, transaction) =>
    expectRefusal(() => toFullBlock({ ...BLOCK, transactions: [TRANSACTION, transaction] }), 'transaction'),
  );

  it.each<[string, unknown]>([
    ['null', null],
    ['left out', undefined],
  ])('toFullBlock reads a contract creation, with the recipient %s', (_what, to) => {
    expect(toFullBlock(full({ to })).transactions).toMatchObject([{ to: null }]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no hash', { hash: null }, 'transaction hash'],
    ['a short hash', { hash: '0xa1' }, 'transaction hash'],
    ['no sender', { from: undefined }, 'sender'],
    ['a sender of 32 bytes', { from: hash('01') }, 'sender'],
    ['an empty recipient', { to: '' }, 'recipient'],
    ['a recipient of no bytes', { to: '0x' }, 'recipient'],
    ['a recipient of 32 bytes', { to: hash('02') }, 'recipient'],
    ['a recipient of another type', { to: false }, 'recipient'],
    ['no value', { value: undefined }, 'value'],
    ['a value of another type', { value: 1 }, 'value'],
    ['a negative value', { value: '-0x1' }, 'value'],
    ['a value beyond 256 bits', { value: `0x1${'0'.repeat(64)}` }, 'value'],
  ])('toFullBlock refuses a transaction with %s', (_what, changes, field) =>
    expectRefusal(() => toFullBlock(full(changes)), field),
  );
});

describe('toLog', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['a log', {}, {}],
    ['a log that is marked as canonical', { removed: false }, {}],
    ['a log without topics and data', { topics: [], data: '0x' }, { topics: [], data: '0x' }],
    [
      'an address, topics and hashes in upper case',
      {
        address: `0x${'AB'.repeat(20)}`,
        topics: [`0x${'DD'.repeat(32)}`],
        blockHash: `0x${'B1'.repeat(32)}`,
        transactionHash: `0x${'A1'.repeat(32)}`,
      },
      { address: address('ab'), topics: [hash('dd')] },
    ],
  ])('reads %s', (_what, sent, read) => {
    expect(toLog({ ...LOG, ...sent })).toEqual({ ...READ_LOG, ...read });
  });

  it('refuses a log of a block that is no longer canonical', () => {
    const read = () => toLog({ ...LOG, removed: true });
    expect(read).toThrow(ChainInconsistencyError);
    expect(read).toThrow(new Error('the node sent a log of a block that is no longer canonical'));
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', [LOG]],
    ['a text', 'log'],
  ])('refuses %s', (_what, value) => expectRefusal(() => toLog(value), 'log'));

  it.each<[string, Record<string, unknown>, string]>([
    ['no address', { address: null }, 'log address'],
    ['an address of 32 bytes', { address: hash('70') }, 'log address'],
    ['no topics', { topics: undefined }, 'log topics'],
    ['topics that are no list', { topics: hash('dd') }, 'log topics'],
    ['a topic of 20 bytes', { topics: [hash('dd'), address('01')] }, 'log topic'],
    ['null among the topics', { topics: [null] }, 'log topic'],
    ['no data', { data: null }, 'log data'],
    ['empty data without a prefix', { data: '' }, 'log data'],
    ['data without a prefix', { data: '0aff' }, 'log data'],
    ['half a byte of data', { data: '0x123' }, 'log data'],
    ['data with a letter that is no digit', { data: '0x0g' }, 'log data'],
    ['a line feed behind the data', { data: '0x0a\n' }, 'log data'],
    ['no block hash, as of a pending log', { blockHash: null }, 'log block hash'],
    ['a short block hash', { blockHash: '0xb1' }, 'log block hash'],
    ['no transaction hash, as of a pending log', { transactionHash: null }, 'log transaction hash'],
    ['a short transaction hash', { transactionHash: '0xa1' }, 'log transaction hash'],
    ['no index, as of a pending log', { logIndex: null }, 'log index'],
    ['an index of another type', { logIndex: 7 }, 'log index'],
  ])('refuses a log with %s', (_what, changes, field) => {
    expectRefusal(() => toLog({ ...LOG, ...changes }), field);
    // A receipt is refused as a whole for one of its logs.
    expectRefusal(() => toReceipt({ ...RECEIPT, logs: [LOG, { ...LOG, ...changes }] }), field);
  });
});

describe('toReceipt', () => {
  it.each<[string, Record<string, unknown>, boolean, number]>([
    ['a success', {}, true, 1],
    ['a success with leading zeros', { status: '0x01', from: `0x${'aB'.repeat(20)}` }, true, 1],
    ['a failure', { status: '0x0' }, false, 1],
    ['a receipt without logs', { logs: [] }, true, 0],
  ])('reads %s', (_what, changes, succeeded, logs) => {
    expect(toReceipt({ ...RECEIPT, ...changes })).toEqual({
      transactionHash: hash('a1'),
      blockHash: hash('b1'),
      succeeded,
      from: address('ab'),
      logs: Array(logs).fill(READ_LOG),
    });
  });

  it.each<[string, unknown]>([
    ['null, as for a transaction that is not mined', null],
    ['a list', [RECEIPT]],
    ['a text', 'receipt'],
  ])('refuses %s', (_what, value) => expectRefusal(() => toReceipt(value), 'receipt'));

  it.each<[string, Record<string, unknown>, string]>([
    ['no status, as before Byzantium', { status: undefined }, 'receipt status'],
    ['a status of another type', { status: 1 }, 'receipt status'],
    ['a boolean status', { status: true }, 'receipt status'],
    ['a status of 2', { status: '0x2' }, 'receipt status'],
    ['no transaction hash', { transactionHash: null }, 'receipt transaction hash'],
    ['a short transaction hash', { transactionHash: '0xa1' }, 'receipt transaction hash'],
    ['no block hash, as of a pending transaction', { blockHash: null }, 'receipt block hash'],
    ['a short block hash', { blockHash: '0xb1' }, 'receipt block hash'],
    ['no sender', { from: undefined }, 'receipt sender'],
    ['a short sender', { from: '0x01' }, 'receipt sender'],
    ['no logs', { logs: null }, 'receipt logs'],
    ['logs that are no list', { logs: {} }, 'receipt logs'],
  ])('refuses a receipt with %s', (_what, changes, field) =>
    expectRefusal(() => toReceipt({ ...RECEIPT, ...changes }), field),
  );
});

describe('an empty list of transactions', () => {
  const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
  const empty = { ...BLOCK, transactions: [] };

  it.each<[string, object]>([
    ['whose root is the empty one', { transactionsRoot: EMPTY_ROOT, gasUsed: '0x0' }],
    ['of a node that sends neither root nor gas', {}],
  ])('%s is believed', (_what, header) => {
    expect(toHeader({ ...empty, ...header }).transactionHashes).toEqual([]);
    expect(toFullBlock({ ...empty, ...header }).transactions).toEqual([]);
  });

  it.each<[string, object]>([
    ['whose header has the root of some', { transactionsRoot: hash('77'), gasUsed: '0x0' }],
    ['whose header says that gas was used', { transactionsRoot: EMPTY_ROOT, gasUsed: '0x5208' }],
  ])('%s is refused', (_what, header) => {
    const refusal = 'the node left out the transactions of a block';
    expect(() => toHeader({ ...empty, ...header })).toThrow(new ChainInconsistencyError(refusal));
    expect(() => toFullBlock({ ...empty, ...header })).toThrow(new ChainInconsistencyError(refusal));
  });
});
