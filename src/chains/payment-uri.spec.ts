import { CHAIN_CATALOGUE } from './chain-catalogue.js';
import { contractAddressOf } from './contract-address.js';
import { paymentUri } from './payment-uri.js';

const RECIPIENT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const native = { asset: 'native' };

describe('paymentUri', () => {
  it.each([
    ['one wei', 1, native, 1n, `ethereum:${RECIPIENT}@1?value=1`],
    ['an ether', 1, native, 10n ** 18n, `ethereum:${RECIPIENT}@1?value=1000000000000000000`],
    [
      'beyond 2^53, digit for digit',
      1,
      native,
      1500000000000000001n,
      `ethereum:${RECIPIENT}@1?value=1500000000000000001`,
    ],
    [
      'the largest uint256',
      1,
      native,
      2n ** 256n - 1n,
      `ethereum:${RECIPIENT}@1?value=115792089237316195423570985008687907853269984665640564039457584007913129639935`,
    ],
    ['another chain', 31_337, native, 5n, `ethereum:${RECIPIENT}@31337?value=5`],
    [
      'a token',
      1,
      { asset: USDC },
      5_000_000n,
      `ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48@1/transfer?address=${RECIPIENT}&uint256=5000000`,
    ],
  ])('asks for %s', (_what, chainId, asset, amount, expected) => {
    expect(paymentUri({ chain: { chainId }, asset, address: RECIPIENT, amount })).toBe(expected);
  });

  it.each(CHAIN_CATALOGUE.map((chain) => [chain.slug, chain] as const))(
    'names the chain id of %s for its coin and for every token',
    (_slug, chain) => {
      for (const asset of chain.assets) {
        const contract = contractAddressOf(asset.asset);
        const uri = paymentUri({ chain, asset, address: RECIPIENT, amount: 7n });
        expect(uri).toBe(
          contract
            ? `ethereum:${contract}@${chain.chainId}/transfer?address=${RECIPIENT}&uint256=7`
            : `ethereum:${RECIPIENT}@${chain.chainId}?value=7`,
        );
      }
    },
  );

  it('prints any address with its checksum', () => {
    const address = RECIPIENT.toLowerCase();
    expect(paymentUri({ chain: { chainId: 1 }, asset: native, address, amount: 1n })).toContain(RECIPIENT);
  });

  it.each([
    ['nothing', RECIPIENT, 0n],
    ['less than nothing', RECIPIENT, -1n],
    ['to no address', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 1n],
    ['to a mistyped address', '0xf39fd6e51aad88F6F4ce6aB8827279cffFb92266', 1n],
  ])('refuses to ask for %s', (_what, address, amount) => {
    expect(() => paymentUri({ chain: { chainId: 1 }, asset: native, address, amount })).toThrow();
  });
});
