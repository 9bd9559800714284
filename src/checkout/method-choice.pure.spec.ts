import { chooseMethod, listMethods, type MethodName, similarMethods } from './method-choice.pure.js';

const named = (provider: string, method: string) => ({ provider, method });
const ETH = named('ethereum', 'eth');
const USDT = named('ethereum', 'usdt');
const USDT_TRON = named('tron', 'usdt');
const ALL = [ETH, USDT, USDT_TRON];
const NONE: MethodName = { provider: null, method: null };

describe('chooseMethod', () => {
  it.each([
    ['a full name', named('ethereum', 'usdt'), NONE, ALL, { kind: 'chosen', method: USDT }],
    ['in any case', named('Ethereum', 'USDT'), NONE, ALL, { kind: 'chosen', method: USDT }],
    [
      'a full name beats an earlier choice',
      named('ethereum', 'usdt'),
      ETH,
      ALL,
      { kind: 'chosen', method: USDT },
    ],
    ['an unknown pair', named('tron', 'eth'), NONE, ALL, { kind: 'unknown' }],
    ['an unknown provider', named('bank', 'sepa'), NONE, ALL, { kind: 'unknown' }],
    ['known but not allowed', named('tron', 'usdt'), NONE, [ETH, USDT], { kind: 'not_allowed' }],
    ['nothing named, several possible', NONE, NONE, ALL, { kind: 'ambiguous' }],
    ['nothing named, chosen before', NONE, USDT, ALL, { kind: 'chosen', method: USDT }],
    ['nothing named, one possible', NONE, NONE, [ETH], { kind: 'chosen', method: ETH }],
    ['nothing possible', NONE, NONE, [], { kind: 'ambiguous' }],
    ['provider only, several', { provider: 'ethereum', method: null }, NONE, ALL, { kind: 'ambiguous' }],
    [
      'provider only, one',
      { provider: 'tron', method: null },
      NONE,
      ALL,
      { kind: 'chosen', method: USDT_TRON },
    ],
    [
      'provider only, chosen before',
      { provider: 'ethereum', method: null },
      USDT,
      ALL,
      { kind: 'chosen', method: USDT },
    ],
    ['method only, one', { provider: null, method: 'eth' }, NONE, ALL, { kind: 'chosen', method: ETH }],
    ['method only, several', { provider: null, method: 'usdt' }, NONE, ALL, { kind: 'ambiguous' }],
    [
      'method only, chosen before',
      { provider: null, method: 'usdt' },
      USDT_TRON,
      ALL,
      { kind: 'chosen', method: USDT_TRON },
    ],
    ['empty segments', named('', ''), NONE, [ETH], { kind: 'chosen', method: ETH }],
    ['an earlier choice that is no longer allowed', NONE, USDT_TRON, [ETH], { kind: 'chosen', method: ETH }],
  ])('%s', (_name, wanted, selected, allowed, expected) => {
    expect(chooseMethod(wanted, selected, allowed, ALL)).toEqual(expected);
  });
});

describe('similarMethods', () => {
  const BNB = named('bsc', 'bnb');
  const USDT_BSC = named('bsc', 'usdt');
  const ALLOWED = [ETH, USDT, BNB, USDT_BSC];

  it.each([
    ['swapped', named('eth', 'ethereum'), [ETH]],
    ['swapped, in capitals', named('USDT', 'BSC'), [USDT_BSC]],
    ['a mistyped provider', named('etherum', 'eth'), [ETH]],
    ['a mistyped method', named('ethereum', 'ustd'), [USDT]],
    ['a token with its standard', named('ethereum', 'usdt-erc20'), [USDT]],
    ['a standard as the provider', named('erc20', 'usdt'), [USDT, USDT_BSC]],
    ['a method of another provider', named('ethereum', 'bnb'), [BNB]],
    ['a method that is nowhere, of a known provider', named('bsc', 'doge'), [BNB, USDT_BSC]],
    ['a provider alone', { provider: 'etherium', method: null }, [ETH, USDT]],
    ['what is like nothing', named('bank', 'sepa'), []],
  ])('%s', (_what, wanted, methods) => expect(similarMethods(wanted, ALLOWED)).toEqual(methods));

  it('suggests at most three', () => {
    const many = ['a', 'b', 'c', 'd'].map((provider) => named(provider, 'usdt'));
    expect(similarMethods(named('x', 'usdt'), many)).toHaveLength(3);
  });
});

test('listMethods writes methods as they appear in the path', () => {
  expect(listMethods([ETH, USDT_TRON])).toBe('ethereum/eth, tron/usdt');
  expect(listMethods([])).toBe('nothing');
});
