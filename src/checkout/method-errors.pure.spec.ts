import type { Chain, ChainAsset } from '../chains/chain.pure.js';
import { methodUnavailable, type Reader, unknownMethod } from './method-errors.pure.js';
import type { PaymentMethod } from './payment-method.pure.js';
import type { UnavailableReason } from './payment-methods.contract.js';

const METHOD: PaymentMethod = {
  chain: { slug: 'ethereum', name: 'Ethereum', family: 'evm' } as Chain,
  asset: { asset: 'native', currencyCode: 'ETH', decimals: 18, tokenStandard: null } satisfies ChainAsset,
  provider: 'ethereum',
  method: 'eth',
};
const APPLICATION = { applicationId: 'app-1' };

describe('methodUnavailable', () => {
  it.each<[UnavailableReason, Reader, number, string]>([
    ['node_unavailable', 'customer', 503, 'The Ethereum network is not available at the moment'],
    ['rate_unavailable', 'merchant', 503, 'No exchange rate is available for this method at the moment'],
    ['below_minimum', 'customer', 422, 'The amount is too small to be paid in ETH on Ethereum.'],
    [
      'not_traceable',
      'merchant',
      422,
      'ETH on Ethereum is not offered, because some payments in it would not be seen.',
    ],
    ['wallet_not_configured', 'customer', 422, 'The merchant cannot receive ETH at the moment.'],
    [
      'wallet_not_configured',
      'merchant',
      422,
      'There is no evm wallet, so ETH on Ethereum cannot be received.',
    ],
  ])('%s, read by the %s, is a %s: %s', (reason, reader, status, message) => {
    const error = methodUnavailable(reason, METHOD, APPLICATION, reader);
    expect([error.status, error.message]).toEqual([status, message]);
  });

  it('names the routes that add the wallet to the merchant only', () => {
    const hintFor = (reader: Reader) =>
      methodUnavailable('wallet_not_configured', METHOD, APPLICATION, reader).extra.hint ?? '';
    expect(hintFor('merchant')).toContain('PUT /api/payment-applications/app-1/wallets/evm');
    expect(hintFor('customer')).not.toContain('app-1');
  });
});

describe('unknownMethod', () => {
  it('suggests the method of swapped names', () => {
    const { hint } = unknownMethod({ provider: 'eth', method: 'ethereum' }, [METHOD]).extra;
    expect(hint).toMatch(/^Did you mean ethereum\/eth\? /);
  });

  it('explains the form of the path if no name is similar', () => {
    const { hint } = unknownMethod({ provider: 'xyz', method: 'qqq' }, [METHOD]).extra;
    expect(hint).toMatch(/^The path names the provider/);
  });
});
