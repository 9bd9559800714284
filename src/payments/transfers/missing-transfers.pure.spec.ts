import { findMissing } from './missing-transfers.pure.js';

const observed = (txHash: string, ordinal: string, hash = 'b1') => ({ txHash, ordinal, block: { hash } });
const recorded = (txHash: string, ordinal: string, blockHash: string | null = 'b1') => ({
  txHash,
  ordinal,
  blockHash,
});

describe('transfers that a repeated reading finds missing', () => {
  it.each<
    [
      title: string,
      read: ReturnType<typeof observed>[],
      records: ReturnType<typeof recorded>[],
      missing: string[],
      conflicting: string[],
    ]
  >([
    ['nothing was read', [], [recorded('a', 'value')], [], []],
    ['everything is recorded', [observed('a', 'value')], [recorded('a', 'value')], [], []],
    ['nothing is recorded', [observed('a', 'value'), observed('b', 'log:0')], [], ['a value', 'b log:0'], []],
    [
      'one of two transfers of a transaction is recorded',
      [observed('a', 'log:0'), observed('a', 'log:1')],
      [recorded('a', 'log:0')],
      ['a log:1'],
      [],
    ],
    [
      'a transaction is recorded at another position',
      [observed('a', 'call:0'), observed('b', 'value')],
      [recorded('a', 'call:1')],
      ['b value'],
      ['a'],
    ],
    [
      'a transaction with something missing is recorded in another block',
      [observed('a', 'log:0', 'b2'), observed('a', 'log:1', 'b2')],
      [recorded('a', 'log:0', 'b1')],
      [],
      ['a'],
    ],
    [
      'a transaction with nothing missing is recorded in another block',
      [observed('a', 'log:0', 'b2')],
      [recorded('a', 'log:0', 'b1')],
      [],
      [],
    ],
    [
      'the node shows less than is recorded',
      [observed('a', 'log:0')],
      [recorded('a', 'log:0'), recorded('a', 'log:1')],
      [],
      [],
    ],
    [
      'a conflicting transaction has two missing transfers',
      [observed('a', 'call:0'), observed('a', 'call:1')],
      [recorded('a', 'call:9')],
      [],
      ['a'],
    ],
  ])('when %s', (_title, read, records, missing, conflicting) => {
    const result = findMissing(read, records);
    expect(result.missing.map(({ txHash, ordinal }) => `${txHash} ${ordinal}`)).toEqual(missing);
    expect(result.conflicting).toEqual(conflicting);
  });
});
