import { timesAsSlow } from '../../../test/support/times-as-slow.js';
import { redactFields, redactText } from './redaction.pure.js';

const XPUB = `xpub${'6CUGRUonZSQ4TWtTMmzXdrXDtypWKiKrhko4egpiMZbpiaQL2jkwSB1icqYh2cfDfVxdx4df189oLKnC5fSwqPfg'}`;

describe('redactText', () => {
  it.each([
    ['token pct_5m3qABC09 refused', 'token pct_[redacted] refused'],
    ['whsec_AbC+/=', 'whsec_[redacted]'],
    [`key ${XPUB}.`, 'key [redacted] extended key.'],
    [`zprv${XPUB.slice(4)}`, '[redacted] extended key'],
    ['GET /checkout/1?expires=1&signature=8bcb82', 'GET /checkout/1?expires=1&signature=[redacted]'],
    [
      'otpauth://totp/a:b?issuer=a&secret=GEZDGNBV&digits=6',
      'otpauth://totp/a:b?issuer=a&secret=[redacted]&digits=6',
    ],
    ['Authorization: Bearer abcdefgh.ijk', 'Authorization: Bearer [redacted]'],
    ['Basic dXNlcjpwYXNz', 'Basic [redacted]'],
    ['jwt eyJhbGciOi.eyJzdWIi.c2ln', 'jwt [redacted]'],
    ['postgres://user:p4ss@host/db', 'postgres://user:[redacted]@host/db'],
    ['https://host:8080/path@x', 'https://host:8080/path@x'],
    ['tx 0x8bcb8232f77ead3d3e6d8220a4dd4512', 'tx 0x8bcb8232f77ead3d3e6d8220a4dd4512'],
  ])('%s', (text, redacted) => expect(redactText(text)).toBe(redacted));

  it('redacts any 64 KiB about as fast as honest ones', () => {
    const redact = (part: string) => () => redactText(part.repeat(Math.ceil(65_536 / part.length)));
    const honest = redact('GET /api/payment 200 in 3 ms; https://user:password@shop.example/a?b=c ');
    for (const hostile of [
      'eyJ',
      'eyJ.',
      'pct_',
      'Bearer ',
      '://',
      '://a:',
      ' ',
      'signature=',
      'xpub',
      'a',
    ]) {
      expect(timesAsSlow(redact(hostile), honest)).toBeLessThan(50);
    }
  });
});

describe('redactFields', () => {
  it('redacts by key, at any depth and for any value', () => {
    expect(
      redactFields({
        Authorization: 'x',
        'set-cookie': ['x'],
        body: {
          client_secret: 'x',
          extendedPublicKey: { a: 'x' },
          newPassword: 1,
          accessTokens: [1],
          recoveryCodes: ['x'],
        },
        headers: [{ 'webhook-signature': 'x' }],
        signature: null,
        tokenId: 'kept',
        count: 10n ** 20n,
        key: Buffer.alloc(3),
      }),
    ).toEqual({
      Authorization: '[redacted]',
      'set-cookie': '[redacted]',
      body: {
        client_secret: '[redacted]',
        extendedPublicKey: '[redacted]',
        newPassword: '[redacted]',
        accessTokens: '[redacted]',
        recoveryCodes: '[redacted]',
      },
      headers: [{ 'webhook-signature': '[redacted]' }],
      signature: null,
      tokenId: 'kept',
      count: '100000000000000000000',
      key: '[3 bytes]',
    });
  });

  it('keeps message and stack of an error, not its parameters', () => {
    const cause = Object.assign(new Error('inner'), { code: '23505', parameters: ['the secret'] });
    const error = new Error('outer', { cause });
    expect(redactFields({ err: error })).toEqual({
      err: {
        type: 'Error',
        message: 'outer',
        stack: error.stack,
        cause: { type: 'Error', message: 'inner', code: '23505', stack: cause.stack },
      },
    });
  });

  it('cuts off circular structures', () => {
    const loop: Record<string, unknown> = { name: 'loop' };
    loop['self'] = loop;
    expect(JSON.stringify(redactFields(loop))).toContain('[deep]');
  });
});
