import { blockInserts, blockWrites } from './support/blocked-table.js';
import { CHAIN_ENV, KeyedMerchant, type KeyedPost, newKey, OF_THE_FIRST } from './support/keyed-api.js';
import type { TestGateway } from './support/test-gateway.js';
import { WebhookHarness } from './support/webhook-harness.js';

let harness: WebhookHarness;
let gateway: TestGateway;
let shop: KeyedMerchant;

beforeAll(async () => {
  harness = await WebhookHarness.start(CHAIN_ENV);
  gateway = harness.gateway;
});
beforeEach(async () => {
  shop = await KeyedMerchant.open(harness);
});
afterAll(() => harness.stop());

const post = (request: Partial<KeyedPost> = {}, on?: TestGateway) => shop.post(request, on);

async function statements(...texts: string[]): Promise<void> {
  for (const text of texts) await gateway.sql.query(text);
}

describe('one key, many processes', () => {
  let other: TestGateway;
  beforeAll(async () => {
    other = await harness.addGateway(CHAIN_ENV);
  });

  it('creates one payment for 20 concurrent requests', async () => {
    const key = newKey();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => post({ key }, i % 2 === 0 ? gateway : other)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect(await shop.countPayments()).toBe(1);
  });

  it('waits for a request of another process and returns its response', async () => {
    const key = newKey();
    const paused = await blockInserts(gateway.databaseUrl, 'idempotency_keys');
    const first = post({ key });
    await paused.untilWaiting(1);
    const second = post({ key }, other);
    await paused.untilWaiting(2);
    await paused.release();
    expect((await second).text).toBe((await first).text);
    expect([(await first).isReplayed, (await second).isReplayed]).toEqual([false, true]);
    expect(await shop.countPayments()).toBe(1);
  });

  it.each(['the same', 'another'])(
    'returns 409 when a request of %s process takes too long',
    async (which) => {
      const key = newKey();
      const first = await shop.hold(key);
      const late = await post({ key }, which === 'another' ? other : gateway);
      expect([late.status, late.code]).toEqual([409, 'idempotency_in_progress']);
      expect(late.headers.get('retry-after')).toBe('1');
      await first.finish();
      const again = await post({ key }, other);
      expect([again.status, again.isReplayed, again.text]).toEqual([201, true, OF_THE_FIRST]);
    },
  );
});

describe('a process that dies', () => {
  it('before its commit leaves neither payment nor key, and the retry creates the payment', async () => {
    const key = newKey();
    const paused = await blockInserts(gateway.databaseUrl, 'idempotency_keys');
    const first = post({ key });
    await paused.untilWaiting(1);
    await paused.killWaiting();
    expect((await first).status).toBe(503);
    expect([await shop.countPayments(), await shop.countKeys(key)]).toEqual([0, 0]);
    await paused.release();

    const second = await post({ key });
    expect([second.status, second.isReplayed, await shop.countPayments()]).toEqual([201, false, 1]);
  });

  it('lets the next concurrent request act in its place', async () => {
    const key = newKey();
    const paused = await blockInserts(gateway.databaseUrl, 'idempotency_keys');
    const answers = [post({ key }), post({ key }), post({ key })];
    await paused.untilWaiting(1);
    await paused.killWaiting();
    // The first of the others has begun its own turn.
    await paused.untilWaiting(1);
    await paused.release();
    const statuses = (await Promise.all(answers)).map((answer) => answer.status).sort((a, b) => a - b);
    expect([statuses, await shop.countPayments()]).toEqual([[201, 201, 503], 1]);
  });

  it('after its commit loses only the response, which the retry gets', async () => {
    const key = newKey();
    const paused = await blockInserts(gateway.databaseUrl, 'idempotency_keys');
    const client = new AbortController();
    const first = post({ key, signal: client.signal });
    await paused.untilWaiting(1);
    client.abort();
    await expect(first).rejects.toThrow();
    await paused.release();

    const second = await post({ key });
    expect([second.status, second.isReplayed, await shop.countPayments()]).toEqual([201, true, 1]);
  });
});

describe('a failure', () => {
  it('after the write rolls it back, together with the key', async () => {
    await statements(
      `create function fail() returns trigger language plpgsql as $$
         begin raise exception 'a bug' using errcode = 'P0001'; end $$`,
      'create constraint trigger fail after insert on idempotency_keys for each row execute function fail()',
    );
    const key = newKey();
    expect((await post({ key })).status).toBe(500);
    expect([await shop.countPayments(), await shop.countKeys(key)]).toEqual([0, 0]);
    await gateway.sql.query('drop trigger fail on idempotency_keys');
    expect([(await post({ key })).status, await shop.countPayments()]).toEqual([201, 1]);
  });

  it('of serialization retries the whole request', async () => {
    await statements(
      'create sequence turns',
      `create function lose_once() returns trigger language plpgsql security definer as $$
         begin
           if nextval('turns') = 1 then raise exception 'lost' using errcode = '40001'; end if;
           return new;
         end $$`,
      'create trigger lose_once before insert on payments for each row execute function lose_once()',
    );
    const answer = await post();
    expect([answer.status, answer.isReplayed, await shop.countPayments()]).toEqual([201, false, 1]);
    await gateway.sql.query('drop trigger lose_once on payments');
  });

  it('for another lock is not reported as "in progress"', async () => {
    const blocked = await blockWrites(gateway.databaseUrl, 'payments');
    const key = newKey();
    const answer = await post({ key });
    expect([answer.status, answer.code]).toEqual([503, 'service_unavailable']);
    await blocked.release();
    expect([(await post({ key })).status, await shop.countPayments()]).toEqual([201, 1]);
  });
});
