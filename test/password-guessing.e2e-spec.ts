import { Meters } from '../src/platform/kernel/meters.js';
import { BruteForceThrottle } from '../src/platform/web/rate-limiting/brute-force-throttle.service.js';
import { AccountApi } from './support/account-api.js';
import { type Answer, Browser } from './support/browser.js';
import { LIMITED_ENV, newAddress } from './support/limited-api.js';
import { authorizeUrl, createClient, createUser, PASSWORD, signIn } from './support/oauth-api.js';
import { TestClock } from './support/test-clock.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { TwoFactorApi } from './support/two-factor.js';

/** RATE_LIMIT_ACCOUNT of {@link LIMITED_ENV}, an hour; one comes back in 180 s. */
const BOUND = 20;
const UNKNOWN = 'nobody@example.test';

let gateway: TestGateway;
let second: TestGateway;
let clientId: string;
const clock = new TestClock();
beforeAll(async () => {
  gateway = await startTestGateway(LIMITED_ENV, clock);
  second = await startTestGateway(LIMITED_ENV, clock, gateway.databaseUrl);
  clientId = await createClient(gateway);
});
afterAll(async () => {
  await gateway?.close();
  await second?.close();
});
// Every bucket is full again.
beforeEach(() => clock.advanceSeconds(3_600));

/** Submits forms of one sign-in, each from an address of its own unless one is given. */
async function open(browser = new Browser(gateway), on = gateway) {
  const page = await browser.follow(await browser.get(authorizeUrl(clientId, { prompt: 'login' })));
  return (fields: Record<string, string>, from = newAddress()) =>
    browser.submit(page.url, fields, {
      origin: new URL(on.config.baseUrl).origin,
      'x-forwarded-for': from,
    });
}

/** A browser in which the user has signed in before. */
async function knownBrowserOf(email: string): Promise<Browser> {
  const browser = new Browser(gateway);
  await signIn(browser, email, authorizeUrl(clientId));
  return browser;
}

/** Guesses from ten addresses at a time, by both processes in turn. */
async function guess(email: string, times: number): Promise<Answer[]> {
  const [here, there] = [await open(), await open(new Browser(second), second)];
  const answers: Answer[] = [];
  while (answers.length < times) {
    const batch = Array.from({ length: Math.min(10, times - answers.length) }, (_, i) =>
      (i % 2 ? here : there)({ email, password: `guess ${answers.length + i}` }),
    );
    answers.push(...(await Promise.all(batch)));
  }
  return answers;
}

function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** What a stranger can tell one refusal from another by. */
const visible = ({ status, headers, body }: Answer, email: string) => ({
  status,
  body: body.replaceAll(email, '<email>').replaceAll(/interaction\/[\w-]+/g, ''),
  headers: [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name)),
});

async function refusalsOf(reason: string): Promise<number> {
  const read = await Promise.all([gateway, second].map((one) => one.get(Meters).refusedSignIns.get()));
  return read
    .flatMap(({ values }) => values.filter(({ labels }) => labels.reason === reason))
    .reduce((sum, { value }) => sum + value, 0);
}

const blockedRows = (userId: string | null) =>
  gateway.sql.query<{ details: unknown }>(
    `select details from audit_log where act = 'sign_in.blocked' and user_id is not distinct from $1`,
    [userId],
  );

