import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { checkoutKeyOf, signCheckout } from '../../src/payments/checkout-url.pure.js';
import { AccessLinksService } from '../../src/identity/oauth/access-links.service.js';
import { MembersService } from '../../src/identity/oauth/people/members.service.js';
import { type RatesStub, startRatesStub } from '../../src/demo/rates-stub.js';
import { TestEventsService } from '../../src/webhooks/events/test-events.service.js';
import { APPLICATIONS, ApplicationsApi } from './applications-api.js';
import { PARAMETERS } from './authorization-matrix.js';
import { type TenantFixtures, createTenantFixtures, createMissing } from './tenant-fixtures.js';
import { createClientToken } from './client-tokens.js';
import { CHECKOUT, newKey, postWithKey } from './keyed-api.js';
import { plantRows } from './planted-rows.js';
import { createOwner, type Owner } from './principals.js';
import { readAnswer } from './read-answer.js';
import { type Attempt, ATTEMPTS, type Names, order } from './tenant-attempts.js';
import { TenantRows } from './tenant-rows.js';
import { WebhookHarness } from './webhook-harness.js';

type NameKey = keyof Names;

/** One request of the attacker. */
export interface Step {
  attempt: number;
  by: 'oauth' | 'client';
  /** Names that are the victim's; all others are the attacker's own. */
  theirs: Record<NameKey, boolean>;
  /** Which of the attacker's and of the victim's objects. */
  which: number;
  /** With the Idempotency-Key that the victim used. */
  isKeyed: boolean;
}

const NAME_KEYS: readonly NameKey[] = [
  ...(Object.keys(createMissing()) as (keyof TenantFixtures)[]),
  'userId',
  'reference',
  'txHash',
  'address',
];

/** What the attacker may do, in any order. */
export const programs: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    attempt: fc.nat(ATTEMPTS.length - 1),
    by: fc.constantFrom('oauth', 'oauth', 'client'),
    theirs: fc.record(
      Object.fromEntries(NAME_KEYS.map((key) => [key, fc.boolean()])) as Record<
        NameKey,
        fc.Arbitrary<boolean>
      >,
    ),
    which: fc.nat(5),
    isKeyed: fc.boolean(),
  }),
  { minLength: 6, maxLength: 32, size: 'max' },
);

/** Every request once, with everything in it the victim's. */
export function fullAim(by: Step['by'], which: number): Step[] {
  const theirs = Object.fromEntries(NAME_KEYS.map((key) => [key, true])) as Step['theirs'];
  return ATTEMPTS.map((_, attempt) => ({ attempt, by, theirs, which, isKeyed: true }));
}

export interface Victim {
  owner: Owner;
  /** Objects in different states, each with everything around it. */
  fixtures: Names[];
  key: string;
}

interface Attacker {
  owner: Owner;
  clientToken: string;
  /** One application that lives, and one that is deleted. */
  fixtures: Names[];
  /** Paths that a key was sent to: a second one would be about the attacker's own first. */
  keyedPaths: Set<string>;
}

interface Seen {
  status: number;
  text: string;
}

/** Two merchants of one gateway, of whom one tries everything on the other. */
export class TwoTenants {
  steps = 0;
  /** Requests that named something of the victim's, and were compared with the same about nothing. */
  comparisons = 0;
  /** Requests that did what they asked for. */
  successes = 0;

  private constructor(
    readonly harness: WebhookHarness,
    private readonly rates: RatesStub,
    readonly rows: TenantRows,
  ) {}

  static async open(): Promise<TwoTenants> {
    const rates = await startRatesStub();
    const harness = await WebhookHarness.start({
      CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
      RATES_KRAKEN_URL: `${rates.url}/kraken`,
      RATES_COINBASE_URL: `${rates.url}/coinbase`,
    });
    return new TwoTenants(harness, rates, await TenantRows.of(harness.sql));
  }

  async close(): Promise<void> {
    await this.harness.stop();
    await this.rates.stop();
  }

