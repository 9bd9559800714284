import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from '../../src/webhooks/webhook-signature.pure.js';
import { WebhookError, type WebhookRefusal } from './errors.js';
import { verifyWebhook, type WebhookRequest } from './webhooks.js';

/** The vector of docs/how-to/webhooks.md. */
const BODY =
  '{"id":"0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11","event":"payment.received","createdAt":"2026-01-15T10:20:00Z","payment":{"id":"550e8400-e29b-41d4-a716-446655440000","status":"RECEIVED"}}';
const ID = '0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11';
const SECRET = 'your_webhook_secret';
const TIMESTAMP = 1768472400;
const now = new Date(TIMESTAMP * 1000);
const VECTOR = {
  'X-PaymentService-Timestamp': String(TIMESTAMP),
  'X-PaymentService-Signature': '5f7ec9a1a5cf40d0da05ae5df4a06d1b05ed369b7b59a350163f5568fdbc1a78',
};

interface Sent {
  body?: string;
  current?: string;
  previous?: string | null;
  id?: string;
  type?: string;
  unixSeconds?: number;
}

/** A request as the gateway itself signs it. */
function sent({ body = BODY, current = SECRET, previous = null, ...more }: Sent = {}) {
  const message = {
    id: ID,
    type: 'payment.received',
    body: Buffer.from(body),
    unixSeconds: TIMESTAMP,
    ...more,
  };
  return { headers: signatureHeaders(message, { current, previous }), body, secret: current, now };
}

async function reasonOf(request: WebhookRequest): Promise<WebhookRefusal | 'accepted'> {
  try {
    await verifyWebhook(request);
    return 'accepted';
  } catch (error) {
    if (error instanceof WebhookError) return error.reason;
    throw error;
  }
}

