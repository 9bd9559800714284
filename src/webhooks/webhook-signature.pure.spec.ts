import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { mayHaveOtherSecret, signatureHeaders, signingKey } from './webhook-signature.pure.js';

const BODY = Buffer.from(
  '{"id":"0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11","event":"payment.received","createdAt":"2026-01-15T10:20:00Z",' +
    '"payment":{"id":"550e8400-e29b-41d4-a716-446655440000","status":"RECEIVED"}}',
);
const ID = '0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11';
const nowSeconds = () => Math.floor(Date.now() / 1000);
const message = (overrides: Partial<Parameters<typeof signatureHeaders>[0]> = {}) => ({
  id: ID,
  type: 'payment.received',
  body: BODY,
  unixSeconds: nowSeconds(),
  ...overrides,
});
const BASE64_SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;

describe('signingKey', () => {
  it.each([
    ['a plain secret is its UTF-8 bytes', 'your_webhook_secret', Buffer.from('your_webhook_secret')],
    ['a secret beyond ASCII too', 'señal-€', Buffer.from('señal-€', 'utf8')],
    ['whsec_ with base64 is decoded', BASE64_SECRET, Buffer.from('0123456789abcdef0123456789abcdef')],
    ['+ and / belong to base64', 'whsec_+/+/', Buffer.from([0xfb, 0xff, 0xbf])],
    ['one padding character', 'whsec_YWI=', Buffer.from('ab')],
    ['two padding characters', 'whsec_YQ==', Buffer.from('a')],
    ['without padding it is not base64', 'whsec_YQ', Buffer.from('whsec_YQ')],
    ['base64url is not base64', 'whsec_-_-_', Buffer.from('whsec_-_-_')],
    ['other characters are not base64', 'whsec_not base64', Buffer.from('whsec_not base64')],
    ['an empty remainder stays text', 'whsec_', Buffer.from('whsec_')],
    ['padding alone stays text', 'whsec_====', Buffer.from('whsec_====')],
    ['a trailing newline stays text', 'whsec_YWJj\n', Buffer.from('whsec_YWJj\n')],
    ['the prefix is case-sensitive', 'WHSEC_YWJj', Buffer.from('WHSEC_YWJj')],
  ])('%s', (_name, secret, key) => {
    expect(signingKey(secret)).toEqual(key);
  });
});

describe('signatureHeaders', () => {
  it('returns the signature of the published test vector', () => {
    const headers = signatureHeaders(message({ unixSeconds: 1768472400 }), {
      current: 'your_webhook_secret',
      previous: null,
    });
    expect(headers).toEqual({
      'webhook-id': ID,
      'webhook-timestamp': '1768472400',
      'webhook-signature': `v1,${createHmac('sha256', 'your_webhook_secret')
        .update(`${ID}.1768472400.${BODY.toString()}`)
        .digest('base64')}`,
      'X-PaymentService-Event': 'payment.received',
      'X-PaymentService-Timestamp': '1768472400',
      'X-PaymentService-Signature': '5f7ec9a1a5cf40d0da05ae5df4a06d1b05ed369b7b59a350163f5568fdbc1a78',
    });
  });

  it.each([
    ['whsec_<base64>', BASE64_SECRET, new Webhook(BASE64_SECRET)],
    [
      'a plain secret',
      'your_webhook_secret',
      new Webhook(Buffer.from('your_webhook_secret'), { format: 'raw' }),
    ],
  ])('is accepted by the official verifier with %s', (_name, secret, verifier) => {
    const headers = signatureHeaders(message(), { current: secret, previous: null });
    expect(verifier.verify(BODY, headers)).toMatchObject({ id: ID, event: 'payment.received' });
  });

  it('signs non-ASCII text as the bytes that are sent', () => {
    const body = Buffer.from('{"reference":"Größe 42 – 日本 🎉"}');
    const headers = signatureHeaders(message({ body }), { current: BASE64_SECRET, previous: null });
    expect(new Webhook(BASE64_SECRET).verify(body, headers)).toEqual({ reference: 'Größe 42 – 日本 🎉' });
  });

  it('signs with both secrets after a change, each scheme in its own way', () => {
    const headers = signatureHeaders(message(), { current: BASE64_SECRET, previous: 'old-secret' });
    const oldVerifier = new Webhook(Buffer.from('old-secret'), { format: 'raw' });
    expect(new Webhook(BASE64_SECRET).verify(BODY, headers)).toMatchObject({ id: ID });
    expect(oldVerifier.verify(BODY, headers)).toMatchObject({ id: ID });
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    const plain = (secret: string) =>
      createHmac('sha256', signingKey(secret))
        .update(`${headers['webhook-timestamp']}.${BODY.toString()}`)
        .digest('hex');
    expect(headers['X-PaymentService-Signature']).toBe(plain('old-secret'));
    expect(headers['X-PaymentService-Signature-Previous']).toBe(plain(BASE64_SECRET));
    const secrets = { current: BASE64_SECRET, previous: 'old-secret' };
    const repeated = signatureHeaders(message(), secrets, { isRepeated: true });
    expect(repeated['X-PaymentService-Signature']).toBe(plain(BASE64_SECRET));
    expect(repeated['X-PaymentService-Signature-Previous']).toBe(plain('old-secret'));
    expect(repeated['webhook-signature']).toBe(headers['webhook-signature']);
  });

  it.each([
    [400, 'old-secret', true],
    [403, 'old-secret', true],
    [500, 'old-secret', true],
    [400, null, false],
    [200, 'old-secret', false],
    [410, 'old-secret', false],
    [429, 'old-secret', false],
    [503, 'old-secret', false],
  ])(
    'an answer of %s with the previous secret %s may be for the other secret: %s',
    (status, previous, may) => {
      expect(mayHaveOtherSecret(status, { current: BASE64_SECRET, previous })).toBe(may);
    },
  );

  it.each([
    ['another body', { body: Buffer.from('{}') }],
    ['another id', { id: '0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e12' }],
    ['another second', { unixSeconds: nowSeconds() - 1 }],
  ])('is invalid for %s', (_name, change) => {
    const genuine = signatureHeaders(message(), { current: BASE64_SECRET, previous: null });
    const changed = signatureHeaders(message(change), { current: BASE64_SECRET, previous: null });
    expect(changed['webhook-signature']).not.toBe(genuine['webhook-signature']);
    const forged = { ...changed, 'webhook-signature': genuine['webhook-signature'] ?? '' };
    const body = 'body' in change ? change.body : BODY;
    expect(() => new Webhook(BASE64_SECRET).verify(body, forged)).toThrow('No matching signature found');
  });
});
