import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { Clock } from '../../src/platform/kernel/clock.pure.js';
import type { WebhookPayload } from './merchant-server.js';

/** A webhook as it arrived. */
export interface SignedWebhook {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface Options {
  /** Lent to the verifiers, which read the wall clock. */
  clock?: Clock | undefined;
  /** While a secret is being changed: its signature is in the second plain header. */
  isOther?: boolean;
}

/** Seconds (specification/webhooks.md#replay-protection). */
const TOLERANCE = 300;

/** The official library of Standard Webhooks. @throws Error when the signature does not hold */
export function verifyStandard(
  { headers, body }: SignedWebhook,
  secret: string,
  { clock }: Options = {},
): WebhookPayload {
  const verifier = isEncoded(secret)
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret), { format: 'raw' });
  return at(clock, () => verifier.verify(body, flatten(headers))) as WebhookPayload;
}

/**
 * The plain hex scheme, by hand (specification/webhooks.md#signature-test-vector).
 * @throws Error when the signature does not hold
 */
export function verifyPlain(
  { headers, body }: SignedWebhook,
  secret: string,
  { clock, isOther = false }: Options = {},
): WebhookPayload {
  const flat = flatten(headers);
  const key = isEncoded(secret) ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
  const timestamp = flat['x-paymentservice-timestamp'] ?? '';
  const expected = createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex');
  const header = isOther ? 'x-paymentservice-signature-previous' : 'x-paymentservice-signature';
  if (flat[header] !== expected) throw new Error(`${header} does not hold`);
  const age = at(clock, () => Date.now() / 1000 - Number(timestamp));
  if (!(Math.abs(age) <= TOLERANCE)) throw new Error('the timestamp is too far away');
  return JSON.parse(body.toString('utf8')) as WebhookPayload;
}

/** Both, and that headers and body say the same. @throws Error when something does not hold */
export function verifyWebhook(webhook: SignedWebhook, secret: string, options: Options = {}): WebhookPayload {
  const payload = verifyStandard(webhook, secret, options);
  verifyPlain(webhook, secret, options);
  const flat = flatten(webhook.headers);
  if (flat['x-paymentservice-timestamp'] !== flat['webhook-timestamp'])
    throw new Error('the two timestamps differ');
  if (flat['x-paymentservice-event'] !== payload.event)
    throw new Error('header and body name different events');
  if (flat['webhook-id'] !== payload.id) throw new Error('header and body carry different ids');
  return payload;
}

function isEncoded(secret: string): boolean {
  return secret.startsWith('whsec_');
}

function flatten(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

function at<T>(clock: Clock | undefined, work: () => T): T {
  if (!clock) return work();
  const real = Date.now;
  Date.now = () => clock.now().getTime();
  try {
    return work();
  } finally {
    Date.now = real;
  }
}

/** Deliveries that no trusted secret explains, since the last test ended. */
const problems: string[] = [];
let accepted = 0;

function fail(): void {
  if (problems.length === 0) return;
  throw new Error(`Webhooks that a verifier refuses:\n  ${problems.splice(0).join('\n  ')}`);
}

/** Not in the programs that share this code: benchmarks and fuzzing. */
if (typeof afterEach === 'function') {
  afterEach(fail);
  afterAll(() => {
    if (accepted > 0) process.stdout.write(`webhooks: ${accepted} accepted by both verifiers\n`);
    fail();
  });
}

/** Holds a delivery against both verifiers; one of the secrets must do, in the first or in the second plain header. */
export function watchSignatures(
  webhook: SignedWebhook,
  trusted: readonly { secret: string; clock: Clock }[],
): void {
  if (trusted.length === 0) return;
  const refusals: string[] = [];
  for (const { secret, clock } of trusted)
    for (const isOther of [false, true])
      try {
        verifyWebhook(webhook, secret, { clock, isOther });
        accepted += 1;
        return;
      } catch (error) {
        refusals.push(error instanceof Error ? error.message : String(error));
      }
  problems.push(`${webhook.body.toString('utf8').slice(0, 100)}: ${refusals.join('; ')}`);
}
