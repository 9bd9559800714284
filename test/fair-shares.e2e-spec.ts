import { jest } from '@jest/globals';
import { FairQueue } from '../src/platform/web/http/fair-queue.pure.js';
import { Sql } from '../src/platform/database/sql.js';
import { newClientToken } from '../src/tokens/client-token.pure.js';
import { CHAIN_ENV, KeyedMerchant } from './support/keyed-api.js';
import { createClientToken } from './support/client-tokens.js';
import { ask as askOf, type AskInit, expectRefused, limitsOf, tally } from './support/limited-api.js';
import type { TestGateway } from './support/test-gateway.js';
import { WebhookHarness } from './support/webhook-harness.js';

/** 12 writes and 60 reads of one user in ten seconds; 10 writes of one token in a minute. */
const LIMITS = { RATE_LIMIT_USER_WRITES: '72', RATE_LIMIT_USER_READS: '360', RATE_LIMIT_WRITES: '10' };
const OPEN_PAYMENTS = 5;
const UNPAID_PAYMENTS = 7;
const PAYMENT_PATH = `/api/payment/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`;

let harness: WebhookHarness;
let gateway: TestGateway;
beforeAll(async () => {
  harness = await WebhookHarness.start({ DATABASE_POOL_SIZE: '4' });
  gateway = harness.gateway;
});
afterAll(() => harness.stop());

const start = (env: Record<string, string>) => harness.addGateway({ ...CHAIN_ENV, ...env });

describe('limits per user', () => {
  let limited: TestGateway;
  let shop: KeyedMerchant;
  let tokens: string[];
  beforeAll(async () => {
    limited = await start(LIMITS);
    shop = await KeyedMerchant.open(harness);
    const other = await createClientToken(gateway, shop.owner, shop.merchant.applicationId);
    tokens = [shop.token, other.token];
  });
  beforeEach(() => harness.clock.advanceSeconds(61));
  const ask = (path: string, init: AskInit) => askOf(limited, path, init);
  const write = (token: string) =>
    ask('/api/payment/checkout', {
      method: 'POST',
      token,
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });

  it('counts writes of all tokens of a user, and shows the limit beside that of the token', async () => {
    const [first = '', second = ''] = tokens;
    expect(limitsOf(await write(first))).toMatchObject({
      policy: '"writes";q=10;w=60, "user-writes";q=12;w=10',
      limit: '"writes";r=9;t=6, "user-writes";r=11;t=1',
    });
    expect(await tally(9, () => write(first))).toEqual({ 422: 9 });
    expect(await tally(2, () => write(second))).toEqual({ 422: 2 });
    expectRefused(await write(second), 'user-writes', 1);
  });

  it('takes nothing from the quota of the token when the user is refused', async () => {
    const [first = '', second = ''] = tokens;
    await tally(10, () => write(first));
    await tally(2, () => write(second));
    await tally(5, () => write(second));
    harness.clock.advanceSeconds(10);
    // Two of ten were spent, and one and two thirds came back in ten seconds.
    expect(limitsOf(await write(second)).limit).toBe('"writes";r=8;t=8, "user-writes";r=11;t=1');
  });

  it('leaves another user alone', async () => {
    const [first = ''] = tokens;
    const neighbor = await KeyedMerchant.open(harness);
    await tally(10, () => write(first));
    await tally(2, () => write(tokens[1] ?? ''));
    expect((await write(tokens[1] ?? '')).status).toBe(429);
    expect((await write(neighbor.token)).status).toBe(422);
  });

  it('counts reads apart from writes', async () => {
    const [first = '', second = ''] = tokens;
    expect(await tally(60, (turn) => ask(PAYMENT_PATH, { token: turn % 2 ? first : second }))).toEqual({
      404: 60,
    });
    expectRefused(await ask(PAYMENT_PATH, { token: first }), 'user-reads', 1);
    expect((await write(first)).status).toBe(422);
  });

  it('pauses before further refusals of a token that was refused 20 times in a minute', async () => {
    const [first = ''] = tokens;
    await tally(10, () => write(first));
    expect(await tally(20, () => write(first))).toEqual({ 429: 20 });
    const waits = jest.spyOn(globalThis, 'setTimeout');
    expect((await write(first)).status).toBe(429);
    const pauses = waits.mock.calls.map(([, ms]) => ms ?? 0);
    waits.mockRestore();
    expect(pauses.filter((ms) => ms >= 1_000 && ms < 2_000)).toHaveLength(1);
  });

  it('gives an invented token no share of its own', async () => {
    expect((await ask(PAYMENT_PATH, { token: newClientToken() })).status).toBe(401);
  });
});

/** Lets her payments wait for the row of her application, to which they refer, while `work` runs. */
const whileLocked = (shop: KeyedMerchant, work: () => Promise<void>) =>
  harness.sql.transaction(async (tx) => {
    await tx.query('select from payment_applications where id = $1 for update', [
      shop.merchant.applicationId,
    ]);
    await work();
  });

