import type { Chain, Requirement } from '../chains/chain.pure.js';
import {
  amountAtRisk,
  requirementOf,
  requirementOfNew,
  type PolicyInput,
  underConfirmed,
} from './confirmation-policy.pure.js';

const CHAIN = {
  slug: 'bitcoin',
  confirmationsRequired: 2,
  reorgWindow: 144,
  coinbaseConfirmations: 101,
  confirmationTiers: new Map([
    [
      'native',
      [
        { from: 100n, confirmations: 3, finality: null },
        { from: 1_000n, confirmations: 6, finality: null },
        { from: 10_000n, confirmations: 6, finality: 'safe' },
        { from: 100_000n, confirmations: 6, finality: 'finalized' },
      ],
    ],
  ]),
} as unknown as Chain;

type Part = PolicyInput['transfers'][number];
const part = (amount: bigint, changes: Partial<Part> = {}): Part => ({
  chain: 'bitcoin',
  asset: 'native',
  amount,
  state: 'pending',
  confirmationsRequired: 2,
  finalityRequired: null,
  isCoinbase: false,
  ...changes,
});
const quote = (assetAmount: bigint, chain = 'bitcoin', asset = 'native') => ({ chain, asset, assetAmount });
const input = (
  quotes: PolicyInput['quotes'],
  transfers: Part[],
  confirmations: Record<string, number> = {},
): PolicyInput => ({ quotes, transfers, site: { confirmations } });

describe('amountAtRisk', () => {
  it.each<[string, PolicyInput['quotes'], Part[], bigint]>([
    ['no quote and no transfer', [], [], 0n],
    ['the quoted amount', [quote(50n)], [], 50n],
    ['the highest quote', [quote(50n), quote(70n), quote(60n)], [], 70n],
    ['the quoted amount when only a part arrived', [quote(50n)], [part(10n)], 50n],
    ['all that arrived, if that is more', [quote(50n)], [part(40n), part(20n, { state: 'confirmed' })], 60n],
    ['the sum of unmatched transfers', [], [part(40n), part(20n)], 60n],
    [
      'not what is orphaned or replaced',
      [quote(50n)],
      [
        part(100n, { state: 'orphaned' }),
        part(100n, { state: 'replaced' }),
        part(100n, { state: 'dropped' }),
      ],
      50n,
    ],
    [
      'not what is on another chain or of another asset',
      [quote(70n, 'litecoin'), quote(70n, 'bitcoin', '0xtoken'), quote(50n)],
      [part(90n, { chain: 'litecoin' }), part(90n, { asset: '0xtoken' })],
      50n,
    ],
  ])('%s', (_what, quotes, transfers, amount) => {
    expect(amountAtRisk({ quotes, transfers }, 'bitcoin', 'native')).toBe(amount);
  });
});

describe('requirementOf', () => {
  it.each<[string, PolicyInput, number]>([
    ['an ordinary payment needs the number of the chain', input([quote(99n)], []), 2],
    ['a large payment needs its tier', input([quote(100n)], []), 3],
    [
      'a first small part of a large payment needs the tier of the whole',
      input([quote(1_000n)], [part(1n)]),
      6,
    ],
    [
      'a large payment in a thousand parts needs the tier of the whole',
      input(
        [quote(1_000n)],
        Array.from({ length: 999 }, () => part(1n)),
      ),
      6,
    ],
    [
      'an overpaid payment needs the tier of what was received',
      input([quote(99n)], [part(99n), part(1n)]),
      3,
    ],
    [
      'a pending transfer keeps the higher number recorded before',
      input([quote(1n)], [part(1n, { confirmationsRequired: 9 })]),
      9,
    ],
    [
      'a confirmed transfer does not raise the number',
      input([quote(1n)], [part(1n, { confirmationsRequired: 9, state: 'confirmed' })]),
      2,
    ],
    [
      'a number recorded for another asset does not count',
      input([quote(1n)], [part(1n, { confirmationsRequired: 9, asset: '0x' })]),
      2,
    ],
    ['the application can require more', input([quote(1n)], [], { bitcoin: 5 }), 5],
    ['an override for another chain does not count', input([quote(1n)], [], { litecoin: 5 }), 2],
  ])('%s', (_what, given, confirmations) => {
    expect(requirementOf(given, CHAIN, 'native')).toEqual({ confirmations, finality: null });
  });

  it.each<[string, PolicyInput, Requirement]>([
    ['a payment in a safe tier', input([quote(10_000n)], []), { confirmations: 6, finality: 'safe' }],
    [
      'a hundred parts that reach the finalized tier together',
      input(
        [quote(1n)],
        Array.from({ length: 100 }, () => part(1_000n)),
      ),
      { confirmations: 6, finality: 'finalized' },
    ],
    [
      'a pending transfer that waits for more than the amount at risk requires',
      input([quote(1n)], [part(1n, { finalityRequired: 'finalized', confirmationsRequired: 1 })]),
      { confirmations: 2, finality: 'finalized' },
    ],
    [
      'a confirmed transfer that waited for a tag',
      input([quote(1n)], [part(1n, { finalityRequired: 'finalized', state: 'confirmed' })]),
      { confirmations: 2, finality: null },
    ],
    [
      'an application that asks for more blocks keeps them and the tag',
      input([quote(10_000n)], [], { bitcoin: 60 }),
      { confirmations: 60, finality: 'safe' },
    ],
  ])('%s', (_what, given, required) => {
    expect(requirementOf(given, CHAIN, 'native')).toEqual(required);
  });

  it('is the same however a payment is split and in whatever order its parts arrive', () => {
    // Every way to send 12 units in up to 12 parts against a quote of 100.
    const splits = Array.from({ length: 2 ** 11 }, (_, bits) => {
      const parts = [1n];
      for (let i = 0; i < 11; i++) {
        if ((bits >> i) & 1) parts.push(1n);
        else parts[parts.length - 1]! += 1n;
      }
      return parts;
    });
    for (const asked of [5n, 100n, 1_000n, 10_000n]) {
      const demands = splits.map((parts) => {
        const given = input(
          [quote(asked)],
          parts.map((amount) => part(amount)),
        );
        return JSON.stringify(requirementOf(given, CHAIN, 'native'));
      });
      expect(new Set(demands).size).toBe(1);
    }
  });

  it('never falls while more transfers arrive', () => {
    const transfers: Part[] = [];
    let before = 0;
    for (let i = 0; i < 40; i++) {
      transfers.push(part(BigInt(i)));
      const { confirmations: now } = requirementOf(input([quote(1n)], transfers), CHAIN, 'native');
      expect(now).toBeGreaterThanOrEqual(before);
      for (const [at, each] of transfers.entries()) transfers[at] = { ...each, confirmationsRequired: now };
      before = now;
    }
    expect(before).toBe(3);
  });
});

