import { type HeldCoin, type WorthTerms, worthOf } from './deposit-worth.pure.js';

const TOKEN = `0x${'11'.repeat(20)}`;
const OTHER = `0x${'22'.repeat(20)}`;
const held = (asset: string, value: bigint | null, more: Partial<HeldCoin> = {}): HeldCoin => ({
  asset,
  amount: 1n,
  value,
  isRefused: false,
  ...more,
});
/** A unit for each unit of gas: a deposit costs 36,000, and each token 25,000. */
const priced = { gasValue: (gas: bigint) => gas, minimum: 0n };
const unpriced = { gasValue: null, minimum: 0n };

describe('worthOf', () => {
  it.each<[string, HeldCoin[], Partial<WorthTerms>, string[], string[]]>([
    ['nothing', [], {}, [], []],
    ['empty balances', [held('native', 0n, { amount: 0n }), held(TOKEN, null, { amount: 0n })], {}, [], []],
    ['a coin above its cost', [held('native', 36_001n)], {}, ['native'], []],
    ['a coin that costs as much', [held('native', 36_000n)], {}, [], ['native uneconomic']],
    ['a token above its cost', [held(TOKEN, 61_001n)], {}, [TOKEN], []],
    ['a token that costs as much', [held(TOKEN, 61_000n)], {}, [], [`${TOKEN} uneconomic`]],
    [
      'two that are worth it together',
      [held('native', 10_000n), held(TOKEN, 55_000n)],
      {},
      ['native', TOKEN],
      [],
    ],
    [
      'a token that is not worth its own gas',
      [held('native', 90_000n), held(TOKEN, 25_000n)],
      {},
      ['native'],
      [`${TOKEN} uneconomic`],
    ],
    ['a token that says what it uses', [held(TOKEN, 66_001n, { gas: 30_000n })], {}, [TOKEN], []],
    ['and costs as much', [held(TOKEN, 66_000n, { gas: 30_000n })], {}, [], [`${TOKEN} uneconomic`]],
    ['an address of another cost', [held('native', 21_001n)], { depositGas: 21_000n }, ['native'], []],
    [
      'and a coin that costs as much',
      [held('native', 21_000n)],
      { depositGas: 21_000n },
      [],
      ['native uneconomic'],
    ],
    ['a token whose value nobody knows', [held(TOKEN, null)], {}, [TOKEN], []],
    ['one beside a known one', [held(TOKEN, null), held('native', 1n)], {}, [TOKEN, 'native'], []],
    ['a cost that nobody knows', [held(TOKEN, 1n)], unpriced, [TOKEN], []],
    ['less than the minimum', [held('native', 99_999n)], { minimum: 100_000n }, [], ['native below_minimum']],
    [
      'the minimum together',
      [held('native', 50_000n), held(TOKEN, 50_000n)],
      { minimum: 100_000n },
      ['native', TOKEN],
      [],
    ],
    ['an unknown value below no minimum', [held(TOKEN, null)], { minimum: 100_000n }, [TOKEN], []],
    [
      'a frozen token beside another',
      [held(TOKEN, 90_000n, { isRefused: true }), held(OTHER, 90_000n)],
      {},
      [OTHER],
      [`${TOKEN} refused`],
    ],
    ['a frozen token alone', [held(TOKEN, 90_000n, { isRefused: true })], {}, [], [`${TOKEN} refused`]],
    [
      'a frozen token, which counts for no minimum',
      [held(TOKEN, 90_000n, { isRefused: true }), held('native', 50_000n)],
      { minimum: 60_000n },
      [],
      [`${TOKEN} refused`, 'native below_minimum'],
    ],
  ])('%s', (_what, coins, terms, collected, left) => {
    const found = worthOf(coins, { ...priced, ...terms });
    expect(found.collected.map(({ asset }) => asset)).toEqual(collected);
    expect(found.leftOut.map(({ coin, reason }) => `${coin.asset} ${reason}`)).toEqual(left);
  });

  it('loses nothing: every balance is collected or listed', () => {
    for (const native of [0n, 1n, 40_000n, null])
      for (const token of [0n, 25_000n, 30_000n, 90_000n, null])
        for (const minimum of [0n, 50_000n])
          for (const isRefused of [false, true]) {
            const coins = [held('native', native), held(TOKEN, token, { isRefused })];
            const { collected, leftOut } = worthOf(coins, { ...priced, minimum });
            expect(new Set([...collected, ...leftOut.map(({ coin }) => coin)])).toEqual(new Set(coins));
            expect(collected.length + leftOut.length).toBe(2);
          }
  });
});