describe('requests at a time', () => {
  it('are a few of one user, and the first one of another user does not wait for the rest', async () => {
    const [alice, bob] = [await KeyedMerchant.open(harness), await KeyedMerchant.open(harness)];
    await Promise.all([alice.post(), bob.post()]);
    const starts: { tenant: string; isStarted: boolean }[] = [];
    const queues: FairQueue[] = [];
    const tryStart = FairQueue.prototype.tryStart;
    jest.spyOn(FairQueue.prototype, 'tryStart').mockImplementation(function (this: FairQueue, tenant, now) {
      const isStarted = tryStart.call(this, tenant, now);
      starts.push({ tenant, isStarted });
      queues.push(this);
      return isStarted;
    });
    const hers: Promise<{ status: number }>[] = [];
    await whileLocked(alice, async () => {
      hers.push(...Array.from({ length: 40 }, () => alice.post()));
      while (!queues[0]?.waitingCount) await new Promise(setImmediate);
      expect((await bob.post()).status).toBe(201);
    });
    for (const { status } of await Promise.all(hers)) expect(status).toBe(201);
    jest.restoreAllMocks();
    const [first] = starts;
    expect(starts.some(({ tenant, isStarted }) => tenant === first?.tenant && !isStarted)).toBe(true);
    expect(starts.filter(({ tenant }) => tenant !== first?.tenant)).toEqual([
      { tenant: expect.stringContaining('user ') as string, isStarted: true },
    ]);
  });
});

describe('a request that waits for the statement that creates its payment', () => {
  it('lets another one run', async () => {
    const shop = await KeyedMerchant.open(harness);
    await shop.post();
    const after = setTimeout;
    // Such a request would stop counting as running after a tenth of a second anyway.
    jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((work: () => void, ms: number) =>
        after(work, ms === 100 ? 60_000 : ms)) as typeof setTimeout);
    const finished = jest.spyOn(FairQueue.prototype, 'finish');
    const waiting: Promise<{ status: number }>[] = [];
    await harness.sql.transaction(async (tx) => {
      await tx.query('lock table payments in share mode');
      waiting.push(shop.post());
      while (finished.mock.calls.length === 0) await new Promise(setImmediate);
      expect(await shop.countPayments()).toBe(1);
    });
    expect(await Promise.all(waiting)).toMatchObject([{ status: 201 }]);
    jest.restoreAllMocks();
    expect(finished).toHaveBeenCalledTimes(1);
  });
});

describe('connections of the database', () => {
  it('are left for other users while one user waits for a lock with more requests than the pool has', async () => {
    const [alice, bob] = [await KeyedMerchant.open(harness), await KeyedMerchant.open(harness)];
    await Promise.all([alice.post(), bob.post()]);
    const waiting: Promise<{ status: number }>[] = [];
    await whileLocked(alice, async () => {
      waiting.push(...Array.from({ length: 12 }, () => alice.post()));
      while (gateway.get(Sql).connections().waiting === 0) await new Promise(setImmediate);
      const answers = [];
      for (let i = 0; i < 2; i++) answers.push((await bob.post()).status);
      expect(answers).toEqual([201, 201]);
      expect((await askOf(gateway, '/api/health/ready')).status).toBe(200);
    });
    // On a busy machine some of hers have waited for more than five seconds.
    for (const { status } of await Promise.all(waiting)) expect([201, 503]).toContain(status);
  });
});

describe('unpaid payments', () => {
  let bounded: TestGateway;
  beforeAll(async () => {
    bounded = await start({
      MAX_OPEN_PAYMENTS_PER_USER: String(OPEN_PAYMENTS),
      MAX_UNPAID_PAYMENTS_PER_USER: String(UNPAID_PAYMENTS),
    });
  });
  const post = (shop: KeyedMerchant, changes: object = {}) =>
    shop.post({ body: { ...shop.checkout, ...changes } }, bounded);

  it('are refused beyond the limit of open ones, until one is paid, canceled or expires', async () => {
    const shop = await KeyedMerchant.open(harness);
    const ids: string[] = [];
    for (let i = 0; i < OPEN_PAYMENTS; i++) ids.push((await post(shop)).data.id);
    const refused = await post(shop);
    expect(JSON.parse(refused.text)).toMatchObject({
      code: 'too_many_unpaid_payments',
      message: 'There are 5 open payments, which is the limit.',
      hint: expect.stringContaining('MAX_OPEN_PAYMENTS_PER_USER') as string,
    });
    expect([refused.status, await shop.countPayments()]).toEqual([422, OPEN_PAYMENTS]);
    expect((await post(await KeyedMerchant.open(harness))).status).toBe(201);
    const cancelPath = `/api/payment/${ids[0]}/cancel`;
    const canceled = await askOf(bounded, cancelPath, { method: 'POST', token: shop.owner.accessToken });
    expect(canceled.status).toBe(200);
    expect((await post(shop)).status).toBe(201);
    expect((await post(shop)).status).toBe(422);
  });

  it('are refused beyond the limit of recent ones, until 30 days after their links ended', async () => {
    const shop = await KeyedMerchant.open(harness);
    const soon = () => new Date(harness.clock.now().getTime() + 120_000).toISOString();
    for (let i = 0; i < UNPAID_PAYMENTS; i++) {
      expect((await post(shop, { expiresAt: soon() })).status).toBe(201);
      harness.clock.advanceSeconds(180);
    }
    expect(JSON.parse((await post(shop)).text)).toMatchObject({
      code: 'too_many_unpaid_payments',
      message:
        'There are 7 unpaid payments whose link is valid or ended in the last 30 days, which is the limit.',
    });
    harness.clock.advanceSeconds(30 * 86_400);
    expect((await post(shop)).status).toBe(201);
  });
});
