import { STANDARD_EVENTS } from '../src/applications/event-types.pure.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { Meters } from '../src/platform/kernel/meters.js';
import { Sql } from '../src/platform/database/sql.js';
import { EventWatch } from '../src/webhooks/watch/event-watch.service.js';
import { WebhookDispatcher } from '../src/webhooks/webhook-dispatcher.service.js';
import { asOwner } from './support/as-owner.js';
import { createOwner } from './support/principals.js';
import type { ReportView } from './support/reconciliation-harness.js';
import { Shop, type ShopApplication } from './support/shop.js';
import { newAccount } from './support/wallets-api.js';

let shop: Shop;
let application: ShopApplication;
beforeEach(async () => {
  shop = await Shop.open({ WEBHOOK_RETRY_SCHEDULE: '0,10,20' });
  application = await shop.application({ events: [...STANDARD_EVENTS, 'wallet.changed'] });
  shop.merchant.plan({ status: 500 });
  await shop.gateway.get(EventWatch).runOnce();
});
afterEach(() => shop.close());

const named = async (): Promise<number> => {
  const { values } = await shop.gateway.get(Meters).unauthentic.get();
  return values
    .filter(({ labels }) => ['payment_events', 'webhook_deliveries'].includes(String(labels['table'])))
    .reduce((sum, { value }) => sum + value, 0);
};
const look = () => shop.gateway.get(EventWatch).runOnce();
const dispatch = async () => {
  while (await shop.gateway.get(WebhookDispatcher).runOnce());
};
const ofApplication = () =>
  shop.call('PUT', `/api/payment-applications/${application.id}/wallets/evm`, shop.owner.accessToken, {
    extendedPublicKey: newAccount().publicExtendedKey,
  });
const ofPayment = async () => {
  await shop.send(await shop.instructions(await shop.createPayment(application)));
  await shop.chain.mine(15);
  await shop.watch();
};
const test = () =>
  shop.call('POST', `/api/payment-applications/${application.id}/webhook-test`, shop.owner.accessToken, {
    event: 'payment.received',
  });
const EVENTS = { application: ofApplication, payment: ofPayment, test } as const;

/** A 2xx that nobody has sent, for whoever looks for an attempt. */
const FORGED_ATTEMPT = `
  insert into webhook_attempts (delivery_id, user_id, number, url, http_status, duration_ms, created_at, mac)
  select d.id, d.user_id, d.attempts + 1, 'https://shop.example', 200, 1, now(), repeat('0', 64)
  from webhook_deliveries d`;
const DONE = `update webhook_deliveries set state = 'succeeded', next_attempt_at = null, lease_token = null, lease_until = null,
  succeeded_at = now()`;

