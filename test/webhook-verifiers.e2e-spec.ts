import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ApplicationsService } from '../src/applications/applications.service.js';
import { WebhookDispatcher } from '../src/webhooks/webhook-dispatcher.service.js';
import { TestEventsService } from '../src/webhooks/events/test-events.service.js';
import type { ReceivedWebhook } from './support/merchant-server.js';
import { verifyPlain, verifyStandard, verifyWebhook } from './support/webhook-verifiers.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';
import { Draft } from '../src/platform/web/contract/read-contract.js';

const ENCODED = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

interface Real extends ReceivedWebhook {
  secret: string;
  /** Its plain signature is in the second header. */
  isOther: boolean;
}
interface Mutant {
  headers?: IncomingHttpHeaders;
  body?: Buffer;
  secret?: string;
}

let harness: WebhookHarness;
/** What the gateway really sent: every event, a test event, a whsec_ secret, and two secrets at once, each a delivery. */
const deliveries: Real[] = [];
/** Of them, while the secret changed: what came first, and the repetition after a refusal. */
const during: { first: Real[]; repeated: Real[] } = { first: [], repeated: [] };
const counts = { deliveries: 0, mutants: 0 };

const NEXT = 'the new secret';

async function collect(merchant: Merchant): Promise<void> {
  await harness.drain();
  for (const request of merchant.server.requests.splice(0))
    deliveries.push({ ...request, secret: merchant.secret, isOther: false });
}

/** Changes the secret, and refuses an event once. */
async function collectDuringChange(merchant: Merchant): Promise<void> {
  await harness.gateway
    .get(ApplicationsService)
    .update(merchant.userId, merchant.applicationId, Draft.of({ secret: NEXT }));
  merchant.server.plan({ status: 401 });
  await harness.addPaymentEvent(merchant);
  await harness.drain();
  const [first, repeated, ...more] = merchant.server.requests.splice(0);
  if (!first || !repeated || more.length > 0) throw new Error('not one event and its repetition');
  const signedBy = (request: ReceivedWebhook, [plain, other]: [string, string]): Real[] => [
    { ...request, secret: plain, isOther: false },
    { ...request, secret: other, isOther: true },
  ];
  during.first = signedBy(first, [merchant.secret, NEXT]);
  during.repeated = signedBy(repeated, [NEXT, merchant.secret]);
  deliveries.push(...during.first, ...during.repeated);
}

beforeAll(async () => {
  harness = await WebhookHarness.start();
  const merchant = await harness.addMerchant();
  await harness.pay(merchant, await harness.addPayment(merchant));
  await harness.addPaymentEvent(merchant);
  await collect(merchant);
  await harness.gateway
    .get(TestEventsService)
    .create(merchant.userId, merchant.applicationId, 'payment.refund');
  await harness.gateway.get(WebhookDispatcher).runOnce();
  await collect(merchant);
  const encoded = await harness.addMerchant({ secret: ENCODED });
  await harness.addPaymentEvent(encoded);
  await collect(encoded);
  await collectDuringChange(merchant);
  counts.deliveries = deliveries.length;
});
afterAll(async () => {
  await harness.stop();
  process.stdout.write(
    `webhook verifiers: ${counts.deliveries} deliveries accepted by both, ${counts.mutants} mutants refused\n`,
  );
});

const plainHeader = ({ isOther }: Real) =>
  isOther ? 'x-paymentservice-signature-previous' : 'x-paymentservice-signature';
const names = {
  standard: () => ['webhook-timestamp', 'webhook-signature'],
  plain: (real: Real) => ['x-paymentservice-timestamp', plainHeader(real)],
};
const verifiers = { standard: verifyStandard, plain: verifyPlain };
type Scheme = keyof typeof verifiers;
const SCHEMES: Scheme[] = ['standard', 'plain'];

const accepts = (scheme: Scheme, real: Real, { headers, body, secret }: Mutant = {}): boolean => {
  const webhook = { headers: headers ?? real.headers, body: body ?? real.body };
  try {
    verifiers[scheme](webhook, secret ?? real.secret, { clock: harness.clock, isOther: real.isOther });
    return true;
  } catch {
    return false;
  }
};

