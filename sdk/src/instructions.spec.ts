import { encodeDepositAddress, encodeInstructions } from '../../src/checkout/signed-statement.pure.js';
import { signingKeyOf, signStatement } from '../../src/platform/kernel/signing-key.pure.js';
import type { DepositAddress, PaymentInstructions } from './api-types.js';
import { verifyDepositAddress, verifyInstructions } from './instructions.js';

const OWN = signingKeyOf(Buffer.alloc(32, 1));
const FORMER = signingKeyOf(Buffer.alloc(32, 2));
const KEYS = [OWN.public.x];
const PAYMENT = '550e8400-e29b-41d4-a716-446655440000';
const ADDRESS = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94';
const THIEF = '0x52908400098527886E0F7030069857D2E4169EE7';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const NOW = new Date('2026-01-15T10:02:00Z');
const OPTIONS = { keys: KEYS, paymentId: PAYMENT, now: NOW };
const STATEMENT = {
  paymentId: PAYMENT,
  chain: 'ethereum',
  chainId: 1,
  asset: 'USDC',
  contract: USDC,
  decimals: 6,
  address: ADDRESS,
  memo: null,
  amount: 100_000_000n,
  expiresAt: new Date('2026-01-15T10:17:00Z'),
};
const TYPE = 'payment-instructions+jws';
const signatureOf = (changes: object = {}, key = OWN) =>
  signStatement(key, TYPE, encodeInstructions({ ...STATEMENT, ...changes }));

const amountOf = (atomic: string, formatted: string, code = 'USDC', decimals = 6) => ({
  atomic,
  formatted,
  decimals,
  currency: { code },
});
const SHOWN = {
  paymentId: PAYMENT,
  provider: 'ethereum',
  method: 'usdc',
  blockchain: { slug: 'ethereum', name: 'Ethereum', chainId: 1, testnet: false },
  token: { standard: 'ERC-20', contractAddress: USDC, decimals: 6 },
  address: ADDRESS,
  memo: null,
  amount: amountOf('100000000', '100.000000 USDC'),
  remainingAmount: amountOf('40000000', '40.000000 USDC'),
  paymentUri: `ethereum:${USDC}@1/transfer?address=${ADDRESS}&uint256=40000000`,
  qrCode: { content: ADDRESS },
  expiresAt: '2026-01-15T10:17:00Z',
  signatures: [signatureOf()],
};
const verify = (changes: object = {}, options: object = {}) =>
  verifyInstructions({ ...SHOWN, ...changes } as unknown as PaymentInstructions, { ...OPTIONS, ...options });

const nativeStatement = { asset: 'ETH', contract: null, decimals: 18, amount: 5n * 10n ** 16n };
function native() {
  return {
    method: 'eth',
    token: null,
    amount: amountOf('50000000000000000', '0.05000000 ETH', 'ETH', 18),
    remainingAmount: amountOf('50000000000000000', '0.05000000 ETH', 'ETH', 18),
    paymentUri: `ethereum:${ADDRESS}@1?value=50000000000000000`,
  };
}

