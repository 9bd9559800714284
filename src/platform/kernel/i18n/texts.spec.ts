import { markup } from '../markup.pure.js';
import { Texts, textsOf } from './texts.js';

const messages = {
  'page.price': 'Price: {n, plural, one {# coin} other {# coins}}',
  'page.promise': 'Pay {shop} now',
} as unknown as ConstructorParameters<typeof Texts>[1];
const texts = (locale: ConstructorParameters<typeof Texts>[0]) => new Texts(locale, messages);
/** Intl puts narrow and no-break spaces between digits and units. */
const plain = (text: string) =>
  text.replace(/[\u{a0}\u{202f}]/gu, ' ').replace(/[\u{200e}\u{200f}\u{61c}]/gu, '');
const amount = (atomic: string, decimals: number, code: string) => ({ atomic, decimals, currency: { code } });

describe('Texts', () => {
  it('puts values and plurals in place', () => {
    expect(texts('en').text('page.price', { n: 1 })).toBe('Price: 1 coin');
    expect(texts('en').text('page.price', { n: 12 })).toBe('Price: 12 coins');
  });

  it('refuses a message whose value is missing', () => {
    expect(() => texts('en').text('page.promise')).toThrow('shop');
  });

  it('escapes strings and keeps markup', () => {
    expect(texts('en').html('page.promise', { shop: '<img onerror=x>' }).text).toBe(
      'Pay &lt;img onerror=x&gt; now',
    );
    expect(texts('en').html('page.promise', { shop: markup`<bdi>${'A & B'}</bdi>` }).text).toBe(
      'Pay <bdi>A &amp; B</bdi> now',
    );
  });

  it('shows the pseudo-locale of an English message', () => {
    expect(texts('en-XA').text('page.promise', { shop: 'Café' })).toBe('[Pàý Café ñöw~~~~~]');
  });

  it.each([
    ['en', '€25.50'],
    ['de', '25,50 €'],
    ['ja', '€25.50'],
    ['fa', '€ 25.50'],
  ] as const)('shows money in %s as %s', (locale, shown) => {
    expect(plain(texts(locale).money(amount('2550', 2, 'EUR')))).toBe(shown);
  });

  it.each([
    ['en', amount('25000000', 6, 'USDC'), '25 USDC'],
    ['en', amount('1234567890123456789012345678', 18, 'ETH'), '1,234,567,890.123456789012345678 ETH'],
    ['de', amount('1554700', 8, 'BTC'), '0,015547 BTC'],
    ['en', amount('1', 18, 'ETH'), '0.000000000000000001 ETH'],
    ['en', amount('7', 0, 'GUSD'), '7 GUSD'],
    ['ar', amount('1554700', 8, 'BTC'), '0.015547 BTC'],
  ] as const)('shows coins in %s exactly: %j as %s', (locale, coins, shown) => {
    expect(plain(texts(locale).money(coins))).toBe(shown);
  });

  it.each([
    ['en', 'Nov 24, 2026, 2:32:05 PM UTC'],
    ['de', '24.11.2026, 14:32:05 UTC'],
  ] as const)('shows times in %s with the zone', (locale, shown) => {
    expect(plain(texts(locale).dateTime('2026-11-24T14:32:05Z'))).toBe(shown);
  });

  it.each([
    [0, '1 second'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [5_399, '90 minutes'],
    [5_400, '2 hours'],
    [172_799, '48 hours'],
    [172_800, '2 days'],
  ])('shows %i s as %s', (seconds, shown) => {
    expect(texts('en').duration(seconds)).toBe(shown);
  });

  it.each([
    [1, '1 second'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [61, '2 minutes'],
    [89, '2 minutes'],
    [5_399, '90 minutes'],
    [8_000, '3 hours'],
    [172_801, '3 days'],
  ])('says of %i s to wait for %s, never for less', (seconds, shown) => {
    expect(texts('en').wait(seconds)).toBe(shown);
  });

  it('joins a list', () => {
    expect(texts('en').list(['A', 'B', 'C'])).toBe('A, B, and C');
    expect(texts('de').list(['A', 'B'], 'disjunction')).toBe('A oder B');
  });

  it('joins a list of markup', () => {
    const items = [markup`<bdi>${'A & B'}</bdi>`, markup`C`];
    expect(texts('en').listHtml(items).text).toBe('<bdi>A &amp; B</bdi> and C');
    expect(texts('en').listHtml(items, 'disjunction').text).toBe('<bdi>A &amp; B</bdi> or C');
  });
});

describe('textsOf', () => {
  it('reads the English messages', () => {
    expect(textsOf('en').text('page.promise')).toContain('never asks for a password');
  });

  it('returns the same texts again', () => {
    expect(textsOf('en')).toBe(textsOf('en'));
  });
});
