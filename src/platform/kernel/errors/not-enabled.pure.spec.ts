import { notEnabled } from './not-enabled.pure.js';

describe('notEnabled', () => {
  it.each<[string, string, string[], string]>([
    [
      'nothing is enabled: says so instead of an empty list',
      'blockchainSlug',
      [],
      'The selected blockchainSlug is known, but not enabled on this gateway; none is enabled.',
    ],
    [
      'one choice is enabled: names it',
      'blockchainSlug',
      ['ethereum'],
      'The selected blockchainSlug is known, but not enabled on this gateway; enabled: ethereum.',
    ],
    [
      'several choices are enabled: names them in the given order',
      'currencyCode',
      ['USDT', 'BTC', 'ETH'],
      'The selected currencyCode is known, but not enabled on this gateway; enabled: USDT, BTC, ETH.',
    ],
  ])('%s', (_title, field, enabled, message) => {
    expect(notEnabled(field, enabled)).toBe(message);
  });
});