/** Names of the mutants that a scheme accepts. Every delivery must have mutants, or nothing was tested. */
function survivors(schemes: readonly Scheme[], mutantsOf: (real: Real) => Map<string, Mutant>): string[] {
  return deliveries.flatMap((real) => {
    const mutants = [...mutantsOf(real)];
    expect(mutants.length).toBeGreaterThan(0);
    return schemes.flatMap((scheme) => {
      counts.mutants += mutants.length;
      return mutants
        .filter(([, mutant]) => accepts(scheme, real, mutant))
        .map(([name]) => `${scheme}: ${name}`);
    });
  });
}

/** Every text that differs from a text by one changed, removed or added character. */
function* spoiled(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    const other = /[0-8a-eA-Y]/.test(character) ? String.fromCharCode(character.charCodeAt(0) + 1) : 'z';
    yield text.slice(0, at) + (other === character ? 'y' : other) + text.slice(at + 1);
    yield text.slice(0, at) + text.slice(at + 1);
  }
  yield `${text}0`;
  yield '';
}

const keyOf = (secret: string) =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);

function withHeader(real: Real, name: string, values: Iterable<string | undefined>): Map<string, Mutant> {
  const mutants = [...values]
    .filter((value) => value !== real.headers[name])
    .map((value): [string, Mutant] => [
      `${name}: ${value ?? '(none)'}`,
      { headers: { ...real.headers, [name]: value } },
    ]);
  return new Map(mutants);
}

it('both verifiers accept every kind of delivery', () => {
  expect(deliveries.length).toBeGreaterThanOrEqual(9);
  const types = new Set(deliveries.map(({ headers }) => headers['x-paymentservice-event']));
  expect(types.size).toBe(4);
  for (const real of deliveries)
    verifyWebhook(real, real.secret, { clock: harness.clock, isOther: real.isOther });
});

it('while the secret changes, each plain header is signed by one secret, and a repetition exchanges them', () => {
  const { first, repeated } = during;
  for (const [real, exchanged] of first.map((each, at) => [each, repeated[1 - at]] as const)) {
    expect(exchanged?.secret).toBe(real.secret);
    expect(exchanged?.headers[plainHeader(exchanged)]).toBe(real.headers[plainHeader(real)]);
    expect(exchanged?.headers['webhook-signature']).toBe(real.headers['webhook-signature']);
    expect(exchanged?.body).toEqual(real.body);
  }
  for (const pair of [first, repeated])
    for (const [real, other] of [pair, pair.toReversed()] as [Real, Real][]) {
      expect([accepts('plain', real), accepts('plain', real, { secret: other.secret })]).toEqual([
        true,
        false,
      ]);
      counts.mutants += 1;
    }
});

