import { randomUUID } from 'node:crypto';
import { BruteForceThrottle } from '../src/platform/web/rate-limiting/brute-force-throttle.service.js';
import { newClientToken } from '../src/tokens/client-token.pure.js';
import { Browser } from './support/browser.js';
import { KeyedMerchant } from './support/keyed-api.js';
import {
  type AskInit,
  ask as askOf,
  expectRefused,
  limitsOf,
  LIMITED_ENV,
  newAddress,
  tally,
} from './support/limited-api.js';
import { authorizeUrl, createClient, createUser, PASSWORD } from './support/oauth-api.js';
import type { TestGateway } from './support/test-gateway.js';
import { WebhookHarness } from './support/webhook-harness.js';

let harness: WebhookHarness;
let gateway: TestGateway;
let second: TestGateway;
let shop: KeyedMerchant;
beforeAll(async () => {
  harness = await WebhookHarness.start(LIMITED_ENV);
  gateway = harness.gateway;
  second = await harness.addGateway(LIMITED_ENV);
  shop = await KeyedMerchant.open(harness);
});
afterAll(() => harness.stop());
// Every bucket is full again.
beforeEach(() => harness.clock.advanceSeconds(61));

const attemptFrom = (address: string) => ({ account: 'a@example.test', address, browser: null });

const ask = (path: string, { on = gateway, ...init }: AskInit & { on?: TestGateway } = {}) =>
  askOf(on, path, init);

async function failedRows(subject: string): Promise<number> {
  return (await gateway.sql.query('select 1 from failed_attempts where subject = $1', [subject])).length;
}

describe('bad tokens', () => {
  const path = `/api/payment/${randomUUID()}`;
  const bad = (from: string, on = gateway) => ask(path, { from, on, token: newClientToken() });

  it('are counted by all instances together, and allowed again after a wait', async () => {
    const from = newAddress();
    expect(await tally(20, (turn) => bad(from, turn % 2 ? gateway : second))).toEqual({ 401: 20 });
    expectRefused(await bad(from), 'failed-auth', 3);
    expectRefused(await bad(from, second), 'failed-auth', 3);
    await tally(60, () => bad(from));
    harness.clock.advanceSeconds(3);
    expect((await bad(from, second)).status).toBe(401);
    expectRefused(await bad(from), 'failed-auth', 3);
    expect((await bad(newAddress())).status).toBe(401);
  });

  it.each(['nonsense', 'pct_wrong', 'a'.repeat(43), 'e30.e30.'])('include %s', async (token) => {
    const from = newAddress();
    expect((await ask(path, { from, token })).status).toBe(401);
    expect(await failedRows(from)).toBe(1);
  });

  it('do not lock out a token that was valid from the same address', async () => {
    const from = newAddress();
    expect((await ask(path, { from, token: shop.token })).status).toBe(404);
    expect(await tally(21, () => bad(from))).toEqual({ 401: 20, 429: 1 });
    expect((await ask(path, { from, token: shop.token })).status).toBe(404);
    // On an instance that knows of no failure, either.
    expect((await ask(path, { from, token: shop.token, on: second })).status).toBe(404);
  });

  it('cost no query once an address is locked out', async () => {
    const from = newAddress();
    await tally(21, () => bad(from));
    await gateway.sql.query('alter table failed_attempts rename to failed_attempts_away');
    await gateway.sql.query('alter table client_tokens rename to client_tokens_away');
    try {
      expect(await tally(40, () => bad(from))).toEqual({ 429: 40 });
    } finally {
      await gateway.sql.query('alter table client_tokens_away rename to client_tokens');
      await gateway.sql.query('alter table failed_attempts_away rename to failed_attempts');
    }
  });

  it('are refused even when they cannot be counted', async () => {
    const from = newAddress();
    await gateway.sql.query('alter table failed_attempts rename to failed_attempts_away');
    try {
      expect((await bad(from)).status).toBe(401);
    } finally {
      await gateway.sql.query('alter table failed_attempts_away rename to failed_attempts');
    }
    expect(await failedRows(from)).toBe(0);
  });

  it('are not counted without a token, and valid requests write nothing', async () => {
    const from = newAddress();
    expect((await ask(path, { from })).status).toBe(401);
    expect((await ask(path, { from, token: shop.token })).status).toBe(404);
    expect(await failedRows(from)).toBe(0);
  });

  it('count once a known token becomes invalid', async () => {
    const from = newAddress();
    const { token } = shop;
    await ask(path, { from, token });
    await gateway.sql.query('update client_tokens set revoked_at = now() where revoked_at is null');
    try {
      expect((await ask(path, { from, token })).status).toBe(401);
      expect(await failedRows(from)).toBe(1);
      expect(limitsOf(await ask(path, { from, token })).policy).toBe('"address";q=300;w=60');
    } finally {
      await gateway.sql.query('update client_tokens set revoked_at = null');
    }
  });
});

