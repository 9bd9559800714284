import { chooseMethod, type MethodName } from './method-choice.js';

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
