import { matchingStep, newTotpSecret, totpStep, totpUri } from './totp.pure.js';

/** RFC 6238 appendix B: the secret of the SHA-1 rows, base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
/** Its times and codes; the RFC prints eight digits, of which six-digit codes are the last six. */
const VECTORS: [unixSeconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];
const [NOW, CODE] = [1_111_111_109, '081804'];
const STEP = totpStep(NOW);

describe('a code', () => {
  it.each(VECTORS)('at %d equals the test vector of RFC 6238', (unixSeconds, code) => {
    expect(matchingStep(SECRET, code, unixSeconds, null)).toBe(totpStep(unixSeconds));
  });

  // NOW is the last second but none of its step: 1_111_111_080 to 1_111_111_109.
  it.each<[string, number, number | null]>([
    ['in the first second of its step', NOW - 29, STEP],
    ['in the last second of the step after it', NOW + 30, STEP],
    ['in the second after that', NOW + 31, null],
    ['in the first second of the step before it', NOW - 59, STEP],
    ['in the second before that', NOW - 60, null],
    ['an hour later', NOW + 3_600, null],
  ])('%s', (_when, unixSeconds, step) => {
    expect(matchingStep(SECRET, CODE, unixSeconds, null)).toBe(step);
  });

  it.each<[string, number | null, number | null]>([
    ['was never used', null, STEP],
    ['comes after an older one', STEP - 1, STEP],
    ['was used', STEP, null],
    ['is older than the last one', STEP + 1, null],
  ])('that %s', (_what, after, step) => {
    expect(matchingStep(SECRET, CODE, NOW, after)).toBe(step);
  });

  it.each(['', '08180', '0818040', '081805', '81804', 'abcdef', '０８１８０４', '-81804'])(
    'of the form %j is rejected',
    (text) => {
      expect(matchingStep(SECRET, text, NOW, null)).toBeNull();
    },
  );

  it('of another secret is invalid', () => {
    expect(matchingStep(newTotpSecret(), CODE, NOW, null)).toBeNull();
  });
});

describe('a secret', () => {
  it('has 160 bits and is different each time', () => {
    const secrets = Array.from({ length: 50 }, newTotpSecret);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new Set(secrets).size).toBe(50);
  });

  it('is encoded as the URI that authenticator apps scan', () => {
    const uri = new URL(totpUri(SECRET, 'pay.example', 'me+shop@example.test'));
    expect(uri.href).toMatch(/^otpauth:\/\/totp\/pay\.example:me%2Bshop%40example\.test\?/);
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'pay.example',
      secret: SECRET,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