describe('the sign-in page', () => {
  async function open(from: string, on = gateway) {
    const browser = new Browser(on);
    const clientId = await createClient(gateway);
    const page = await browser.follow(await browser.get(authorizeUrl(clientId)));
    const headers = { origin: new URL(on.config.baseUrl).origin, 'x-forwarded-for': from };
    return (email: string, password: string) => browser.submit(page.url, { email, password }, headers);
  }

  it('accepts 5 wrong passwords a minute per address and account, across all instances', async () => {
    const [from, { email }] = [newAddress(), await createUser(gateway)];
    const [here, there] = [await open(from), await open(from, second)];
    for (let i = 0; i < 5; i++)
      expect((await (i % 2 ? here : there)(` ${email.toUpperCase()}`, 'wrong')).status).toBe(422);
    const refused = await here(email, PASSWORD);
    expect([
      refused.status,
      refused.headers.get('retry-after'),
      refused.headers.get('ratelimit-policy'),
    ]).toEqual([429, '12', '"sign-in";q=5;w=60']);
    expect(refused.body).toContain('Too many failed attempts. Please wait 12 seconds, then try again.');
    expect((await there(email, PASSWORD)).status).toBe(429);
    // Neither the owner at another address nor others at this one are shut out.
    expect((await (await open(newAddress()))(email, PASSWORD)).status).toBe(303);
    expect((await (await open(from))((await createUser(gateway)).email, PASSWORD)).status).toBe(303);
    harness.clock.advanceSeconds(12);
    expect((await here(email, PASSWORD)).status).toBe(303);
  });

  it('accepts 20 wrong passwords a minute per address for all accounts', async () => {
    const [from, { email }] = [newAddress(), await createUser(gateway)];
    const submit = await open(from);
    for (let i = 0; i < 20; i++) expect((await submit(`nobody-${i}@example.test`, 'wrong')).status).toBe(422);
    expect((await submit(email, PASSWORD)).status).toBe(429);
    expect(await failedRows(from)).toBe(1);
  });

  it('checks no more concurrent passwords than are allowed to fail', async () => {
    const [failures, from] = [gateway.get(BruteForceThrottle), newAddress()];
    let [checks, refused] = [0, 0];
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    // No check ends before all of them were accepted or refused.
    const openForAll = () => checks + refused === 20 && open();
    const check = async () => {
      checks++;
      openForAll();
      await gate;
      return null;
    };
    const guess = async () => {
      try {
        return await failures.guardPassword(attemptFrom(from), check);
      } catch (error) {
        refused++;
        openForAll();
        throw error;
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: 20 }, guess));
    expect(checks).toBe(5);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await expect(guess()).rejects.toMatchObject({ status: 429 });
  });

  it('writes nothing for a right password', async () => {
    const [from, { email }] = [newAddress(), await createUser(gateway)];
    const count = async () => (await gateway.sql.query('select 1 from failed_attempts')).length;
    const before = await count();
    expect((await (await open(from))(email, PASSWORD)).status).toBe(303);
    expect(await count()).toBe(before);
  });
});

describe('failed attempts', () => {
  it('stay counted when the surrounding transaction is rolled back', async () => {
    const [failures, from] = [gateway.get(BruteForceThrottle), newAddress()];
    const undone = gateway.sql.unitOfWork(async () => {
      await failures.guardPassword(attemptFrom(from), async () => null);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await failedRows(from)).toBe(1);
  });

  it('of a known user stay counted when the unit of work around them is rolled back', async () => {
    const [failures, userId] = [gateway.get(BruteForceThrottle), randomUUID()];
    const rolledBack = gateway.sql.unitOfWork(async () => {
      await failures.takeGuess('current-password', userId);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await failedRows(userId)).toBe(1);
    await failures.restoreGuesses('current-password', userId);
    expect(await failedRows(userId)).toBe(0);
  });

  it('are not counted when the check itself fails', async () => {
    const [failures, from] = [gateway.get(BruteForceThrottle), newAddress()];
    const broken = failures.guardPassword(attemptFrom(from), async () => {
      throw new Error('no database');
    });
    await expect(broken).rejects.toThrow('no database');
    expect(await failedRows(from)).toBe(0);
  });

  it('written by a wrong clock lock no client out', async () => {
    const [failures, from] = [gateway.get(BruteForceThrottle), newAddress()];
    await gateway.sql.query(
      `insert into failed_attempts (kind, subject, restored_at) values ('token', $1, $2), ('password', $1, $2)`,
      [from, new Date(harness.clock.now().getTime() + 86_400_000)],
    );
    expect(await failures.count('token', from)).toMatchObject({ remaining: 19, retryAfterSeconds: null });
    expect(await failures.guardPassword(attemptFrom(from), async () => 'in')).toMatchObject({ result: 'in' });
  });

  it('are deleted when they no longer count', async () => {
    const failures = gateway.get(BruteForceThrottle);
    const from = newAddress();
    await failures.count('token', from);
    expect(await failures.purgeExpired()).toBe(false);
    expect(await failedRows(from)).toBe(1);
    harness.clock.advanceSeconds(3);
    expect(await failures.purgeExpired()).toBe(false);
    expect(await failedRows(from)).toBe(0);
  });
});
