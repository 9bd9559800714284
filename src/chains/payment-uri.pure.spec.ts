import type { AddressFamily } from './chain.pure.js';
import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import { contractAddressOf } from './contract-address.pure.js';
import { paymentUri, qrContent } from './payment-uri.pure.js';

const SEGWIT = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';
const RECIPIENT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const native = { asset: 'native', decimals: 18 };

describe('paymentUri', () => {
  it.each<[string, AddressFamily, string, bigint, string]>([
    [
      'the example of BIP21 with an amount',
      'bitcoin',
      '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W',
      5_000_000_000n,
      'bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?amount=50.00000000',
    ],
    ['one satoshi', 'bitcoin', SEGWIT, 1n, `bitcoin:${SEGWIT}?amount=0.00000001`],
    [
      'the whole supply of Bitcoin',
      'bitcoin',
      SEGWIT,
      2_100_000_000_000_000n,
      `bitcoin:${SEGWIT}?amount=21000000.00000000`,
    ],
    ['litecoins', 'litecoin', 'ltc1qabc', 155_470n, 'litecoin:ltc1qabc?amount=0.00155470'],
    [
      'dogecoins beyond 2^53',
      'dogecoin',
      'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L',
      14_000_000_000_000_000_001n,
      'dogecoin:DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L?amount=140000000000.00000001',
    ],
    [
      'a cash address, which already has the scheme',
      'bitcoincash',
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      150_000_000n,
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a?amount=1.50000000',
    ],
    [
      'a cash address of a test network, which has its own scheme',
      'bitcoincash',
      'bchreg:qpm2qsznhks23z7629mms6s4cwef74vcwv',
      1n,
      'bchreg:qpm2qsznhks23z7629mms6s4cwef74vcwv?amount=0.00000001',
    ],
  ])('encodes %s', (_what, family, address, amount, expected) => {
    const asset = { asset: 'native', decimals: 8 };
    expect(paymentUri({ chain: { family, chainId: null }, asset, address, amount })).toBe(expected);
  });

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
      { asset: USDC, decimals: 6 },
      5_000_000n,
      `ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48@1/transfer?address=${RECIPIENT}&uint256=5000000`,
    ],
  ])('encodes %s', (_what, chainId, asset, amount, expected) => {
    expect(paymentUri({ chain: { family: 'evm', chainId }, asset, address: RECIPIENT, amount })).toBe(
      expected,
    );
  });

  it.each(
    CHAIN_CATALOG.filter(({ family }) => family === 'evm').map((chain) => [chain.slug, chain] as const),
  )('includes the chain id of %s for its coin and every token', (_slug, chain) => {
    for (const asset of chain.assets) {
      const contract = contractAddressOf('evm', asset.asset);
      const uri = paymentUri({ chain, asset, address: RECIPIENT, amount: 7n });
      expect(uri).toBe(
        contract
          ? `ethereum:${contract}@${chain.chainId}/transfer?address=${RECIPIENT}&uint256=7`
          : `ethereum:${RECIPIENT}@${chain.chainId}?value=7`,
      );
    }
  });

  it('returns null on Tron, whose wallets agree on no link', () => {
    const address = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH';
    const chain = { family: 'tron', chainId: null } as const;
    expect(paymentUri({ chain, asset: { asset: 'native', decimals: 6 }, address, amount: 1n })).toBeNull();
    expect(() => paymentUri({ chain, asset: native, address, amount: 0n })).toThrow('an amount above zero');
  });

  it('writes addresses in their checksum spelling', () => {
    const address = RECIPIENT.toLowerCase();
    expect(
      paymentUri({ chain: { family: 'evm', chainId: 1 }, asset: native, address, amount: 1n }),
    ).toContain(RECIPIENT);
  });

  it.each([
    ['a link', 'bitcoin', `bitcoin:${SEGWIT}`],
    ['another scheme', 'bitcoincash', 'javascript:qpm2'],
    ['a query', 'dogecoin', 'DH5y?amount=1'],
  ] as const)('rejects %s as an address', (_what, family, address) => {
    const asset = { asset: 'native', decimals: 8 };
    expect(() => paymentUri({ chain: { family, chainId: null }, asset, address, amount: 1n })).toThrow(
      /not an address/,
    );
  });

  it.each([
    ['zero', RECIPIENT, 0n],
    ['a negative amount', RECIPIENT, -1n],
    ['a payment to an address of another family', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 1n],
    ['a payment to a mistyped address', '0xf39fd6e51aad88F6F4ce6aB8827279cffFb92266', 1n],
  ])('rejects %s', (_what, address, amount) => {
    expect(() =>
      paymentUri({ chain: { family: 'evm', chainId: 1 }, asset: native, address, amount }),
    ).toThrow();
  });
});

describe('qrContent', () => {
  it.each<[string, AddressFamily, string, string | null, string]>([
    ['an EVM coin', 'evm', RECIPIENT, `ethereum:${RECIPIENT}@1?value=1`, RECIPIENT],
    ['a token', 'evm', RECIPIENT, `ethereum:${USDC}@1/transfer?address=${RECIPIENT}&uint256=1`, RECIPIENT],
    ['an EVM address without its checksum', 'evm', RECIPIENT.toLowerCase(), null, RECIPIENT],
    ['Tron', 'tron', 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH', null, 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'],
    ['Bitcoin', 'bitcoin', SEGWIT, `bitcoin:${SEGWIT}?amount=1`, `bitcoin:${SEGWIT}?amount=1`],
    ['a remaining amount too small to send', 'bitcoin', SEGWIT, null, SEGWIT],
  ])('encodes %s', (_what, family, address, uri, expected) => {
    expect(qrContent({ family }, address, uri)).toBe(expected);
  });

  it('rejects a text that is not an EVM address', () => {
    expect(() => qrContent({ family: 'evm' }, SEGWIT, null)).toThrow('not an EVM address');
  });
});
