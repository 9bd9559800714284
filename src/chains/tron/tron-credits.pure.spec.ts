import { TRANSFER_TOPIC } from '../evm/evm-transfer-logs.pure.js';
import type { EvmLog } from '../evm/evm-wire.pure.js';
import { creditsOf, ordinalOf } from './tron-credits.pure.js';
import type { TronInfo, TronTransaction, TrxMove } from './tron-wire.pure.js';

const TX = 'ab'.repeat(32);
const TOKEN = `0x${'70'.repeat(20)}`;
const [SENDER, RECIPIENT] = [Buffer.alloc(20, 1), Buffer.alloc(20, 2)];
const topic = (key: Buffer) => `0x${'0'.repeat(24)}${key.toString('hex')}`;

const move = (changes: Partial<TrxMove> = {}): TrxMove => ({
  from: SENDER,
  to: RECIPIENT,
  amount: 5n,
  ...changes,
});
const log = (changes: Partial<EvmLog> = {}): EvmLog => ({
  address: TOKEN,
  topics: [TRANSFER_TOPIC, topic(SENDER), topic(RECIPIENT)],
  data: `0x${'7'.padStart(64, '0')}`,
  blockHash: 'b0'.repeat(32),
  transactionHash: TX,
  logIndex: 0,
  ...changes,
});

interface Given {
  transfer?: TronTransaction['transfer'];
  internal?: TronInfo['internal'];
  logs?: EvmLog[];
}

function read({ transfer = null, internal = [], logs = [] }: Given) {
  const info: TronInfo = { txHash: TX, height: 9, time: new Date(0), succeeded: true, logs, internal };
  return creditsOf({ txHash: TX, succeeded: true, transfer }, info, new Set([TOKEN]));
}

describe('creditsOf', () => {
  it('credits the recipient of a TRX transfer with the native asset', () => {
    expect(read({ transfer: move() })).toEqual([
      { key: RECIPIENT, asset: 'native', amount: 5n, txHash: TX, locator: { ordinal: 'value' } },
    ]);
  });

  it('credits the recipient of an internal TRX transfer with the native asset', () => {
    expect(read({ internal: [move({ amount: 6n })] })).toEqual([
      { key: RECIPIENT, asset: 'native', amount: 6n, txHash: TX, locator: { ordinal: 'call:0' } },
    ]);
  });

  it('credits the recipient of a token transfer with the token', () => {
    expect(read({ logs: [log()] })).toEqual([
      { key: RECIPIENT, asset: TOKEN, amount: 7n, txHash: TX, locator: { ordinal: 'log:0' } },
    ]);
  });

  it.each<[string, Given, string[]]>([
    [
      'one credit of each kind: the value first, then calls, then logs',
      { transfer: move(), internal: [move()], logs: [log()] },
      ['value', 'call:0', 'log:0'],
    ],
    ['two equal internal transfers: both', { internal: [move(), move()] }, ['call:0', 'call:1']],
    ['two equal logs: both', { logs: [log(), log()] }, ['log:0', 'log:1']],
    ['a call that transfers nothing is counted in the ordinals', { internal: [null, move()] }, ['call:1']],
    ['a call of zero is counted in the ordinals', { internal: [move({ amount: 0n }), move()] }, ['call:1']],
    [
      "another contract's log is counted in the ordinals",
      { logs: [log({ address: `0x${'71'.repeat(20)}` }), log()] },
      ['log:1'],
    ],
    [
      'ordinals of logs are positions in the transaction, not the index that the log states',
      { logs: [log({ logIndex: 40 }), log({ logIndex: 41 })] },
      ['log:0', 'log:1'],
    ],
    ['the largest amount', { transfer: move({ amount: 2n ** 63n - 1n }) }, ['value']],
  ])('credits %s', (_what, given, ordinals) => {
    expect(read(given).map(ordinalOf)).toEqual(ordinals);
  });

  it.each<[string, Given]>([
    ['a transaction without effects', {}],
    ['a transfer of zero', { transfer: move({ amount: 0n }) }],
    ['a negative amount', { transfer: move({ amount: -1n }) }],
    ['a transfer to oneself', { transfer: move({ to: Buffer.from(SENDER) }) }],
    ['a call that transfers nothing', { internal: [null] }],
    ['an internal transfer of zero', { internal: [move({ amount: 0n })] }],
    ['an internal transfer of a negative amount', { internal: [move({ amount: -1n })] }],
    ['an internal transfer to oneself', { internal: [move({ to: Buffer.from(SENDER) })] }],
    ['a token that is not in the catalog', { logs: [log({ address: `0x${'71'.repeat(20)}` })] }],
    ['another event of a token', { logs: [log({ topics: [`0x${'dd'.repeat(32)}`] })] }],
    ['a token transfer of zero', { logs: [log({ data: `0x${'0'.repeat(64)}` })] }],
    [
      'a token transfer to oneself',
      { logs: [log({ topics: [TRANSFER_TOPIC, topic(SENDER), topic(SENDER)] })] },
    ],
  ])('credits nothing for %s', (_what, given) => {
    expect(read(given)).toEqual([]);
  });
});
