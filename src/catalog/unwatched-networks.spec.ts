import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { CHAIN_CATALOGUE } from '../chains/chain-catalogue.js';
import { findCurrency } from '../money/currencies.js';
import { UNWATCHED_NETWORKS } from './unwatched-networks.js';

const base58check = createBase58check(sha256);

describe('networks that nobody watches', () => {
  it.each(UNWATCHED_NETWORKS.map((network) => [network.currencyCode, network] as const))(
    'have %s with the decimals of the currency, and are no chain of the catalogue',
    (code, { blockchain, provider, method, decimals }) => {
      expect(findCurrency(code)).toMatchObject({ type: 'crypto', decimals });
      expect([provider, method]).toEqual([blockchain, code.toLowerCase()]);
      expect(CHAIN_CATALOGUE.some(({ slug }) => slug === blockchain)).toBe(false);
    },
  );

  it('spell contracts as Tron does: base58check of 0x41 and 20 bytes', () => {
    const contracts = UNWATCHED_NETWORKS.flatMap(({ contractAddress }) => contractAddress ?? []);
    expect(contracts.map((contract) => Buffer.from(base58check.decode(contract)).toString('hex'))).toEqual([
      '41a614f803b6fd780986a42c78ec9c7f77e6ded13c',
    ]);
  });

  it('refuse a mistyped contract', () => {
    expect(() => base58check.decode('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T')).toThrow();
  });
});
