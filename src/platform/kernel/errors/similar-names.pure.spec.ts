import { editDistance, eitherOf, fold, similarNames } from './similar-names.pure.js';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['usd', 'usd', 0],
    ['uds', 'usd', 1],
    ['uusd', 'usd', 1],
    ['us', 'usd', 1],
    ['usx', 'usd', 1],
    ['bitcion', 'bitcoin', 1],
    ['etherium', 'ethereum', 1],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['💰a', 'a💰', 1],
  ])('between %p and %p is %p in both directions', (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance);
    expect(editDistance(to, from)).toBe(distance);
  });
});

describe('similarNames', () => {
  const codes = ['BTC', 'ETH', 'USDT', 'USDC', 'USD', 'EUR'];
  it.each<[string, readonly string[], string[]]>([
    ['usd', codes, ['USD']],
    [' BTC ', codes, ['BTC']],
    ['UDS', codes, ['USD']],
    ['USDX', codes, ['USDT', 'USDC', 'USD']],
    ['XYZ', codes, []],
    ['BT', codes, []],
    ['', codes, []],
    ['-', codes, []],
    ['U'.repeat(65), codes, []],
    ['BTC', [], []],
    ['perpage', ['page', 'per_page', 'sort'], ['per_page']],
    ['ammount', ['amount', 'reference'], ['amount']],
    ['currency', ['amount', 'currencyCode'], ['currencyCode']],
    ['currency_code', ['amount', 'currencyCode'], ['currencyCode']],
    ['bitcoin-mainnet', ['bitcoin', 'litecoin'], ['bitcoin']],
    ['peercoin', ['bitcoin', 'litecoin'], []],
  ])('for %p among %j returns %j', (sent, known, expected) =>
    expect(similarNames(sent, known)).toEqual(expected),
  );

  it('suggests at most three', () =>
    expect(similarNames('aaaa', ['aaab', 'aaac', 'aaad', 'aaae'])).toEqual(['aaab', 'aaac', 'aaad']));
});

describe('fold', () => {
  it.each([
    ['USDT (TRC-20)', 'usdttrc20'],
    ['per_page', 'perpage'],
    ['Ünïcode', 'ünïcode'],
  ])('folds %p to %p', (name, folded) => expect(fold(name)).toBe(folded));
});

describe('eitherOf', () => {
  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a or b'],
    [['a', 'b', 'c'], 'a, b or c'],
  ])('joins %j as %p', (names, text) => expect(eitherOf(names)).toBe(text));
});
