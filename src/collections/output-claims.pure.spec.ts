import { Transaction } from '@scure/btc-signer';
import { claimOf, isOutputOf, reasonBefore, voutOf } from './output-claims.pure.js';

const RECORDED = {
  txHash: 'ab'.repeat(32),
  ordinal: 'vout:3',
  blockHeight: 7,
  blockHash: 'cd'.repeat(32),
  place: { key: Buffer.of(1) },
};

describe('claimOf', () => {
  it('names the output and its block', () =>
    expect(claimOf(RECORDED)).toEqual({
      txHash: RECORDED.txHash,
      vout: 3,
      key: Buffer.of(1),
      height: 7,
      blockHash: RECORDED.blockHash,
    }));
  it.each([{ blockHeight: null }, { blockHash: null }])('is of nothing without a block: %j', (less) =>
    expect(() => claimOf({ ...RECORDED, ...less })).toThrow('in no block'),
  );
  it.each(['value', 'log:0', 'call:0', 'vout:', 'vout:-1', 'vout:1x', ''])('%j is no output', (ordinal) =>
    expect(() => voutOf(ordinal)).toThrow('no output'),
  );
});

describe('reasonBefore', () => {
  const inputs = ['a:0'];
  it.each<[string, string, string[] | null, number | null, number | null, string | null]>([
    ['confirmed', 'confirmed', inputs, 10, null, null],
    ['pending in a block', 'pending', inputs, 10, null, 'unconfirmed'],
    ['waiting', 'pending', inputs, null, null, 'unconfirmed'],
    ['confirmed in no block', 'confirmed', inputs, null, null, 'unconfirmed'],
    ['new coins, mature', 'confirmed', null, 10, 110, null],
    ['new coins, one block early', 'confirmed', null, 10, 109, 'immature'],
    ['new coins, pending', 'pending', null, 10, 12, 'immature'],
    ['new coins, mature and pending', 'pending', null, 10, 200, 'unconfirmed'],
    ['new coins while the node does not answer', 'confirmed', null, 10, null, 'unread'],
  ])('of what is %s', (_what, state, spent, blockHeight, newest, reason) =>
    expect(reasonBefore({ state, inputs: spent, blockHeight }, newest, 101)).toBe(reason),
  );
});

describe('isOutputOf', () => {
  const script = Buffer.from(`0014${'ab'.repeat(20)}`, 'hex');
  const before = new Transaction();
  before.addInput({ txid: Buffer.alloc(32, 1), index: 0 });
  before.addOutput({ script, amount: 5n });
  const previous = Buffer.from(before.unsignedTx);
  it.each<[string, object, boolean]>([
    ['the output', {}, true],
    ['what nobody can compare', { previous: null, amount: 6n }, true],
    ['another amount', { amount: 6n }, false],
    ['another script', { script: Buffer.of(1) }, false],
    ['no output', { vout: 1 }, false],
  ])('of %s', (_what, changes, is) =>
    expect(isOutputOf({ vout: 0, amount: 5n, script, previous, ...changes }, 'litecoin')).toBe(is),
  );
});
