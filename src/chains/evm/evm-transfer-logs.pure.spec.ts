import { findOrdinal, readTransferLog, TRANSFER_TOPIC } from './evm-transfer-logs.pure.js';
import type { EvmLog } from './evm-wire.pure.js';

const TOKEN = `0x${'70'.repeat(20)}`;
const US = '03'.repeat(20);
const topic = (address: string) => `0x${'0'.repeat(24)}${address}`;
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
const tokens = new Set([TOKEN]);

function log(changes: Partial<EvmLog> = {}): EvmLog {
  return {
    address: TOKEN,
    topics: [TRANSFER_TOPIC, topic('01'.repeat(20)), topic(US)],
    data: word(5n),
    blockHash: `0x${'b0'.repeat(32)}`,
    transactionHash: `0x${'a1'.repeat(32)}`,
    logIndex: 7,
    ...changes,
  };
}

describe('readTransferLog', () => {
  it('credits a Transfer of a listed token', () => {
    expect(readTransferLog(log(), tokens)).toEqual({
      key: Buffer.from(US, 'hex'),
      asset: TOKEN,
      amount: 5n,
      txHash: log().transactionHash,
      locator: { kind: 'log', log: log() },
    });
  });

  it('credits the largest uint256', () => {
    expect(readTransferLog(log({ data: word(2n ** 256n - 1n) }), tokens)?.amount).toBe(2n ** 256n - 1n);
  });

  it.each<[string, Partial<EvmLog>]>([
    ['another contract', { address: `0x${'71'.repeat(20)}` }],
    ['another event', { topics: [`0x${'dd'.repeat(32)}`, topic('01'.repeat(20)), topic(US)] }],
    ['no topics', { topics: [] }],
    ['one topic', { topics: [TRANSFER_TOPIC], data: `${word(1n)}${topic(US).slice(2)}${word(5n).slice(2)}` }],
    [
      'two topics',
      { topics: [TRANSFER_TOPIC, topic('01'.repeat(20))], data: `${topic(US)}${word(5n).slice(2)}` },
    ],
    ['four topics (ERC-721)', { topics: [...log().topics, word(5n)], data: '0x' }],
    ['four topics with data', { topics: [...log().topics, word(5n)] }],
    [
      'a recipient with dirt above its 20 bytes',
      { topics: [TRANSFER_TOPIC, topic('01'.repeat(20)), `0x${'1'.repeat(24)}${US}`] },
    ],
    [
      'a sender with dirt above its 20 bytes',
      { topics: [TRANSFER_TOPIC, `0x${'1'.repeat(24)}${US}`, topic(US)] },
    ],
    ['no data', { data: '0x' }],
    ['31 bytes of data', { data: `0x${'05'.repeat(31)}` }],
    ['33 bytes of data', { data: `0x${'05'.repeat(33)}` }],
    ['two words of data', { data: `${word(5n)}${word(5n).slice(2)}` }],
    ['a value of zero', { data: word(0n) }],
    ['a transfer to oneself', { topics: [TRANSFER_TOPIC, topic(US), topic(US)] }],
  ])('credits nothing for %s', (_what, changes) => {
    expect(readTransferLog(log(changes), tokens)).toBeNull();
  });
});

describe('findOrdinal', () => {
  const other = (logIndex: number) => log({ logIndex, address: `0x${'99'.repeat(20)}` });

  it('returns the position in the receipt, whatever the position in the block', () => {
    expect(findOrdinal(log({ logIndex: 7 }), [other(6), log({ logIndex: 7 }), other(8)])).toBe('log:1');
    expect(findOrdinal(log({ logIndex: 90 }), [other(89), log({ logIndex: 90 })])).toBe('log:1');
  });

  it('distinguishes equal logs of one transaction', () => {
    const logs = [log({ logIndex: 3 }), log({ logIndex: 4 })];
    expect(logs.map((one) => findOrdinal(one, logs))).toEqual(['log:0', 'log:1']);
  });

  it.each<[string, EvmLog[]]>([
    ['an empty receipt', []],
    ['a receipt without it', [other(6), other(8)]],
    ['another amount in the receipt', [log({ data: word(6n) })]],
    ['another contract in the receipt', [other(7)]],
    ['other topics in the receipt', [log({ topics: log().topics.slice(0, 2) })]],
    ['another block in the receipt', [log({ blockHash: `0x${'b1'.repeat(32)}` })]],
    ['a receipt out of order', [log({ logIndex: 7 }), other(6)]],
  ])('returns null for %s', (_what, receiptLogs) => {
    expect(findOrdinal(log(), receiptLogs)).toBeNull();
  });
});