interface Case {
  of: keyof typeof EVENTS;
  role: 'app' | 'owner';
  what: string;
  statements: string[];
  /** Before the event has its delivery. */
  isEarly?: true;
}
const CASES: Case[] = [
  ...(['application', 'payment', 'test'] as const).flatMap((of): Case[] => [
    { of, role: 'app', what: 'a delivery marked as delivered', statements: [DONE] },
    { of, role: 'app', what: 'the same with a forged attempt', statements: [FORGED_ATTEMPT, DONE] },
    {
      of,
      role: 'app',
      what: 'only the time of a success',
      statements: ['update webhook_deliveries set succeeded_at = now()'],
    },
    {
      of,
      role: 'app',
      what: 'an attempt put off by hours',
      // A test is due at once, by a check of its table.
      statements:
        of === 'test' ? [] : [`update webhook_deliveries set next_attempt_at = now() + interval '5 hours'`],
    },
    {
      of,
      role: 'owner',
      what: 'the body of an event',
      statements: [`update payment_events set body = body || ' '`],
    },
    {
      of,
      role: 'owner',
      what: 'the age of an event',
      statements: [`update payment_events set created_at = created_at + interval '1 hour'`],
    },
    {
      of,
      role: 'owner',
      what: 'a delivery of another type',
      statements: [`update webhook_deliveries set type = 'payment.completed'`],
    },
    {
      of,
      role: 'owner',
      what: 'a delivery that counts as a test',
      statements:
        of === 'test'
          ? []
          : [
              `update webhook_deliveries set payment_id = null, seq = null, place = null,
           test_payment_id = gen_random_uuid(),
           next_attempt_at = '-infinity'`,
            ],
    },
    {
      of,
      role: 'owner',
      what: 'an event that is deleted',
      statements:
        of === 'test'
          ? []
          : ['delete from webhook_attempts', 'delete from webhook_deliveries', 'delete from payment_events'],
    },
  ]),
  ...(['application', 'payment'] as const).flatMap((of): Case[] => [
    {
      of,
      role: 'app',
      what: 'a delivery that is deleted',
      statements: ['delete from webhook_attempts', 'delete from webhook_deliveries'],
    },
    {
      of,
      role: 'app',
      what: 'a delivery that is skipped',
      statements: [`update webhook_deliveries set state = 'skipped', next_attempt_at = null`],
    },
    {
      of,
      role: 'app',
      what: 'a delivery that is given up with no attempt',
      statements: [
        'delete from webhook_attempts',
        `update webhook_deliveries set state = 'exhausted', next_attempt_at = null`,
      ],
    },
    {
      of,
      role: 'app',
      what: 'an event that is dispatched to nobody',
      statements: ['update payment_events set dispatched_at = now()'],
      isEarly: true,
    },
  ]),
  {
    of: 'payment',
    role: 'app',
    what: 'an event that is overtaken',
    statements: ['update payment_events set overtaken_at = now()'],
    isEarly: true,
  },
  {
    of: 'payment',
    role: 'app',
    what: 'an event that is superseded',
    statements: ['update payment_events set superseded_at = now()'],
    isEarly: true,
  },
];

it.each(CASES.filter(({ statements }) => statements.length > 0))(
  'of an event of a $of, $what ($role) is named within a minute',
  async ({ of, role, statements, isEarly }) => {
    const before = await named();
    await EVENTS[of]();
    if (!isEarly) await dispatch();
    await look();
    expect(await named()).toBe(before);
    if (role === 'owner')
      await asOwner(shop.gateway, async (sql) => {
        for (const statement of statements) await sql.query(statement);
      });
    else
      await shop.gateway.get(Sql).transaction(async (tx) => {
        for (const statement of statements) await tx.query(statement);
      });
    await look();
    const after = await named();
    expect(after).toBeGreaterThan(before);
    await look();
    // Rows that carry a MAC are counted at each look, as everywhere.
    if (!statements.some((text) => /payment_events set (body|created_at)/.test(text)))
      expect(await named()).toBe(after);
  },
);

it.each(Object.entries(EVENTS))('what is done about an event of a %s is never named', async (_name, make) => {
  const before = await named();
  await make();
  await look();
  for (let i = 0; i < 4; i++) {
    await dispatch();
    await look();
    shop.gateway.clock.advanceSeconds(30);
  }
  shop.merchant.plan({ status: 200 });
  await make();
  await dispatch();
  await look();
  expect(await named()).toBe(before);
});

it('verify names an event of an application that was marked as delivered', async () => {
  const operator = await createOwner(shop.gateway);
  await shop.gateway.get(UsersService).setOperator(operator.userId, true);
  const differences = async () => {
    const { body } = await shop.call<ReportView>('GET', '/api/admin/reconciliation', operator.accessToken);
    return body.data.differences.map(({ subject, found }) => [subject.replace(/ .*/, ''), found]);
  };
  await ofApplication();
  await dispatch();
  expect(await differences()).toEqual([]);
  await shop.gateway.sql.query(DONE);
  expect(await differences()).toEqual([['webhook_deliveries', 'none']]);
});