describe('a distributed guessing run', () => {
  it('has 20 passwords checked, and never meets the owner', async () => {
    const owner = await createUser(gateway);
    const other = await createUser(gateway);
    const browser = await knownBrowserOf(owner.email);

    const before = [await refusalsOf('password'), await refusalsOf('account_limit')];
    const answers = await guess(owner.email, 200);
    expect(tally(answers)).toEqual({ 422: BOUND, 429: 200 - BOUND });
    expect([await refusalsOf('password'), await refusalsOf('account_limit')]).toEqual([
      (before[0] ?? 0) + BOUND,
      (before[1] ?? 0) + 200 - BOUND,
    ]);

    // Not even the right password is checked now: 429 says nothing about it.
    const late = await (await open())({ email: owner.email, password: PASSWORD });
    expect([late.status, late.headers.get('retry-after'), late.headers.get('ratelimit-policy')]).toEqual([
      429,
      '180',
      '"account";q=20;w=3600',
    ]);
    expect(late.body).toContain('A browser that has signed in to it before can still do so.');

    // The owner's own browser, at an address that was never seen.
    const own = await (await open(browser))({ email: owner.email, password: PASSWORD });
    expect(own.status).toBe(200);
    expect(own.body).toContain(
      '20 attempts to sign in to your account were refused since you last signed in',
    );
    // An account that was not guessed.
    expect((await (await open())({ email: other.email, password: PASSWORD })).status).toBe(303);
  });

  it('against an account that does not exist gets the same responses', async () => {
    const { email } = await createUser(gateway);
    const [real, none] = [await guess(email, 2 * BOUND), await guess(UNKNOWN, 2 * BOUND)];
    expect(tally(none)).toEqual(tally(real));
    for (const status of [422, 429]) {
      const [a, b] = [real, none].map((answers) => answers.find((answer) => answer.status === status));
      if (!a || !b) throw new Error(`one of the two accounts never got the status ${status}`);
      expect(visible(b, UNKNOWN)).toEqual(visible(a, email));
    }
    // Another spelling is the same account.
    expect((await (await open())({ email: ` ${UNKNOWN.toUpperCase()}`, password: 'x' })).status).toBe(429);
  });

  it('leaves one row of the audit log a day, and none for an account that does not exist', async () => {
    const { id, email } = await createUser(gateway);
    const head = async () => (await gateway.sql.query('select 1 from audit_log')).length;
    const before = await head();
    await guess(email, BOUND - 1);
    await guess(UNKNOWN, BOUND + 10);
    expect(await head()).toBe(before);
    await guess(email, 11);
    expect(await blockedRows(id)).toEqual([{ details: { reason: 'password' } }]);
    clock.advanceSeconds(180);
    expect(tally(await guess(email, 10))).toEqual({ 422: 1, 429: 9 });
    expect(await head()).toBe(before + 1);
    clock.advanceSeconds(86_400);
    await guess(email, BOUND);
    expect(await blockedRows(id)).toHaveLength(2);
    expect(await head()).toBe(before + 2);
  });

  it('writes one row an account, which says nothing of what was typed', async () => {
    const { id, email } = await createUser(gateway);
    const typed = 'a password in the field of the address';
    await guess(email, 10);
    await guess(typed, 10);
    await guess(UNKNOWN, 10);
    const rows = await gateway.sql.query<{ count: number }>(
      `select since_last as count from refused_sign_ins where user_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ count: 10 }]);
    const [strangers] = await gateway.sql.query<{ count: number }>(
      `select count(*)::int as count from refused_sign_ins r
       where not exists (select from users u where u.id = r.user_id)`,
    );
    expect(strangers?.count).toBe(1);
    const [{ text } = { text: '' }] = await gateway.sql.query<{ text: string }>(
      `select string_agg(f::text, ' ') as text from failed_attempts f`,
    );
    expect(text).toContain('account-total');
    expect(text).not.toContain('nobody');
    clock.advanceSeconds(3_601);
    expect(await gateway.get(BruteForceThrottle).purgeExpired()).toBe(false);
    expect(await gateway.sql.query('select 1 from failed_attempts')).toEqual([]);
  });
});

describe('a known browser', () => {
  it('has a bound of its own, and after it counts as an unknown one', async () => {
    const { email } = await createUser(gateway);
    const submit = await open(await knownBrowserOf(email));
    const from = newAddress();
    for (let i = 0; i < BOUND; i++)
      expect((await submit({ email, password: 'wrong' }, from)).status).toBe(422);
    // From here on by the address: 5 a minute.
    for (let i = 0; i < 5; i++) expect((await submit({ email, password: 'wrong' }, from)).status).toBe(422);
    expect((await submit({ email, password: 'wrong' }, from)).status).toBe(429);
    // 5 of 20 were taken from all others.
    expect(tally(await guess(email, BOUND))).toEqual({ 422: BOUND - 5, 429: 5 });
    expect((await submit({ email, password: PASSWORD })).status).toBe(429);
    clock.advanceSeconds(180);
    expect((await submit({ email, password: PASSWORD })).status).toBe(200);
  });

  it('is known for its own user only, and for several of them', async () => {
    const [ann, bob, eve] = [await createUser(gateway), await createUser(gateway), await createUser(gateway)];
    const browser = await knownBrowserOf(ann.email);
    await signIn(browser, bob.email, authorizeUrl(clientId, { prompt: 'login' }));
    for (const { email } of [ann, bob, eve]) await guess(email, BOUND);
    const tried = [];
    for (const { email } of [eve, bob, ann])
      tried.push((await (await open(browser))({ email, password: PASSWORD })).status);
    expect(tried).toEqual([429, 200, 200]);
  });

  it.each<[string, (value: string, victim: string) => string]>([
    ['a changed MAC', (value) => value.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ["the victim's id in an own one", (value, victim) => value.replace(/^[^:]+/, victim)],
    ['another browser', (value, victim) => value.replace(/:[^:]+:/, `:${victim}:`)],
    ['a later sign-in', (value) => value.replace(/:(\d+):/, (_all, at) => `:${Number(at) + 1}:`)],
  ])('is not one with %s', async (what, change) => {
    const [victim, thief] = [await createUser(gateway), await createUser(gateway)];
    const browser = await knownBrowserOf(what.includes('own') ? thief.email : victim.email);
    browser.forge('oauth_browser', (value) => change(value, victim.id));
    await guess(victim.email, BOUND);
    expect((await (await open(browser))({ email: victim.email, password: PASSWORD })).status).toBe(429);
  });

  it('is forgotten a year after its last sign-in', async () => {
    const { email } = await createUser(gateway);
    const browser = await knownBrowserOf(email);
    clock.advanceSeconds(364 * 86_400);
    await guess(email, BOUND);
    expect((await (await open(browser))({ email, password: PASSWORD })).status).toBe(200);
    clock.advanceSeconds(365 * 86_400);
    await guess(email, BOUND);
    expect((await (await open(browser))({ email, password: PASSWORD })).status).toBe(429);
  });

  it('still enters its codes while a stranger with the password uses up all others', async () => {
    const account = await AccountApi.open(gateway);
    const { id, email } = account.user;
    const browser = await knownBrowserOf(email);
    const phone = await TwoFactorApi.open(account);
    const stranger = await open();
    expect((await stranger({ email, password: PASSWORD })).body).toContain('Enter your code');
    for (let i = 0; i < 5; i++) expect((await stranger({ code: '000000' })).status).toBe(422);
    expect((await stranger({ code: '000000' })).status).toBe(429);
    expect(await blockedRows(id)).toEqual([{ details: { reason: 'code' } }]);

    const own = await open(browser);
    expect((await own({ email, password: PASSWORD })).body).toContain('Enter your code');
    clock.advanceSeconds(30);
    const notice = await own({ code: phone.code() });
    expect(notice.status).toBe(200);
    expect(notice.body).toContain('5 attempts to sign in to your account were refused');
    // Nor did that give the stranger new attempts.
    expect((await stranger({ code: '000000' })).status).toBe(429);
  });
});

describe('the owner', () => {
  it('reads how many sign-ins were refused, of before and after the last one', async () => {
    const account = await AccountApi.open(gateway);
    const { email } = account.user;
    expect((await account.get()).data).toMatchObject({ refusedSignIns: 0, lastRefusedSignInAt: null });
    await guess(email, 4);
    const at = clock.now();
    expect((await (await open())({ email, password: PASSWORD })).status).toBe(303);
    clock.advanceSeconds(60);
    expect((await account.get()).data).toMatchObject({
      refusedSignIns: 4,
      lastRefusedSignInAt: at.toISOString().replace(/\.\d+/, ''),
    });
    await guess(email, 2);
    expect((await account.get()).data).toMatchObject({ refusedSignIns: 6 });
    await (
      await open()
    )({ email, password: PASSWORD });
    expect((await account.get()).data).toMatchObject({ refusedSignIns: 2 });
    await (
      await open()
    )({ email, password: PASSWORD });
    expect((await account.get()).data).toMatchObject({ refusedSignIns: 0 });
  });

  it('goes on from the notice to the client', async () => {
    const { email } = await createUser(gateway);
    const browser = await knownBrowserOf(email);
    await guess(email, BOUND);
    const notice = await (await open(browser))({ email, password: PASSWORD });
    const [, href = ''] = /<a href="([^"]+)">Continue/.exec(notice.body) ?? [];
    const end = await browser.follow(await browser.get(href.replaceAll('&amp;', '&')));
    expect(end.location?.searchParams.get('code')).toEqual(expect.any(String));
    // The notice is shown once.
    expect((await (await open(browser))({ email, password: PASSWORD })).status).toBe(303);
  });
});
