import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import { minTransferAmount } from './dust-limit.pure.js';

describe('minTransferAmount', () => {
  it.each<[slug: string, code: string, amount: bigint]>([
    // P2PKH in Bitcoin Core and BCHN: (34 + 148) bytes at 3 sat, P2WPKH would be 294.
    ['bitcoin', 'BTC', 546n],
    ['bitcoincash', 'BCH', 546n],
    // The same bytes at 30 litoshi.
    ['litecoin', 'LTC', 5_460n],
    // 0.01 DOGE, whatever the script.
    ['dogecoin', 'DOGE', 1_000_000n],
    ['ethereum', 'ETH', 1n],
    ['ethereum', 'USDC', 1n],
    ['bsc', 'USDT', 1n],
    ['tron', 'TRX', 1n],
    ['tron', 'USDT', 1n],
  ])('on %s, %s transfers need at least %s units', (slug, code, amount) => {
    const chain = CHAIN_CATALOG.find((known) => known.slug === slug);
    const asset = chain?.assets.find(({ currencyCode }) => currencyCode === code);
    if (!chain || !asset) throw new Error('not in the catalog');
    expect(minTransferAmount(chain, asset)).toBe(amount);
  });

  it('applies the dust limit to the native coin only', () => {
    expect(minTransferAmount({ dustLimit: 546n }, { asset: '0xaa' })).toBe(1n);
    expect(minTransferAmount({ dustLimit: 546n }, { asset: 'native' })).toBe(546n);
  });
});
