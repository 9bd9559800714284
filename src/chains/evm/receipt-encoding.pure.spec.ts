import { encodeReceipt } from './receipt-encoding.pure.js';
import { orderedTrieRoot } from './trie-root.pure.js';

const NO_LOGS = `0x${'00'.repeat(256)}`;
const LEGACY = { status: '0x1', cumulativeGasUsed: '0x5208', logsBloom: NO_LOGS, logs: [] };
const LOG = { address: `0x${'11'.repeat(20)}`, topics: [`0x${'22'.repeat(32)}`], data: '0x33' };

describe('encodeReceipt', () => {
  it('encodes the deposit with which a block of the OP Stack begins', () => {
    // Block 0x112 of an OP Stack chain, whose only transaction is the deposit.
    const receipt = {
      type: '0x7e',
      status: '0x1',
      cumulativeGasUsed: '0xb76d',
      logsBloom: NO_LOGS,
      logs: [],
      depositNonce: '0x111',
      depositReceiptVersion: '0x1',
    };
    expect(orderedTrieRoot([encodeReceipt(receipt)])).toBe(
      '0x8c303881b3e408cc739f55ef3e5133075d552cbec9ee987aff6b71f58cf291ee',
    );
  });

  it('leaves out the nonce of a deposit before Canyon, as its root does', () => {
    const deposit = { ...LEGACY, type: '0x7e', depositNonce: '0x1' };
    expect(encodeReceipt(deposit).subarray(1)).toEqual(encodeReceipt(LEGACY));
    expect(encodeReceipt(deposit)[0]).toBe(0x7e);
  });

  it.each<[string, Record<string, unknown>]>([
    ['the status', { status: '0x0' }],
    ['the gas', { cumulativeGasUsed: '0x5209' }],
    ['the bloom', { logsBloom: `0x01${NO_LOGS.slice(4)}` }],
    ['the type', { type: '0x2' }],
    ['a log twice', { logs: [LOG, LOG] }],
    ["a log's contract", { logs: [{ ...LOG, address: `0x${'12'.repeat(20)}` }] }],
    ["a log's topics", { logs: [{ ...LOG, topics: [] }] }],
    ["a log's data", { logs: [{ ...LOG, data: '0x34' }] }],
  ])('covers %s', (_what, changes) => {
    const all = [LEGACY, { ...LEGACY, logs: [LOG] }, { ...LEGACY, ...changes }];
    expect(new Set(all.map((one) => encodeReceipt(one).toString('hex'))).size).toBe(3);
  });

  it.each<[string, Record<string, unknown>]>([
    ['status', { status: undefined }],
    ['gas', { cumulativeGasUsed: 5 }],
    ['bloom', { logsBloom: '0xzz' }],
    ['logs', { logs: null }],
    ['topic', { logs: [{ ...LOG, topics: ['x'] }] }],
    ['nonce', { type: '0x7e', depositReceiptVersion: '0x1' }],
  ])('refuses a malformed %s', (name, changes) => {
    expect(() => encodeReceipt({ ...LEGACY, ...changes })).toThrow(name);
  });
});
