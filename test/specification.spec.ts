import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { EVENT_TYPES } from '../src/applications/event-types.pure.js';
import { CHAIN_CATALOG } from '../src/chains/chain-catalog.pure.js';
import { loadConfig } from '../src/config.js';
import { checkoutKeyOf, signCheckout } from '../src/payments/checkout-url.pure.js';
import { PAYMENT_STATUSES, TRANSITIONS } from '../src/payments/payment-status.pure.js';
import { ERRORS } from '../src/platform/kernel/errors/error-catalog.pure.js';
import { SCOPES } from '../src/platform/web/security/auth.js';
import { REFUND_TRANSITIONS } from '../src/refunds/refund-status.pure.js';
import { signatureHeaders } from '../src/webhooks/webhook-signature.pure.js';

const folder = path.resolve(import.meta.dirname, '../docs/specification');

/** The text below a heading of a page, up to the next heading. */
function section(page: string, heading: string): string {
  const [, text] = readFileSync(path.join(folder, `${page}.md`), 'utf8').split(`\n${heading}\n`);
  if (text === undefined) throw new Error(`${page}.md has no heading "${heading}"`);
  return text.split(/\n#+ /)[0] ?? '';
}

/** The cells of the first table below a heading, without its head and without backticks. */
function table(page: string, heading: string): string[][] {
  const rows = /(?:^\|.*\n?)+/m.exec(section(page, heading))?.[0].trim().split('\n') ?? [];
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
}

/** The values of an enumeration in the API's document. */
function enumeration(schema: string, field: string): Set<string> {
  const file = path.resolve(folder, '../openapi.json');
  const { components } = JSON.parse(readFileSync(file, 'utf8')) as {
    components: { schemas: Record<string, { properties: Record<string, { enum?: (string | null)[] }> }> };
  };
  const values = components.schemas[schema]?.properties[field]?.enum ?? [];
  return new Set(values.filter((value) => value !== null));
}

const defaults = loadConfig({
  NODE_ENV: 'production',
  BASE_URL: 'https://pay.example.com',
  DATABASE_URL: 'postgres://gateway:x@db.example.com/gateway',
  APP_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  CHECKOUT_SIGNING_KEY: randomBytes(32).toString('hex'),
  CHAIN_ETHEREUM_RPC_URL: 'https://rpc.example.com',
});

const pairs = (transitions: Record<string, readonly string[]>) =>
  Object.entries(transitions)
    .flatMap(([from, targets]) => targets.map((to) => `${from} ${to}`))
    .sort();

describe('the specification states what the code does', () => {
  it('in the list of payment statuses', () => {
    expect(table('payment-states', '## Statuses').map(([status]) => status)).toEqual([...PAYMENT_STATUSES]);
  });

  it('in the transitions of a payment', () => {
    const rows = table('payment-states', '## Transitions').filter(([from]) => from !== '(none)');
    const stated = rows.flatMap(([from, , to = '']) => to.split(/, | or /).map((one) => `${from} ${one}`));
    expect([...new Set(stated)].sort()).toEqual(pairs(TRANSITIONS));
  });

  it('in the transitions of a refund', () => {
    const rows = table('refunds', '## Refund states');
    const stated = Object.fromEntries(
      rows.map(([from = '', , to = '']) => [from, to.split(', ').filter((one) => one !== '')]),
    );
    expect(Object.keys(stated).sort()).toEqual(Object.keys(REFUND_TRANSITIONS).sort());
    expect(pairs(stated)).toEqual(pairs(REFUND_TRANSITIONS));
  });

  it('in the event types', () => {
    expect(table('events', '## Event types').map(([type]) => type)).toEqual([...EVENT_TYPES]);
  });

  it('in the scopes of client tokens', () => {
    expect(table('authentication', '## Scopes').map(([scope]) => scope)).toEqual([...SCOPES]);
  });

  it('in the confirmations of each chain', () => {
    const stated = table('chains', '## Confirmations').flatMap(([slugs = '', confirmations = '']) =>
      slugs.split(', ').map((slug) => [slug, Number(/\d+$/.exec(confirmations)?.[0])]),
    );
    expect(Object.fromEntries(stated)).toEqual(
      Object.fromEntries(
        CHAIN_CATALOG.map(({ slug, confirmationsRequired }) => [slug, confirmationsRequired]),
      ),
    );
  });

  it.each([
    ['payments', '## Transactions', 'Transaction', 'status'],
    ['payment-states', '## Review reasons', 'Payment', 'reviewReason'],
    ['checkout', '## Payment methods', 'PaymentMethod', 'unavailableReason'],
  ])('in %s.md, "%s"', (page, heading, schema, field) => {
    const stated = table(page, heading).map(([value]) => value);
    expect(new Set(stated)).toEqual(enumeration(schema, field));
  });

  it('in the statuses of deliveries', () => {
    const [, statuses = ''] = section('webhooks', '## Delivery log').split('| Status ');
    const stated = [...statuses.matchAll(/^\| `([A-Z]+)`/gm)].map(([, status]) => status);
    expect(new Set(stated)).toEqual(enumeration('WebhookDelivery', 'status'));
  });

  it('in the statuses of errors', () => {
    const stated = table('errors', '## Status codes').flatMap(([statuses = '']) => statuses.split(', '));
    const known = new Set(Object.values(ERRORS).map(({ status }) => String(status)));
    expect(stated.sort()).toEqual([...known].sort());
  });

  it('in the default rate limits', () => {
    const { rateLimits } = defaults;
    const stated = table('rate-limits', '## What is counted').map(([name, , quota]) => [name, Number(quota)]);
    expect(Object.fromEntries(stated)).toEqual({
      default: rateLimits.reads,
      writes: rateLimits.writes,
      'user-reads': rateLimits.userReads,
      'user-writes': rateLimits.userWrites,
      payment: rateLimits.payment,
      address: rateLimits.address,
      polls: rateLimits.polls,
      'address-polls': rateLimits.addressPolls,
      client: rateLimits.tokenEndpoint,
      tokens: rateLimits.tokens,
      'failed-auth': rateLimits.failedAuth,
      'sign-in': rateLimits.signIn,
      account: rateLimits.account,
    });
  });

  it('in the default schedule of webhooks', () => {
    const [, list = '', interval, end] =
      /due at (.+) and then every (\d+) h up to (\d+) h after the first/.exec(
        section('webhooks', '## Retries'),
      ) ?? [];
    const units: Record<string, number> = { s: 1, min: 60, h: 3_600 };
    const stated = list.split(', ').map((gap) => {
      const [amount, unit = 's'] = gap.split(' ');
      return Number(amount) * (units[unit] ?? Number.NaN);
    });
    while ((stated.at(-1) ?? 0) < Number(end) * 3_600)
      stated.push((stated.at(-1) ?? 0) + Number(interval) * 3_600);
    expect(stated).toEqual(defaults.webhooks.retryScheduleSeconds);
  });
});

describe('the test vectors of the specification', () => {
  it('give the signature of a checkout link', () => {
    // A bar inside of a cell is escaped.
    const rows = section('checkout', '## Signed links').replaceAll(String.raw`\|`, '¦');
    const [key = '', message = '', signature] = ['Key', 'Message', 'Signature'].map(
      (name) => new RegExp(`\\| ${name} +\\| \`([^\`]+)\``).exec(rows)?.[1],
    );
    const [paymentId = '', expires] = message.split('¦');
    expect(signCheckout(checkoutKeyOf(key), paymentId, Number(expires))).toBe(signature);
  });

  it('give the plain signature of a webhook', () => {
    const text = section('webhooks', '### Signature test vector');
    const [secret = '', timestamp, signature] = [
      /Secret `([^`]+)`/,
      /timestamp `(\d+)`/,
      /signature `(\w+)`/,
    ].map((pattern) => pattern.exec(text)?.[1]);
    const body = Buffer.from(/```text\n(.+)\n```/.exec(text)?.[1] ?? '');
    const message = { id: 'any', type: 'payment.received', body, unixSeconds: Number(timestamp) };
    const headers = signatureHeaders(message, { current: secret, previous: null });
    expect(headers['X-PaymentService-Signature']).toBe(signature);
  });
});