describe('both verifiers refuse', () => {
  it('every changed byte of the body', () => {
    const flipped = ({ body }: Real) =>
      new Map(
        Array.from(body, (byte, at): [string, Mutant] => {
          const copy = Buffer.from(body);
          copy[at] = byte ^ 1;
          return [`byte ${at}`, { body: copy }];
        }),
      );
    expect(survivors(SCHEMES, flipped)).toEqual([]);
  });

  it('a body that is shorter, longer, reformatted or of another delivery', () => {
    const rewritten = (real: Real) => {
      const { body } = real;
      const parsed = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
      const others = deliveries.filter((other) => !other.body.equals(body));
      const bodies: [string, Buffer][] = [
        ...Array.from(body, (_, length): [string, Buffer] => [`cut at ${length}`, body.subarray(0, length)]),
        ...['\n', ' ', '\0', '{}'].map((more): [string, Buffer] => [
          `with ${JSON.stringify(more)}`,
          Buffer.concat([body, Buffer.from(more)]),
        ]),
        ['with a byte order mark', Buffer.concat([Buffer.from('\uFEFF'), body])],
        ['indented', Buffer.from(JSON.stringify(parsed, null, 2))],
        [
          'in another order',
          Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(parsed).toReversed()))),
        ],
        ...Object.keys(parsed).flatMap((key): [string, Buffer][] => [
          [`without ${key}`, Buffer.from(JSON.stringify({ ...parsed, [key]: undefined }))],
          [`with another ${key}`, Buffer.from(JSON.stringify({ ...parsed, [key]: randomUUID() }))],
        ]),
        ...others.map(({ body: other }, at): [string, Buffer] => [`of delivery ${at}`, other]),
      ];
      return new Map(bodies.map(([name, mutant]) => [name, { body: mutant }]));
    };
    expect(survivors(SCHEMES, rewritten)).toEqual([]);
  });

  it.each(SCHEMES)('every other timestamp and signature (%s)', (scheme) => {
    const spoiledHeaders = (at: number) => (real: Real) => {
      const name = names[scheme](real)[at] ?? '';
      const text = String(real.headers[name]);
      // Of the same request, the entries of both secrets: each is spoiled by itself below.
      const others = deliveries
        .filter(({ body }) => !body.equals(real.body))
        .map((other) => String(other.headers[at === 0 ? name : (names[scheme](other)[at] ?? '')]));
      // One valid signature of two is enough.
      return withHeader(real, name, [
        ...text.split(' ').flatMap((entry) => [...spoiled(entry)]),
        ...(at === 1 ? others : []),
        undefined,
      ]);
    };
    for (const at of [0, 1]) expect(survivors([scheme], spoiledHeaders(at))).toEqual([]);
  });

  it('signatures of another version, in upper case, or of the other scheme', () => {
    const otherwise = (real: Real) => {
      const standard = String(real.headers['webhook-signature']);
      const name = plainHeader(real);
      const plain = String(real.headers[name]);
      return new Map<string, Mutant>([
        ...['v2,', 'v1a,', 'V1,', ''].map((version): [string, Mutant] => [
          `version ${version}`,
          {
            headers: {
              ...real.headers,
              'webhook-signature': standard.replaceAll('v1,', version),
              [name]: version + plain.toUpperCase(),
            },
          },
        ]),
        [
          'exchanged',
          {
            headers: {
              ...real.headers,
              'webhook-signature': `v1,${plain}`,
              [name]: standard,
            },
          },
        ],
      ]);
    };
    expect(survivors(SCHEMES, otherwise)).toEqual([]);
  });

  it('every other secret', () => {
    const secrets = ({ secret }: Real) =>
      new Map(
        [...spoiled(secret), `${secret} `, secret.toUpperCase(), Buffer.from(secret).toString('base64'), 'x']
          // Base64 has several encodings of the same key.
          .filter((other) => !keyOf(other).equals(keyOf(secret)))
          .map((other): [string, Mutant] => [other, { secret: other }]),
      );
    expect(survivors(SCHEMES, secrets)).toEqual([]);
  });

  it('timestamps more than five minutes off, and no others', () => {
    const all = (isAccepted: boolean) => {
      for (const real of deliveries)
        for (const scheme of SCHEMES) expect([scheme, accepts(scheme, real)]).toEqual([scheme, isAccepted]);
    };
    for (const [seconds, isAccepted] of [
      [290, true],
      [20, false],
      [-620, false],
      [310, true],
    ] as const) {
      harness.clock.advanceSeconds(seconds);
      if (!isAccepted) counts.mutants += 2 * deliveries.length;
      all(isAccepted);
    }
  });
});

describe('webhook headers', () => {
  it('that one or no scheme signs cannot change the verified event', () => {
    const others = (real: Real) =>
      withHeader(real, 'webhook-id', [
        ...spoiled(String(real.headers['webhook-id'])),
        randomUUID(),
        undefined,
      ]);
    expect(survivors(['standard'], others)).toEqual([]);
    // The plain scheme signs the id inside of the body, and the name of the event, and those are what it hands out.
    for (const real of deliveries) {
      const wrong = { 'webhook-id': randomUUID(), 'x-paymentservice-event': 'payment.refund.x' };
      for (const [name, value] of Object.entries(wrong)) {
        const forged = { headers: { ...real.headers, [name]: value }, body: real.body };
        const original: unknown = JSON.parse(real.body.toString('utf8'));
        const options = { clock: harness.clock, isOther: real.isOther };
        expect(verifyPlain(forged, real.secret, options)).toEqual(original);
        counts.mutants += 1;
        expect(() => verifyWebhook(forged, real.secret, options)).toThrow();
      }
    }
  });

  it('verify in any order', () => {
    for (const real of deliveries) {
      const headers = Object.fromEntries(Object.entries(real.headers).toReversed());
      expect(SCHEMES.map((scheme) => accepts(scheme, real, { headers }))).toEqual([true, true]);
    }
  });
});