const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe('verifyWebhook', () => {
  it('accepts a body signed by the gateway and returns its event', async () => {
    expect(await verifyWebhook(sent())).toEqual(JSON.parse(BODY));
  });

  it('accepts the documented vector of the plain scheme', async () => {
    const event = await verifyWebhook({ headers: VECTOR, body: BODY, secret: SECRET, now, scheme: 'plain' });
    expect(event?.event).toBe('payment.received');
  });

  it('accepts signatures of the official Standard Webhooks library', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const signature = new Webhook(secret).sign(ID, now, BODY);
    const headers = {
      'webhook-id': ID,
      'webhook-timestamp': String(TIMESTAMP),
      'webhook-signature': signature,
    };
    expect(await reasonOf({ headers, body: BODY, secret, now, scheme: 'standard' })).toBe('accepted');
    // By default both schemes are demanded.
    expect(await reasonOf({ headers, body: BODY, secret, now })).toBe('missing_header');
  });

  it.each<[string, (request: ReturnType<typeof sent>) => WebhookRequest]>([
    ['bytes', (request) => ({ ...request, body: new TextEncoder().encode(BODY) })],
    [
      'a Buffer inside a larger one',
      (request) => ({ ...request, body: Buffer.from(`xx${BODY}yy`).subarray(2, -2) }),
    ],
    ['fetch headers', (request) => ({ ...request, headers: new Headers(request.headers) })],
    [
      "Node's headers",
      (request) => ({
        ...request,
        headers: { ...lowerCase(request.headers), cookie: undefined, 'set-cookie': ['a', 'b'] },
      }),
    ],
  ])('accepts %s', async (_name, change) => expect(await reasonOf(change(sent()))).toBe('accepted'));

  it('reads amounts exactly', async () => {
    const body = BODY.replace(
      '"RECEIVED"',
      '"RECEIVED","amount":{"amount":1500000000000000001,"atomic":"1500000000000000001"}',
    );
    const event = await verifyWebhook(sent({ body }));
    if (event?.event !== 'payment.received') throw new Error('another event');
    expect(event.payment.amount.amount).toBe(1_500_000_000_000_000_001n);
  });

  it('returns an event that is not about a payment', async () => {
    const change = { state: 'pending', family: 'evm' };
    const body = JSON.stringify({
      id: ID,
      event: 'wallet.changed',
      createdAt: '2026-01-15T10:20:00Z',
      change,
    });
    const type = 'wallet.changed';
    expect(await verifyWebhook(sent({ body, type }))).toMatchObject({ event: type, change });
    expect(await reasonOf(sent({ body: body.replace('state', 'status'), type }))).toBe('malformed_body');
  });

  describe('while the secret changes', () => {
    const request = sent({ current: 'new secret', previous: SECRET });
    it.each<[string, string | string[], WebhookRefusal | 'accepted']>([
      ['the new secret', 'new secret', 'accepted'],
      ['the old secret', SECRET, 'accepted'],
      ['both', [SECRET, 'new secret'], 'accepted'],
      ['another and the old one', ['third', SECRET], 'accepted'],
      ['others', ['third', 'fourth'], 'bad_signature'],
    ])('checks both schemes against %s', async (_name, secret, outcome) =>
      expect(await reasonOf({ ...request, secret })).toBe(outcome),
    );
    it('accepts a signature by one of two known secrets', async () =>
      expect(await reasonOf({ ...sent(), secret: ['new secret', SECRET] })).toBe('accepted'));
    it('rejects the new secret alone without its own header', async () => {
      const { 'X-PaymentService-Signature-Previous': _other, ...headers } = request.headers;
      expect(await reasonOf({ ...request, headers, secret: 'new secret' })).toBe('bad_signature');
    });
  });

  it.each<[string, number, number | undefined, WebhookRefusal | 'accepted']>([
    ['at the edge of the past', 300, undefined, 'accepted'],
    ['past it', 301, undefined, 'too_old'],
    ['at the edge of the future', -300, undefined, 'accepted'],
    ['past it', -301, undefined, 'too_new'],
    ['with a tolerance of its own', 11, 10, 'too_old'],
    ['with none', 1, 0, 'too_old'],
    ['replayed a day later', 86_400, undefined, 'too_old'],
  ])('%s (%i s, tolerance %s): %s', async (_name, age, toleranceSeconds, outcome) => {
    const later = new Date((TIMESTAMP + age) * 1000);
    expect(
      await reasonOf({ ...sent(), now: later, ...(toleranceSeconds !== undefined && { toleranceSeconds }) }),
    ).toBe(outcome);
  });

  describe('every mutation', () => {
    const request = sent();
    const signed = Object.keys(request.headers).filter((name) => name !== 'X-PaymentService-Event');
    const flip = (text: string, at: number) =>
      text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
    const withHeader = (name: string, value: string) => ({
      ...request,
      headers: { ...request.headers, [name]: value },
    });

    it('of one bit in any byte of the body is rejected', async () => {
      for (let at = 0; at < BODY.length; at++)
        expect([at, await reasonOf({ ...request, body: flip(BODY, at) })]).toEqual([at, 'bad_signature']);
    });

    it.each([
      ['cut', BODY.slice(0, -1)],
      ['extended', `${BODY} `],
      ['reformatted', JSON.stringify(JSON.parse(BODY), null, 1)],
      ['with a byte order mark', `\ufeff${BODY}`],
      ['empty', ''],
    ])('of the body is rejected: %s', async (_name, body) =>
      expect(await reasonOf({ ...request, body })).toBe('bad_signature'),
    );

    it.each(signed)('of any character of %s is rejected', async (name) => {
      const value = request.headers[name] ?? '';
      for (let at = 0; at < value.length; at++) {
        const outcome = await reasonOf(withHeader(name, flip(value, at)));
        expect(['bad_signature', 'malformed_header']).toContain(outcome);
      }
      for (const changed of ['', ' ', value.slice(1), value.slice(0, -1), `${value}0`, value.repeat(2)])
        expect(['bad_signature', 'malformed_header', 'missing_header']).toContain(
          await reasonOf(withHeader(name, changed)),
        );
    });

    it.each(signed)('that leaves out %s is rejected', async (name) => {
      const { [name]: _gone, ...headers } = request.headers;
      expect(await reasonOf({ ...request, headers })).toBe('missing_header');
    });

    it.each(signed)('that repeats %s is rejected', async (name) => {
      const value = request.headers[name] ?? '';
      const headers = { ...request.headers, [name.toUpperCase()]: value };
      expect(await reasonOf({ ...request, headers })).toBe('malformed_header');
      expect(await reasonOf({ ...request, headers: { ...request.headers, [name]: [value, value] } })).toBe(
        'malformed_header',
      );
    });

    it.each([
      ['-1'],
      ['1768472400.0'],
      ['1.7684724e9'],
      ['0x6968b9d0'],
      ['01768472400'],
      [' 1768472400'],
      ['1768472400, 1768472400'],
      ['9999999999999'],
    ])('of the timestamp to an ambiguous form is rejected: %s', async (timestamp) => {
      for (const name of ['webhook-timestamp', 'X-PaymentService-Timestamp'])
        expect(await reasonOf(withHeader(name, timestamp))).toBe('malformed_header');
    });

    it('of the event header, which no signature covers, is rejected', async () =>
      expect(await reasonOf(withHeader('X-PaymentService-Event', 'payment.completed'))).toBe(
        'header_mismatch',
      ));

    it('that mixes the schemes of two attempts is rejected', async () => {
      const other = sent({ unixSeconds: TIMESTAMP + 1 });
      const headers = {
        ...request.headers,
        'X-PaymentService-Timestamp': other.headers['X-PaymentService-Timestamp'],
        'X-PaymentService-Signature': other.headers['X-PaymentService-Signature'],
      };
      expect(await reasonOf({ ...request, headers })).toBe('header_mismatch');
    });

    it('that signs a header id different from the id of the body is rejected', async () =>
      expect(await reasonOf(sent({ id: 'another' }))).toBe('header_mismatch'));

    it('that makes the list of signatures too long is rejected', async () =>
      expect(await reasonOf(withHeader('webhook-signature', 'v1,AAAA '.repeat(1000)))).toBe(
        'malformed_header',
      ));

    it('that changes the version of a signature is rejected', async () => {
      const value = (request.headers['webhook-signature'] ?? '').replace('v1,', 'v2,');
      expect(await reasonOf(withHeader('webhook-signature', value))).toBe('bad_signature');
    });
  });

  it.each([
    ['another secret', 'your_webhook_secret2'],
    ['the secret with a space', `${SECRET} `],
    ['a prefix without base64', `whsec_${SECRET}`],
  ])('rejects %s', async (_name, secret) =>
    expect(await reasonOf({ ...sent(), secret })).toBe('bad_signature'),
  );

  it.each([
    ['decodes', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['leaves the unpadded', 'whsec_abc'],
    ['leaves the empty', 'whsec_'],
    ['reads as UTF-8', 'пароль'],
  ])('%s the same secrets as the gateway: %s', async (_name, current) =>
    expect(await reasonOf(sent({ current }))).toBe('accepted'),
  );

  it.each([
    '',
    'null',
    '[]',
    '{}',
    'not json',
    '{"id":"0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11"}',
    BODY.replace('"status"', '"x"'),
    BODY.replace('{', '{"id":"1",'),
  ])('rejects a signed body that is not an event: %s', async (body) =>
    expect(await reasonOf(sent({ body }))).toBe('malformed_body'),
  );

  it('rejects bytes that are not UTF-8', async () => {
    const body = Buffer.from(BODY.replace('RECEIVED', 'RECEIV\xff'), 'latin1');
    const headers = signatureHeaders(
      { id: ID, type: 'payment.received', body, unixSeconds: TIMESTAMP },
      { current: SECRET, previous: null },
    );
    expect(await reasonOf({ headers, body, secret: SECRET, now })).toBe('malformed_body');
  });

  it.each<[string, Partial<Record<keyof WebhookRequest, unknown>>, RegExp]>([
    ['a parsed body', { body: JSON.parse(BODY) as unknown }, /^body: the raw body/],
    ['no body', { body: undefined }, /^body/],
    ['no secret', { secret: undefined }, /^secret/],
    ['an empty secret', { secret: '' }, /^secret/],
    ['a placeholder', { secret: '<webhook secret>' }, /^secret: this is a placeholder/],
    ['a variable that no shell filled in', { secret: '$WEBHOOK_SECRET' }, /placeholder/],
    ['an empty list', { secret: [] }, /^secret/],
    ['an empty secret among good ones', { secret: [SECRET, ''] }, /^secret/],
    ['a tolerance that is no number', { toleranceSeconds: Number.NaN }, /^toleranceSeconds/],
    ['a broken clock', { now: new Date('x') }, /^now/],
  ])('throws a TypeError for %s', async (_name, change, message) => {
    const broken = { ...sent(), ...change } as WebhookRequest;
    await expect(verifyWebhook(broken)).rejects.toThrow(TypeError);
    await expect(verifyWebhook(broken)).rejects.toThrow(message);
  });

  describe('a test event', () => {
    const body = BODY.replace('"event"', '"test":true,"event"');

    it('returns null, so that a handler ships nothing', async () => {
      expect(await verifyWebhook(sent({ body }))).toBeNull();
      expect(await verifyWebhook({ ...sent({ body }), allowTest: false })).toBeNull();
      // What a JavaScript caller may send.
      const undecided = { ...sent({ body }), allowTest: undefined } as unknown as WebhookRequest;
      expect(await verifyWebhook(undecided)).toBeNull();
    });

    it('is returned when allowTest is set', async () => {
      const event = await verifyWebhook({ ...sent({ body }), allowTest: true });
      expect(event).toMatchObject({ id: ID, test: true, event: 'payment.received' });
    });

    it('needs a valid signature', async () => {
      expect(await reasonOf({ ...sent({ body }), secret: 'another' })).toBe('bad_signature');
      // A real event cannot be made a test event on its way, nor the other way round.
      expect(await reasonOf({ ...sent({ body }), body: BODY })).toBe('bad_signature');
      expect(await reasonOf({ ...sent(), body })).toBe('bad_signature');
    });

    it.each(['"true"', '1', '"no"'])('is recognized by %s', async (value) =>
      expect(await verifyWebhook(sent({ body: body.replace('true', value) }))).toBeNull(),
    );

    it.each(['false', 'null'])('is not recognized by %s', async (value) =>
      expect(await verifyWebhook(sent({ body: body.replace('true', value) }))).toMatchObject({ id: ID }),
    );
  });

  it('checks the timestamp against the clock by default', async () => {
    const { now: _now, ...request } = sent();
    expect(await reasonOf(request)).toBe('too_old');
    const fresh = sent({ unixSeconds: Math.floor(Date.now() / 1000) });
    expect(await reasonOf({ headers: fresh.headers, body: fresh.body, secret: SECRET })).toBe('accepted');
  });
});
