import { createHash } from 'node:crypto';
import { LazyJsonArray } from '../lazy-json-array.js';
import { readTransferLog, TRANSFER_TOPIC } from './evm-transfer-logs.pure.js';
import { toLog } from './evm-wire.pure.js';
import { LazyLogParser } from './lazy-log-parser.js';

type Json = Record<string, unknown>;

const TOKEN = `0x${'70'.repeat(20)}`;
const hashOf = (seed: string) => `0x${createHash('sha256').update(seed).digest('hex')}`;
const topicOf = (seed: string) => `0x${'0'.repeat(24)}${hashOf(seed).slice(-40)}`;
const amount = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

function logOf(i: number, change: Json = {}): Json {
  return {
    address: TOKEN,
    topics: [TRANSFER_TOPIC, topicOf(`from ${i}`), topicOf(`to ${i}`)],
    data: amount(BigInt(i + 1)),
    blockHash: hashOf(`block ${i >> 3}`),
    blockNumber: '0x10',
    transactionHash: hashOf(`transaction ${i >> 1}`),
    transactionIndex: '0x0',
    logIndex: `0x${i.toString(16)}`,
    removed: false,
    ...change,
  };
}

/** Each log as read by LazyLogParser and by the JSON parser. */
function readBoth(logs: readonly Json[], text = JSON.stringify({ id: 1, result: logs })) {
  const list = LazyJsonArray.cut(text)?.list;
  if (!list) throw new Error('no list');
  const skimmer = new LazyLogParser(list);
  const skimmed: unknown[] = [];
  list.each((start, end) => {
    const log = skimmer.read(start, end);
    if (!log) return skimmed.push('not read');
    expect(log.blockHash).toBe(toLog(list.parse(start, end)).blockHash);
    if (log.movesNothing) return skimmed.push(null);
    const candidate = skimmer.candidate(log.asset, log.txHash, log.recipient, start, end);
    const { key, asset, txHash, locator, keyBytes } = candidate;
    expect(keyBytes?.length).toBe(key.length);
    for (const offset of [0, 8, 12, 16]) expect(keyBytes?.readInt32LE(offset)).toBe(key.readInt32LE(offset));
    skimmed.push({ key, asset, amount: candidate.amount, txHash, locator });
  });
  return { skimmed, parsed: logs.map((log) => readTransferLog(toLog(log), new Set([TOKEN]))) };
}

const many = Array.from({ length: 100 }, (_, i) => logOf(i));

it('LazyLogParser reads the same as the JSON parser', () => {
  const { skimmed, parsed } = readBoth(many);
  expect(parsed).not.toContain(null);
  expect(skimmed).toEqual(parsed);
});

it('LazyLogParser reads logs whose fields are in different orders', () => {
  const shuffled = many.map((log, i) => {
    const entries = Object.entries(log);
    return Object.fromEntries([...entries.slice(i % 9), ...entries.slice(0, i % 9)]);
  });
  const { skimmed, parsed } = readBoth(shuffled);
  expect(skimmed).toEqual(parsed);
});

it.each([
  ['an amount of zero', { data: amount(0n) }],
  ['a transfer to oneself', { topics: [TRANSFER_TOPIC, topicOf('same'), topicOf('same')] }],
])('LazyLogParser sees no credit in %s, like the JSON parser', (_, change) => {
  const { skimmed, parsed } = readBoth([logOf(0), logOf(1, change), logOf(2)]);
  expect([skimmed[1], parsed[1]]).toEqual([null, null]);
  expect(skimmed).toEqual(parsed);
});

it.each<[string, Json]>([
  ['that was taken back', { removed: true }],
  ['that does not say whether it was taken back', { removed: undefined }],
  ['with a number for that', { removed: 0 }],
  ['with two topics', { topics: [TRANSFER_TOPIC, topicOf('from')] }],
  ['with four topics', { topics: [TRANSFER_TOPIC, topicOf('from'), topicOf('to'), topicOf('id')] }],
  ['with a sender that is no address', { topics: [TRANSFER_TOPIC, hashOf('from'), topicOf('to')] }],
  ['with a recipient that is no address', { topics: [TRANSFER_TOPIC, topicOf('from'), hashOf('to')] }],
  ['of another event', { topics: [hashOf('Approval'), topicOf('from'), topicOf('to')] }],
  ['with a topic too short', { topics: [TRANSFER_TOPIC, topicOf('from').slice(0, -2), topicOf('to')] }],
  ['with no data', { data: '0x' }],
  ['with two words of data', { data: `${amount(1n)}${amount(2n).slice(2)}` }],
  ['with data that does not begin as hex', { data: `1x${'0'.repeat(64)}` }],
  ['without its transaction', { transactionHash: undefined }],
  ['without its block', { blockHash: undefined }],
  ['without its contract', { address: undefined }],
  ['without topics', { topics: undefined }],
])('LazyLogParser leaves a log %s to the JSON parser and reads the next one', (_, change) => {
  const list = LazyJsonArray.cut(
    JSON.stringify({ id: 1, result: [logOf(0), logOf(1, change), logOf(2)] }),
  )?.list;
  if (!list) throw new Error('no list');
  const skimmer = new LazyLogParser(list);
  const read: boolean[] = [];
  list.each((start, end) => read.push(skimmer.read(start, end) !== null));
  expect(read).toEqual([true, false, true]);
});

it('LazyLogParser leaves logs with spaces to the JSON parser', () => {
  const text = `{"id":1,"result":[${many.map((log) => JSON.stringify(log).replaceAll(':"', ': "')).join()}]}`;
  expect(readBoth(many, text).skimmed).toEqual(many.map(() => 'not read'));
});