describe('underConfirmed', () => {
  it.each<[string, PolicyInput, ReturnType<typeof underConfirmed>]>([
    ['reports nothing when no transfer is pending', input([quote(1_000n)], []), []],
    ['reports nothing when every transfer has the required number', input([quote(1n)], [part(1n)]), []],
    [
      'reports an asset whose payment reached a tier',
      input([quote(100n)], [part(1n)]),
      [{ asset: 'native', confirmations: 3, finality: null }],
    ],
    [
      'reports an asset when another part requires more',
      input([quote(1n)], [part(1n), part(1n, { confirmationsRequired: 7 })]),
      [{ asset: 'native', confirmations: 7, finality: null }],
    ],
    ['ignores confirmed transfers', input([quote(1_000n)], [part(1n, { state: 'confirmed' })]), []],
    [
      'ignores transfers on other chains',
      input([quote(1n, 'litecoin')], [part(10_000n, { chain: 'litecoin' })]),
      [],
    ],
    [
      'reports each asset by itself',
      input(
        [quote(100n), quote(5n, 'bitcoin', '0x')],
        [part(1n), part(1n, { asset: '0x', confirmationsRequired: 1 })],
      ),
      [
        { asset: 'native', confirmations: 3, finality: null },
        { asset: '0x', confirmations: 2, finality: null },
      ],
    ],
    [
      'reports an asset whose payment reached a tag with enough blocks',
      input([quote(10_000n)], [part(1n, { confirmationsRequired: 6 })]),
      [{ asset: 'native', confirmations: 6, finality: 'safe' }],
    ],
  ])('%s', (_what, given, unmet) => {
    expect(underConfirmed(given, CHAIN)).toEqual(unmet);
  });
});

describe('a coinbase', () => {
  const coinbase = part(50n, { isCoinbase: true, confirmationsRequired: 101 });
  const { coinbaseConfirmations: _none, ...others } = CHAIN;

  it.each<[string, Chain, boolean, Record<string, number>, number]>([
    ['waits until it can be spent', CHAIN, true, {}, 101],
    ['waits for longer where the application does', CHAIN, true, { bitcoin: 144 }, 144],
    ['waits no less where the application wants that', CHAIN, true, { bitcoin: 2 }, 101],
    ['is nothing else', CHAIN, false, {}, 2],
    ['does not exist on other chains', others, true, {}, 2],
  ])('%s', (_name, chain, isCoinbase, settings, confirmations) => {
    expect(requirementOfNew(input([quote(50n)], [], settings), chain, 'native', isCoinbase)).toEqual({
      confirmations,
      finality: null,
    });
  });

  it('does not let the other transfers of its payment wait', () => {
    const state = input([quote(50n)], [coinbase, part(10n)]);
    expect(requirementOf(state, CHAIN, 'native')).toMatchObject({ confirmations: 2 });
    expect(underConfirmed(state, CHAIN)).toEqual([]);
  });

  it('waits for the tier of what arrived in all', () => {
    const state = input([quote(50n)], [part(20_000n, { isCoinbase: true, confirmationsRequired: 101 })]);
    expect(underConfirmed(state, CHAIN)).toEqual([{ asset: 'native', confirmations: 6, finality: 'safe' }]);
  });
});
