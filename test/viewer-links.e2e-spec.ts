import { MembersService } from '../src/identity/oauth/people/members.service.js';
import { EventStreams } from '../src/webhooks/events/event-streams.service.js';
import type { InvitedRole } from '../src/platform/kernel/account-roles.pure.js';
import { PARAMETERS, type Row, ROWS } from './support/authorization-matrix.js';
import { EventReader } from './support/event-reader.js';
import { createOwner } from './support/principals.js';
import type { Names } from './support/tenant-attempts.js';
import { TwoTenants, type Victim } from './support/two-tenants.js';

/** With a signature of one of these links its holder acts as the customer. */
const LINK = /\/(?:checkout|refund)\/[0-9a-f-]{36}\?expires=\d+&signature=([0-9a-f]{64})/g;
/** The same for everybody, opened by a signature of their own, or not for members. */
const NOT_BY_TOKEN: readonly Row['access'][] = [
  'public',
  'signed link',
  'receipt link',
  'claim link',
  'operator',
];
const ROUTES = ROWS.filter((row) => row.route.startsWith('GET ') && !NOT_BY_TOKEN.includes(row.access));
const STREAMS = ['GET /api/events/stream', 'GET /api/changes'];

let tenants: TwoTenants;
let victim: Victim;
let viewer: string;
let developer: string;

beforeAll(async () => {
  tenants = await TwoTenants.open();
  victim = await tenants.createVictim();
  await tenants.harness.drain();
  [viewer, developer] = await Promise.all([join('viewer'), join('developer')]);
});
afterAll(() => tenants.close());

/** The token of a new member of the victim's account. */
async function join(role: InvitedRole): Promise<string> {
  const { gateway } = tenants.harness;
  const { userId, accessToken } = await createOwner(gateway);
  await gateway.sql.transaction(() => gateway.get(MembersService).add(victim.owner.userId, userId, role));
  return accessToken;
}

/** The body of a route about one set of the victim's things. */
async function read(row: Row, names: Names, token: string): Promise<string> {
  const { gateway } = tenants.harness;
  const path = row.route.slice('GET '.length).replace(/:(\w+)/g, (_, name: string) => {
    const value = PARAMETERS[name];
    if (!value) throw new Error(`no parameter ${name}`);
    return value(names);
  });
  const query = new URLSearchParams(row.query?.(names)).toString();
  const url = `${gateway.baseUrl}${path}${query && `?${query}`}`;
  const headers = { 'x-account': victim.owner.userId };
  if (!STREAMS.includes(row.route)) {
    const answer = await fetch(url, { headers: { ...headers, authorization: `Bearer ${token}` } });
    return answer.text();
  }
  const reader = await EventReader.open(url, token, headers);
  await gateway.get(EventStreams).runOnce();
  await reader.until(() => row.route !== STREAMS[0] || reader.events.length > 0);
  await reader.leave();
  return reader.text;
}

/** What every route returns to a member, by route. */
async function walk(token: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const row of ROUTES)
    for (const names of /:\w/.test(row.route) || row.query ? victim.fixtures : victim.fixtures.slice(0, 1))
      texts.set(row.route, (texts.get(row.route) ?? '') + (await read(row, names, token)));
  return texts;
}

describe('the links with which a customer acts', () => {
  it('are whole for a developer, and in no response to a viewer', async () => {
    const whole = await walk(developer);
    const signatures = new Set(
      [...whole.values()].flatMap((text) => [...text.matchAll(LINK)].map(([, one = '']) => one)),
    );
    expect([...whole].flatMap(([route, text]) => (text.match(LINK) ? [route] : [])).toSorted()).toEqual([
      'GET /api/events',
      'GET /api/events/stream',
      'GET /api/payment-applications/:id/webhook-deliveries',
      'GET /api/payment-applications/:id/webhook-deliveries/:deliveryId',
      'GET /api/payment-applications/:id/webhook-deliveries/:deliveryId/attempts',
      'GET /api/payment/:paymentId',
      'GET /api/payment/:paymentId/refunds',
      'GET /api/payment/:paymentId/refunds/:refundId',
      'GET /api/refunds',
    ]);
    for (const [route, text] of await walk(viewer))
      expect([route, [...signatures].filter((signature) => text.includes(signature))]).toEqual([route, []]);
    // Hundreds of requests, on a machine that may have other things to do.
  }, 300_000);

  it('are cut before their signature for a viewer, who keeps the link of the receipt', async () => {
    const row = ROUTES.find(({ route }) => route === 'GET /api/payment/:paymentId');
    const [, , paid] = victim.fixtures;
    if (!row || !paid) throw new Error('no payment');
    const { data } = JSON.parse(await read(row, paid, viewer)) as { data: Record<string, string> };
    expect(data['checkoutUrl']).toMatch(new RegExp(`/checkout/${paid.paymentId}$`));
    expect(data['receiptUrl']).toMatch(/signature=[0-9a-f]{64}$/);
  });
});
