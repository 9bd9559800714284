import { type AcceptedRate, evaluatePrices, nextReference, type RateInput } from './rate-guards.pure.js';

const NOW = new Date('2026-03-15T12:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
const said = (source: string, value: string, age = 0): RateInput => ({ source, value, fetchedAt: ago(age) });
const good = (value: string, age = 0, single = false): AcceptedRate => ({
  value,
  source: 'median(kraken,coinbase)',
  inputs: [],
  fetchedAt: ago(age),
  single,
});

describe('evaluatePrices accepts', () => {
  it.each<[string, RateInput[], AcceptedRate | null, Partial<AcceptedRate>]>([
    [
      'the middle of two',
      [said('kraken', '100'), said('coinbase', '102', 3)],
      null,
      { value: '101', source: 'median(kraken,coinbase)', single: false, fetchedAt: ago(3) },
    ],
    [
      'two with a difference of 5 %',
      [said('kraken', '100'), said('coinbase', '105')],
      null,
      { value: '102.5' },
    ],
    [
      'two far from the last good value',
      [said('kraken', '50'), said('coinbase', '50')],
      good('100'),
      { value: '50' },
    ],
    [
      'the middle of three',
      [said('kraken', '100'), said('coinbase', '104'), said('third', '101')],
      null,
      { value: '101', source: 'median(kraken,coinbase,third)' },
    ],
    [
      'prices that are exactly 10 minutes old',
      [said('kraken', '100', 600)],
      null,
      { value: '100', fetchedAt: ago(600) },
    ],
    ['one source, flagged', [said('kraken', '100')], null, { value: '100', source: 'kraken', single: true }],
    [
      'one source where the other is stale, even far apart',
      [said('kraken', '100'), said('coinbase', '200', 601)],
      null,
      { value: '100', source: 'kraken', single: true },
    ],
    ['one source 5 % above the last good value', [said('kraken', '105')], good('100', 600), { value: '105' }],
    [
      'one source far from a value that is too old to count',
      [said('kraken', '150')],
      good('100', 601),
      { value: '150' },
    ],
  ])('%s', (_what, prices, reference, expected) => {
    expect(evaluatePrices(prices, reference, NOW)).toEqual({
      ok: true,
      rate: expect.objectContaining(expected),
    });
  });

  it('and records only the prices that it used', () => {
    const fresh = said('kraken', '100');
    const result = evaluatePrices([fresh, said('coinbase', '100', 601)], null, NOW);
    expect(result).toMatchObject({ ok: true, rate: { inputs: [fresh] } });
  });
});

describe('evaluatePrices refuses', () => {
  it.each<[string, RateInput[], AcceptedRate | null, string]>([
    ['no price', [], null, 'no_source'],
    ['no price, although there was a good rate', [], good('100'), 'no_source'],
    ['one stale price', [said('kraken', '100', 601)], null, 'stale'],
    ['only stale prices', [said('kraken', '100', 601), said('coinbase', '100', 900)], null, 'stale'],
    ['two more than 5 % apart', [said('kraken', '100'), said('coinbase', '105.01')], null, 'sources_differ'],
    ['ten times as much', [said('kraken', '1000'), said('coinbase', '100')], good('100'), 'sources_differ'],
    ['one outlier of three', [said('a', '100'), said('b', '100'), said('c', '110')], null, 'sources_differ'],
    ['one source that jumps up', [said('kraken', '105.01')], good('100', 600), 'jump'],
    ['one source that drops', [said('kraken', '95.2')], good('100', 1), 'jump'],
  ])('%s', (_what, prices, reference, reason) => {
    expect(evaluatePrices(prices, reference, NOW)).toEqual({ ok: false, reason });
  });
});

describe('nextReference', () => {
  it.each<[string, AcceptedRate | null, AcceptedRate, string]>([
    ['the first value', null, good('100', 0, true), '100'],
    ['two sources replace it', good('100', 10), good('104'), '104'],
    ['one source does not replace a fresh one', good('100', 600), good('104', 0, true), '100'],
    ['one source does not replace another single source', good('100', 20, true), good('104', 0, true), '100'],
    ['one source replaces a stale one', good('100', 601), good('140', 0, true), '140'],
  ])('%s', (_what, reference, accepted, value) => {
    expect(nextReference(reference, accepted, NOW).value).toBe(value);
  });
});