  /** With payments that are OPEN, CONFIRMED and RECEIVED, and a row in every table that has users' rows. */
  async createVictim(): Promise<Victim> {
    const { gateway, sql } = this.harness;
    const owner = await createOwner(gateway);
    const open = await createTenantFixtures(gateway, owner);
    const merchant = await this.harness.addMerchant({}, owner.userId);
    const [confirmed, received] = [
      await this.harness.addPayment(merchant),
      await this.harness.addPayment(merchant),
    ];
    await this.harness.pay(merchant, confirmed);
    await this.harness.drain();
    await this.harness.pay(merchant, received);
    const key = newKey();
    const reference = `THEIRS-${randomUUID()}`;
    const { token, id: tokenId } = await createClientToken(gateway, owner, open.applicationId);
    const made = await postWithKey(gateway, {
      path: CHECKOUT,
      token,
      key,
      body: { ...order, reference, clientId: open.clientId },
    });
    if (made.status !== 201) throw new Error(`no payment: ${made.text}`);
    await sql.query(
      `insert into webhook_endpoints (application_id, paused_at, reason) values ($1, $2, 'gone')`,
      [open.applicationId, gateway.clock.now()],
    );
    await sql.query(
      `insert into payment_events (id, user_id, application_id, type, body, created_at)
       values (gen_random_uuid(), $3, $1, 'wallet.changed', '{}', $2)`,
      [open.applicationId, gateway.clock.now(), owner.userId],
    );
    await sql.query(
      `insert into own_transfers
       select gen_random_uuid(), d.user_id, d.payment_id, d.id, 'ethereum', d.id::text, 'value', decode('0102', 'hex'), 'ETH', 18, 1, 1, 'b',
         $2, 'a mac of ' || d.id from deposit_addresses d where d.payment_id = $1`,
      [confirmed, gateway.clock.now()],
    );
    await sql.query(`insert into application_logos values ($1, 'a logo', now())`, [open.applicationId]);
    await gateway.get(TestEventsService).create(owner.userId, merchant.applicationId, 'payment.received');
    const { userId: memberId } = await createOwner(gateway);
    await sql.transaction(() => gateway.get(MembersService).add(owner.userId, memberId, 'viewer'));
    await gateway.get(AccessLinksService).createPasswordReset(owner.userId);
    await plantRows(sql, gateway.clock.now(), { userId: owner.userId, paymentId: confirmed });
    const [around] = await sql.query<
      Pick<Names, 'clientId' | 'siteId' | 'txHash' | 'address' | 'deliveryId'>
    >(
      `select a.client_id as "clientId", s.id as "siteId", t.tx_hash as "txHash", d.address, w.id as "deliveryId"
       from payment_applications a join sites s on s.application_id = a.id
       join payment_transfers t on t.payment_id = $2
       join deposit_addresses d on d.payment_id = $2
       join webhook_deliveries w on w.payment_id = $2 and w.type = 'payment.received'
       where a.id = $1`,
      [merchant.applicationId, confirmed],
    );
    if (!around) throw new Error('the paid payment left no traces');
    const refund = await postWithKey(gateway, {
      path: `/api/payment/${received}/refunds`,
      token: owner.accessToken,
      key: null,
      body: { amount: 1 },
    });
    if (refund.status !== 201) throw new Error(`no refund: ${refund.text}`);
    const { txHash, address } = around;
    const others = { userId: owner.userId, reference, txHash, address };
    const paid = {
      ...around,
      ...others,
      applicationId: merchant.applicationId,
      tokenId,
      refundId: refund.data.id,
    };
    const fixtures = [
      { ...open, ...others },
      { ...open, ...others, paymentId: made.data.id, tokenId },
      { ...paid, paymentId: confirmed },
      { ...paid, paymentId: received },
    ];
    return { owner, fixtures, key };
  }

  /** @throws Error as soon as a step shows or changes anything of the victim's */
  async run(program: readonly Step[], victim: Victim): Promise<void> {
    const before = await this.rows.read(victim.owner.userId);
    const attacker = await this.createAttacker();
    const missing = namesOf(createMissing(), randomUUID(), 'MISSING');
    for (const step of program) {
      this.steps += 1;
      await this.take(step, attacker, victim, missing);
      const changed = difference(before, await this.rows.read(victim.owner.userId));
      if (changed.length > 0)
        throw new Error(`rows of the other tenant changed by ${routeOf(step)}:\n${changed.join('\n')}`);
    }
  }

  private async take(step: Step, attacker: Attacker, victim: Victim, missing: Names): Promise<void> {
    const mine = attacker.fixtures[step.which % attacker.fixtures.length];
    const theirs = victim.fixtures[step.which % victim.fixtures.length];
    const attempt = ATTEMPTS[step.attempt];
    if (!mine || !theirs || !attempt) throw new Error('no such step');
    const mixedWith = (other: Names): Names => {
      const mixed = { ...mine };
      for (const key of NAME_KEYS) if (step.theirs[key]) mixed[key] = other[key];
      return mixed;
    };
    const link = attempt.isLinked ? this.linkTo(mine.paymentId) : {};
    const aimed = describe(attempt, mixedWith(theirs), link);
    const aimless = describe(attempt, mixedWith(missing), link);
    const token = step.by === 'oauth' ? attacker.owner.accessToken : attacker.clientToken;
    const isKeyed = step.isKeyed && aimed.method === 'POST' && !attacker.keyedPaths.has(aimed.path);
    if (isKeyed) attacker.keyedPaths.add(aimed.path);
    const isAimed = mentions(aimed, theirs);
    // A key of its own for each: paths of several attempts are one path with missing ids, and their bodies differ.
    const expected = isAimed
      ? await this.ask(aimless, token, isKeyed ? `${victim.key}-${this.comparisons}` : null)
      : null;
    const seen = await this.ask(aimed, token, isKeyed ? victim.key : null);
    if (seen.status >= 500 && seen.status !== 503)
      throw new Error(`${seen.status} from ${routeOf(step)}: ${seen.text}`);
    const shown = Object.values(theirs).filter((id) => seen.text.includes(id) && !aimed.text.includes(id));
    if (shown.length > 0)
      throw new Error(`the other tenant's ${shown.join(', ')} in ${routeOf(step)}: ${seen.text}`);
    if (seen.status < 300) this.successes += 1;
    if (!expected) return;
    this.comparisons += 1;
    const [actual, wanted] = [
      comparable(aimed.method, seen, theirs),
      comparable(aimed.method, expected, missing),
    ];
    if (actual !== wanted)
      throw new Error(
        `a request for the other tenant's ids differs from one for missing ids: ${aimed.text}\n${actual}\n${wanted}`,
      );
  }

