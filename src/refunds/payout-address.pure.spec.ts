import type { UtxoFamily } from '../chains/utxo/utxo-network.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { ADDRESS_PROBLEMS, parseTransactionHash, readPayoutAddress } from './payout-address.pure.js';

const CHAIN: Pick<Chain, 'family' | 'assets'> = {
  family: 'evm',
  assets: [
    { asset: 'native', currencyCode: 'ETH', decimals: 18, tokenStandard: null },
    {
      asset: '0xdac17f958d2ee523a2206206994597c13d831ec7',
      currencyCode: 'USDT',
      decimals: 6,
      tokenStandard: 'ERC-20',
    },
  ],
};
/** From the text of EIP-55. */
const GOOD = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('readPayoutAddress', () => {
  it.each([
    GOOD,
    GOOD.toLowerCase(),
    ` ${GOOD}\n`,
    `0x${GOOD.slice(2).toUpperCase()}`,
    GOOD.replace('0x', '0X'),
  ])('reads "%s" as the checksummed address', (text) => {
    expect(readPayoutAddress(CHAIN, text)).toEqual({
      address: GOOD,
      key: Buffer.from(GOOD.slice(2), 'hex'),
    });
  });

  it.each([
    ['nothing', '', 'malformed'],
    ['a name', 'alice.eth', 'malformed'],
    ['no prefix', GOOD.slice(2), 'malformed'],
    ['one digit missing', GOOD.slice(0, -1), 'malformed'],
    ['one extra digit', `${GOOD}0`, 'malformed'],
    ['a space inside', `${GOOD.slice(0, 20)} ${GOOD.slice(20)}`, 'malformed'],
    ['an address of another chain', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'malformed'],
    ['a payment link', `ethereum:${GOOD}`, 'malformed'],
    ['one letter in the wrong case', GOOD.replace('aAeb', 'aaeb'), 'checksum'],
    ['one digit mistyped', GOOD.replace('6053', '6054'), 'checksum'],
    ['the zero address', `0x${'0'.repeat(40)}`, 'unspendable'],
    ['a token', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'token_contract'],
    ['a private key', `0x${'4f3edf98'.repeat(8)}`, 'secret'],
    ['a private key without prefix', '4f3edf98'.repeat(8), 'secret'],
    ['a private key between spaces', ` ${'4f3edf98'.repeat(8)} `, 'secret'],
    ['a WIF key', 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn', 'secret'],
    ['an extended private key', `xprv${'9'.repeat(107)}`, 'secret'],
    [
      'a recovery phrase',
      'legal winner thank year wave sausage worth useful legal winner thank yellow',
      'secret',
    ],
    [
      'a numbered recovery phrase',
      Array.from({ length: 12 }, (_, i) => `${i + 1}. zoo`).join('\n'),
      'secret',
    ],
  ] as const)('rejects %s', (_name, text, problem) => {
    expect(readPayoutAddress(CHAIN, text)).toEqual({ problem });
    expect(ADDRESS_PROBLEMS[problem]).toMatch(/^must /);
  });
});

describe('readPayoutAddress on UTXO chains', () => {
  const assets = [{ asset: 'native', currencyCode: 'BTC', decimals: 8, tokenStandard: null }];
  const on = (family: UtxoFamily, network: 'mainnet' | 'regtest' = 'mainnet') => ({
    family,
    network,
    assets,
  });
  const CASH = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
  const DOGE_SCRIPT = '76a9144a483568665dcdfa68dd58a1f62893448a64333988ac';
  const SEGWIT = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';

  it.each([
    [SEGWIT, on('bitcoin'), SEGWIT, '0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2'],
    // Its letters contain the prefix of an extended private key.
    [
      'bc1qpu8s70zprv8s7rc0pu8s7rc0pu8s7rc0hll8sf',
      on('bitcoin'),
      'bc1qpu8s70zprv8s7rc0pu8s7rc0pu8s7rc0hll8sf',
      '00140f0f0f3c411b0f0f0f0f0f0f0f0f0f0f0f0f0f0f',
    ],
    [SEGWIT.toUpperCase(), on('bitcoin'), SEGWIT, '0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2'],
    [
      'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh',
      on('bitcoin'),
      'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh',
      '5120a82f29944d65b86ae6b5e5cc75e294ead6c59391a1edc5e016e3498c67fc7bbb',
    ],
    [
      ' 1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA ',
      on('bitcoin'),
      '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA',
      '76a914d986ed01b7a22225a70edbf2ba7cfb63a15cb3aa88ac',
    ],
    ['DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC', on('dogecoin'), 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC', DOGE_SCRIPT],
    [
      'QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A',
      on('bitcoincash'),
      CASH,
      '76a91476a04053bda0a88bda5177b86a15c3b29f55987388ac',
    ],
    [
      'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq',
      on('bitcoincash'),
      'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq',
      'a91476a04053bda0a88bda5177b86a15c3b29f55987387',
    ],
  ])('reads "%s" as its output script', (text, chain, address, script) => {
    expect(readPayoutAddress(chain, text)).toEqual({ address, key: Buffer.from(script, 'hex') });
  });

  it.each([
    ['nothing', '', on('bitcoin'), 'malformed'],
    ['an EVM address', GOOD, on('bitcoin'), 'malformed'],
    ['an address of another chain', SEGWIT, on('litecoin'), 'malformed'],
    ['an address of another network', SEGWIT, on('bitcoin', 'regtest'), 'malformed'],
    ['a legacy address of another chain', '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA', on('litecoin'), 'malformed'],
    ['a mistyped address', SEGWIT.replace('r8te', 'r8tf'), on('bitcoin'), 'checksum'],
    ['letters of both cases', SEGWIT.replace('cr8te', 'CR8TE'), on('bitcoin'), 'checksum'],
    ['a mistyped legacy address', '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabB', on('bitcoin'), 'checksum'],
    ['an address without an owner', '1111111111111111111114oLvT2', on('bitcoin'), 'unspendable'],
    ['a private key', 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn', on('bitcoin'), 'secret'],
    ['a link', `bitcoin:${SEGWIT}`, on('bitcoin'), 'malformed'],
    ['a segwit address', SEGWIT, on('dogecoin'), 'malformed'],
    ['a mistyped address', 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgD', on('dogecoin'), 'checksum'],
    ['a legacy address', '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA', on('bitcoincash'), 'malformed'],
    ['a mistyped cash address', CASH.replace('gdx6a', 'gdx6q'), on('bitcoincash'), 'checksum'],
    ['a cash address of another network', CASH, on('bitcoincash', 'regtest'), 'malformed'],
  ] as const)('rejects %s', (_name, text, chain, problem) => {
    expect(readPayoutAddress(chain, text)).toEqual({ problem });
  });

  it('accepts transaction hashes of 64 digits without a prefix', () => {
    expect(parseTransactionHash({ family: 'bitcoin' }, ` ${'AB'.repeat(32)}`)).toBe('ab'.repeat(32));
    expect(parseTransactionHash({ family: 'bitcoin' }, `0x${'ab'.repeat(32)}`)).toBeNull();
    expect(parseTransactionHash({ family: 'litecoin' }, 'ab'.repeat(31))).toBeNull();
  });
});

describe('readPayoutAddress on Tron', () => {
  const TRON: Pick<Chain, 'family' | 'assets' | 'network'> = {
    family: 'tron',
    network: 'mainnet',
    assets: [
      { asset: 'native', currencyCode: 'TRX', decimals: 6, tokenStandard: null },
      {
        asset: '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c',
        currencyCode: 'USDT',
        decimals: 6,
        tokenStandard: 'TRC-20',
      },
    ],
  };
  const THEIRS = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH';

  it.each([THEIRS, ` ${THEIRS}\n`])('reads "%s"', (text) => {
    const key = Buffer.from('c8599111f29c1e1e061265b4af93ea1f274ad78a', 'hex');
    expect(readPayoutAddress(TRON, text)).toEqual({ address: THEIRS, key });
  });

  it.each([
    ['nothing', '', 'malformed'],
    ['an EVM address', GOOD, 'malformed'],
    ['an address in hexadecimal', '41c8599111f29c1e1e061265b4af93ea1f274ad78a', 'malformed'],
    ['a mistyped address', THEIRS.replace('TUE', 'TUF'), 'checksum'],
    ['an address without an owner', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'unspendable'],
    ['a token', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'token_contract'],
    ['a private key', '4f3edf98'.repeat(8), 'secret'],
  ] as const)('rejects %s', (_name, text, problem) => {
    expect(readPayoutAddress(TRON, text)).toEqual({ problem });
  });

  it('accepts transaction hashes of 64 digits without a prefix', () => {
    expect(parseTransactionHash(TRON, ` ${'AB'.repeat(32)}`)).toBe('ab'.repeat(32));
    expect(parseTransactionHash(TRON, `0x${'ab'.repeat(32)}`)).toBeNull();
  });
});

describe('parseTransactionHash', () => {
  const hash = `0x${'ab'.repeat(32)}`;
  it.each([hash, hash.toUpperCase().replace('0X', '0x'), ` ${hash} `])('reads "%s"', (text) => {
    expect(parseTransactionHash(CHAIN, text)).toBe(hash);
  });
  it.each(['', '0x', hash.slice(2), hash.slice(0, -1), `${hash}0`, hash.replace('ab', 'zz')])(
    'rejects "%s"',
    (text) => {
      expect(parseTransactionHash(CHAIN, text)).toBeNull();
    },
  );
});
