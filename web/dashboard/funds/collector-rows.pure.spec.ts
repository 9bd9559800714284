import { prepareExport } from '../../../src/wallets/collection-export.pure.js';
import { depositAddressOf } from '../../../src/wallets/treasury/treasury-address.pure.js';
import type { HoldingAddress } from '../api/operations.js';
import { collectorFiles } from './collector-rows.pure.js';

const TREASURY = {
  address: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
  factory: '0xC589b71eA2D9dcC0d27B6A2d5402Cd9F065dFe2E',
  kind: 'passing' as const,
  namespace: 'ab'.repeat(16),
};
const TOKENS = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`];

function received(index: number, token: string | null, blockchain = 'base'): HoldingAddress {
  const { address } = depositAddressOf(TREASURY, index);
  const derivation = { kind: 'treasury', treasury: TREASURY, index };
  return { blockchain, address, derivation, token: token && { contractAddress: token } } as HoldingAddress;
}

it('has each address once, with all of its tokens, in a file for each network', () => {
  const [first = '', second = ''] = TOKENS;
  const files = collectorFiles([
    received(0, first),
    received(0, null),
    received(0, second),
    received(0, first, 'ethereum'),
    received(1, null),
  ]);
  const rows = Object.fromEntries(
    [...files].map(([chain, list]) => [chain, list.map(({ index, tokens }) => [index, tokens])]),
  );
  expect(rows).toEqual({
    base: [
      [0, TOKENS],
      [1, []],
    ],
    ethereum: [[0, [first]]],
  });
});

it('leaves out what has a key, or what cannot be read', () => {
  const keyed = { ...received(0, null), derivation: { kind: 'key', treasury: null, index: 0 } };
  const unread = { ...received(1, null), derivation: null };
  expect(collectorFiles([keyed as HoldingAddress, unread])).toEqual(new Map());
});

it('is what the page that collects reads', () => {
  const [rows] = collectorFiles([received(0, TOKENS[0] ?? null), received(1, null)]).values();
  const { collections, refused } = prepareExport(JSON.stringify(rows));
  expect([collections.length, refused]).toEqual([expect.any(Number), []]);
  expect(collections.length).toBeGreaterThan(0);
});
