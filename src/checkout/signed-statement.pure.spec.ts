import { signingKeyOf, signStatement } from '../platform/kernel/signing-key.pure.js';
import { encodeInstructions, type InstructionsStatement } from './signed-statement.pure.js';

/** RFC 8037, appendix A.1. */
const SEED = Buffer.from('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', 'base64url');
const STATEMENT: InstructionsStatement = {
  paymentId: '550e8400-e29b-41d4-a716-446655440000',
  chain: 'ethereum',
  chainId: 1,
  asset: 'USDC',
  contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  decimals: 6,
  address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  memo: null,
  amount: 100_000_000n,
  expiresAt: new Date('2026-01-15T10:17:00Z'),
};
const SIGNATURE =
  'eyJhbGciOiJFZERTQSIsInR5cCI6InBheW1lbnQtaW5zdHJ1Y3Rpb25zK2p3cyIsImtpZCI6ImtQcktfcW14VldhWVZBOXd3QkY2SXVvM3ZWeno3VHhIQ1R3WEJ5Z3JTNGsifQ' +
  '.eyJ2IjoxLCJwYXltZW50SWQiOiI1NTBlODQwMC1lMjliLTQxZDQtYTcxNi00NDY2NTU0NDAwMDAiLCJjaGFpbiI6ImV0aGVyZXVtIiwiY2hhaW5JZCI6MSwiYXNzZXQiOiJVU0RDIiwiY29udHJhY3QiOiIweEEwYjg2OTkxYzYyMThiMzZjMWQxOUQ0YTJlOUViMGNFMzYwNmVCNDgiLCJkZWNpbWFscyI6NiwiYWRkcmVzcyI6IjB4OTg1OEVmRkQyMzJCNDAzM0U0N2Q5MDAwM0Q0MUVDMzRFY2FFZGE5NCIsIm1lbW8iOm51bGwsImFtb3VudCI6IjEwMDAwMDAwMCIsImV4cGlyZXNBdCI6IjIwMjYtMDEtMTVUMTA6MTc6MDBaIn0' +
  '.fU_rPxZVykUIyr2bujgBbc4RwnIuScW3IascYc_xFkccSPpuDVOeSSSQo7l5jjPU34cMbEJI7-5EDsVSNhuVCg';

describe('encodeInstructions', () => {
  it('writes the bytes of the test vector (specification/instructions.md#test-vector)', () => {
    expect(encodeInstructions(STATEMENT)).toBe(
      '{"v":1,"paymentId":"550e8400-e29b-41d4-a716-446655440000","chain":"ethereum","chainId":1,"asset":"USDC",' +
        '"contract":"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48","decimals":6,' +
        '"address":"0x9858EfFD232B4033E47d90003D41EC34EcaEda94","memo":null,"amount":"100000000",' +
        '"expiresAt":"2026-01-15T10:17:00Z"}',
    );
  });

  it('writes null where there is no chain id and no contract, and all digits of an amount', () => {
    const bitcoin = { ...STATEMENT, chainId: null, contract: null, amount: 2n ** 256n - 1n };
    expect(JSON.parse(encodeInstructions(bitcoin))).toMatchObject({
      chainId: null,
      contract: null,
      amount: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
    });
  });

  it.each([
    ['paymentId', 'another'],
    ['chain', 'bsc'],
    ['chainId', 56],
    ['asset', 'USDT'],
    ['contract', null],
    ['decimals', 18],
    ['address', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['memo', '7'],
    ['amount', 100_000_001n],
    ['expiresAt', new Date('2026-01-15T10:17:01Z')],
  ] as const)('differs when %s differs', (field, value) => {
    expect(encodeInstructions({ ...STATEMENT, [field]: value })).not.toBe(encodeInstructions(STATEMENT));
  });
});

describe('signStatement', () => {
  const key = signingKeyOf(SEED);

  it('signs the test vector, the same each time', () => {
    const sign = () => signStatement(key, 'payment-instructions+jws', encodeInstructions(STATEMENT));
    expect([sign(), sign()]).toEqual([SIGNATURE, SIGNATURE]);
  });
});