  private async ask(request: Described, token: string, key: string | null): Promise<Seen> {
    const response = await fetch(`${this.harness.gateway.baseUrl}${request.path}${request.query}`, {
      method: request.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(key !== null && { 'idempotency-key': key }),
        ...(request.body !== null && { 'content-type': 'application/json' }),
      },
      ...(request.body !== null && { body: request.body }),
    });
    const requestId = response.headers.get('x-request-id') ?? '';
    return { status: response.status, text: (await readAnswer(response)).replaceAll(requestId, '') };
  }

  private async createAttacker(): Promise<Attacker> {
    const { gateway } = this.harness;
    const owner = await createOwner(gateway);
    const [living, deleted] = [
      await createTenantFixtures(gateway, owner),
      await createTenantFixtures(gateway, owner),
    ];
    const { token } = await createClientToken(gateway, owner, living.applicationId);
    await new ApplicationsApi(gateway, owner).call('DELETE', `${APPLICATIONS}/${deleted.applicationId}`);
    const fixtures = [living, deleted].map((ids) => namesOf(ids, owner.userId, 'MINE'));
    return { owner, clientToken: token, fixtures, keyedPaths: new Set() };
  }

  private linkTo(paymentId: string): Record<string, string> {
    const { config, clock } = this.harness.gateway;
    const expires = clock.unixSeconds() + 3_600;
    const signature = signCheckout(checkoutKeyOf(config.checkoutSigningKeys[0] ?? ''), paymentId, expires);
    return { expires: String(expires), signature };
  }
}

interface Described {
  method: string;
  path: string;
  query: string;
  body: string | null;
  /** All of it. */
  text: string;
}

function describe(attempt: Attempt, names: Names, link: Record<string, string>): Described {
  const [method = '', template = ''] = attempt.route.split(' ');
  const path = template.replace(/:(\w+)/g, (_, parameter: string) => {
    const value = PARAMETERS[parameter];
    if (!value) throw new Error(`PARAMETERS of test/support/authorization-matrix.ts lacks "${parameter}"`);
    return value(names);
  });
  const parameters = new URLSearchParams({ ...attempt.query?.(names), ...link });
  const query = parameters.size > 0 ? `?${parameters.toString()}` : '';
  const body = attempt.body ? JSON.stringify(attempt.body(names)) : null;
  return { method, path, query, body, text: `${method} ${path}${query} ${body ?? ''}` };
}

function routeOf({ attempt }: Step): string {
  return ATTEMPTS[attempt]?.route ?? '';
}

function namesOf(ids: TenantFixtures, userId: string, prefix: string): Names {
  const unique = randomUUID();
  return {
    ...ids,
    userId,
    reference: `${prefix}-${unique}`,
    txHash: `0x${unique}`,
    address: `0x${prefix}${unique}`,
  };
}

function mentions({ text }: Described, names: Names): boolean {
  return Object.values(names).some((name: string) => text.includes(name));
}

/** What succeeded about one's own things brings new ids each time; there the status says enough. */
function comparable(method: string, { status, text }: Seen, names: Names): string {
  if (method !== 'GET' && status < 300) return String(status);
  // A replayed answer has the request id of the first one.
  let shown = text.replaceAll(/"requestId":"[^"]*"/g, '').replaceAll(/nonce="[\w-]+"/g, '');
  for (const [key, value] of Object.entries(names)) shown = shown.replaceAll(value, `(${key})`);
  return `${status} ${shown}`;
}

/** Both ways, so that a failure shows what a row was and what it is. */
function difference(before: readonly string[], after: readonly string[]): string[] {
  const [was, is] = [new Set(before), new Set(after)];
  return [
    ...before.filter((row) => !is.has(row)).map((row) => `- ${row}`),
    ...after.filter((row) => !was.has(row)).map((row) => `+ ${row}`),
  ];
}