describe('verifyInstructions', () => {
  it('returns what was signed', async () => {
    await expect(verify()).resolves.toEqual(STATEMENT);
  });

  it('accepts the JSON Web Key of the discovery route, and either key while it is being changed', async () => {
    const signatures = [signatureOf({}, FORMER), signatureOf()];
    await expect(verify({ signatures }, { keys: [FORMER.public] })).resolves.toEqual(STATEMENT);
    await expect(verify({ signatures }, { keys: [OWN.public] })).resolves.toEqual(STATEMENT);
  });

  const bitcoin = {
    chain: 'bitcoin',
    chainId: null,
    asset: 'BTC',
    contract: null,
    decimals: 8,
    address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    amount: 155_470n,
  };
  const shownBitcoin = (uri: string | null, address = bitcoin.address) => ({
    provider: 'bitcoin',
    method: 'btc',
    blockchain: { slug: 'bitcoin', name: 'Bitcoin', chainId: null, testnet: false },
    token: null,
    address,
    amount: amountOf('155470', '0.00155470 BTC', 'BTC', 8),
    remainingAmount: amountOf('155470', '0.00155470 BTC', 'BTC', 8),
    paymentUri: uri,
    qrCode: { content: uri ?? address },
    signatures: [signatureOf({ ...bitcoin, address })],
  });
  const cash = 'bitcoincash:qqyx49mu0kkn9ftfj6hje6g2wfer34yfnq5tahq3q6';

  it.each([
    ['with a BIP 21 link', shownBitcoin(`bitcoin:${bitcoin.address}?amount=0.0015547`)],
    ['with a link of a Bitcoin Cash address', shownBitcoin(`${cash}?amount=0.001`, cash)],
    ['without a link', shownBitcoin(null)],
    ['with the link of a native coin', { ...native(), signatures: [signatureOf(nativeStatement)] }],
  ])('accepts instructions %s', async (_title, changes) => {
    await expect(verify(changes)).resolves.toMatchObject({ paymentId: PAYMENT });
  });

  it.each([
    ['address', { address: THIEF }],
    ['paymentId', { paymentId: 'another' }],
    ['provider', { provider: 'bsc' }],
    ['method', { method: 'usdt' }],
    ['blockchain.slug', { blockchain: { ...SHOWN.blockchain, slug: 'bsc' } }],
    ['blockchain.chainId', { blockchain: { ...SHOWN.blockchain, chainId: 56 } }],
    ['token', { token: { ...SHOWN.token, contractAddress: THIEF } }],
    ['token', { token: null }],
    ['memo', { memo: '7' }],
    ['amount.atomic', { amount: amountOf('100000001', '100.000000 USDC') }],
    ['amount.formatted', { amount: amountOf('100000000', '1000.000000 USDC') }],
    ['amount.formatted', { amount: amountOf('100000000', '100.000000 USDT') }],
    ['amount.decimals', { amount: amountOf('100000000', '100.000000 USDC', 'USDC', 18) }],
    ['amount.currency', { amount: amountOf('100000000', '100.000000 USDC', 'USDT') }],
    ['remainingAmount.atomic', { remainingAmount: amountOf('100000001', '') }],
    ['remainingAmount.atomic', { remainingAmount: amountOf('-1', '') }],
    ['expiresAt', { expiresAt: '2026-01-15T11:17:00Z' }],
    ['qrCode.content', { qrCode: { content: THIEF } }],
    ['paymentUri', { paymentUri: SHOWN.paymentUri.replace(ADDRESS, THIEF) }],
    ['paymentUri', { paymentUri: SHOWN.paymentUri.replace(USDC, THIEF) }],
    ['paymentUri', { paymentUri: SHOWN.paymentUri.replace('@1', '@56') }],
    ['paymentUri', { paymentUri: SHOWN.paymentUri.replace('40000000', '100000001') }],
    ['paymentUri', { paymentUri: `${SHOWN.paymentUri}&address=${THIEF}` }],
    ['paymentUri', { paymentUri: `ethereum:${ADDRESS}@1?value=1` }],
    ['paymentUri', { paymentUri: `https://thief.example/${ADDRESS}?amount=1` }],
  ])('refuses a changed %s, and names it (%j)', async (field, changes) => {
    await expect(verify(changes)).rejects.toMatchObject({
      name: 'InstructionsError',
      reason: 'altered',
      message: expect.stringContaining(field),
    });
  });

  const [header = '', payload = '', mac = ''] = signatureOf().split('.');
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  it.each([
    ['bad_signature', 'a changed statement', [[header, encode({ v: 1, address: THIEF }), mac].join('.')]],
    ['unknown_key', 'the signature of another key', [signatureOf({}, FORMER)]],
    ['malformed', 'no signature', []],
    ['malformed', 'signatures that are no list', 'signature'],
    ['malformed', 'text that is no JWS', ['signature']],
    ['malformed', 'a JWS of four parts', [`${header}.${payload}.${mac}.${mac}`]],
    ['malformed', 'too many signatures', Array<string>(17).fill(signatureOf())],
    [
      'malformed',
      'another algorithm',
      [[encode({ alg: 'none', typ: TYPE, kid: OWN.public.kid }), payload, mac].join('.')],
    ],
    [
      'malformed',
      'the signature of a deposit address',
      [
        signStatement(
          OWN,
          'deposit-address+jws',
          encodeDepositAddress({ ...STATEMENT, family: 'evm', address: ADDRESS }),
        ),
      ],
    ],
    ['malformed', 'a version to come', [signStatement(OWN, TYPE, JSON.stringify({ v: 2 }))]],
  ])('refuses with %s: %s', async (reason, _title, signatures) => {
    await expect(verify({ signatures })).rejects.toMatchObject({ reason });
  });

  it('refuses validly signed instructions of another payment', async () => {
    const other = { paymentId: '0190f6a0-0000-7000-8000-000000000000' };
    await expect(verify({ ...other, signatures: [signatureOf(other)] })).rejects.toMatchObject({
      reason: 'other_payment',
    });
  });

  it('refuses instructions from the second on at which they expire, unless expired ones are allowed', async () => {
    const late = { now: STATEMENT.expiresAt };
    await expect(verify({}, late)).rejects.toMatchObject({ reason: 'expired' });
    await expect(verify({}, { ...late, allowExpired: true })).resolves.toEqual(STATEMENT);
  });

  it.each([
    ['no keys', { keys: [] }],
    ['keys that are no list', { keys: KEYS[0] }],
    ['a key of another kind', { keys: [{ kty: 'RSA', n: 'x' }] }],
    ['a key that is too short', { keys: ['abc'] }],
    ['no payment id', { paymentId: '' }],
  ])('throws a TypeError for %s', async (_title, options) => {
    await expect(verify({}, options)).rejects.toThrow(TypeError);
  });
});

describe('verifyDepositAddress', () => {
  const SHOWN_ADDRESS = {
    paymentId: PAYMENT,
    family: 'evm',
    address: ADDRESS,
    signatures: [
      signStatement(
        OWN,
        'deposit-address+jws',
        encodeDepositAddress({ paymentId: PAYMENT, family: 'evm', address: ADDRESS }),
      ),
    ],
  };
  const check = (changes: object = {}, paymentId = PAYMENT) =>
    verifyDepositAddress({ ...SHOWN_ADDRESS, ...changes } as DepositAddress, { keys: KEYS, paymentId });

  it('accepts the address that was signed for the payment', async () => {
    await expect(check()).resolves.toBeUndefined();
  });

  it.each([
    ['altered', { address: THIEF }, PAYMENT],
    ['altered', { family: 'tron' }, PAYMENT],
    ['other_payment', {}, 'another'],
    ['malformed', { signatures: [signatureOf()] }, PAYMENT],
  ])('refuses with %s: %j of payment %s', async (reason, changes, paymentId) => {
    await expect(check(changes, paymentId)).rejects.toMatchObject({ reason });
  });
});
