import type { ObservedBlock, UnreadTraces } from '../chain-adapter.pure.js';
import { mergeTraces } from './merge-traces.pure.js';

/** A block in which each endpoint names its transfers after itself. */
function block(by: string, unread: UnreadTraces['txHashes'] | 'all read', hash = 'block'): ObservedBlock {
  const candidate = (txHash: string, asset: string) => ({
    txHash,
    asset,
    amount: 1n,
    key: Buffer.alloc(20),
    locator: by,
  });
  const candidates = [candidate('x', 'native'), candidate('y', 'native'), candidate('y', 'token')];
  const base = { height: 1, hash, parentHash: '', time: new Date(0), candidates };
  return unread === 'all read' ? base : { ...base, unread: { txHashes: unread, reason: by } };
}

const shown = ({ candidates, unread }: ObservedBlock) => [
  candidates.map(({ txHash, asset, locator }) => `${txHash}:${asset}:${String(locator)}`).toSorted(),
  unread?.txHashes,
];

const A = ['x:native:a', 'y:native:a', 'y:token:a'];

describe('what two endpoints know of a block', () => {
  it.each<[string, ObservedBlock, ObservedBlock, unknown]>([
    ['one that knows all needs no other', block('a', 'all read'), block('b', null), [A, undefined]],
    [
      'all that the other knows',
      block('a', ['x', 'y']),
      block('b', 'all read'),
      [['x:native:b', 'y:native:b', 'y:token:a'], undefined],
    ],
    [
      'each what the other lacks',
      block('a', ['x']),
      block('b', ['y']),
      [['x:native:b', 'y:native:a', 'y:token:a'], undefined],
    ],
    ['what both lack is unread', block('a', ['x']), block('b', ['x', 'y']), [A, ['x']]],
    [
      'part of what one lacks',
      block('a', ['x', 'y']),
      block('b', ['x']),
      [['x:native:a', 'y:native:b', 'y:token:a'], ['x']],
    ],
    [
      'one without any traces',
      block('a', null),
      block('b', ['x']),
      [['x:native:b', 'y:native:b', 'y:token:a'], ['x']],
    ],
    ['the other without any', block('a', ['x']), block('b', null), [A, ['x']]],
    ['both without any', block('a', null), block('b', null), [A, null]],
    ['of another block nothing counts', block('a', ['x']), block('b', 'all read', 'fork'), [A, ['x']]],
  ])('%s', (_what, one, other, expected) => {
    expect(shown(mergeTraces(one, other))).toEqual(expected);
  });
});
