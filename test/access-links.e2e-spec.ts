/**
 * @inOrder The first run comes first: it makes the user that the rest works with.
 */
import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { AccessLinksService } from '../src/identity/oauth/access-links.service.js';
import { FirstRun } from '../src/identity/oauth/first-run.service.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { AccountApi } from './support/account-api.js';
import { runCommand } from './support/audit-harness.js';
import { Browser } from './support/browser.js';
import {
  authorizeUrl,
  createClient,
  createUser,
  PASSWORD,
  refresh,
  statusWith,
} from './support/oauth-api.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { TwoFactorApi } from './support/two-factor.js';

const NEW_PASSWORD = 'seventeen green umbrellas';
const HOUR = 3_600;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

/** The link that a start of the gateway logs; null: it logs none. */
async function announced(of = gateway): Promise<string | null> {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  await of.get(FirstRun).announce();
  const [line] = warn.mock.calls.map(([text]) => String(text));
  warn.mockRestore();
  return /http\S+/.exec(line ?? '')?.[0] ?? null;
}

const cli = (args: string[], of = gateway) => runCommand({ gateway: of }, args, of.environment['APP_KEYS']);

async function resetLink(email: string, of = gateway): Promise<string> {
  const { output, errors } = await cli(['reset-password-link', '--email', email], of);
  expect(errors).toBe('');
  return /http\S+/.exec(output)?.[0] ?? '';
}

/** What the sign-in page answers to a password: 303 is a sign-in, `code` a question for the second factor. */
async function signInWith(email: string, password: string): Promise<'in' | 'code' | number> {
  const browser = new Browser(gateway);
  const page = await browser.follow(await browser.get(authorizeUrl(await createClient(gateway))));
  const { status, body } = await browser.submit(page.url, { email, password });
  if (status === 303) return 'in';
  return body.includes('name="code"') ? 'code' : status;
}

const audited = (act: string) =>
  gateway.sql.query<{ details: unknown }>(
    `select details from audit_log where act = $1 order by seq desc limit 1`,
    [act],
  );

describe('the first run', () => {
  it('lets the holder of the logged link create the first user, an operator, once', async () => {
    const [url, earlier] = [(await announced()) ?? '', (await announced()) ?? ''];
    expect(url).not.toBe(earlier);
    const browser = new Browser(gateway);
    const page = await browser.get(url);
    expect(page.status).toBe(200);
    expect(page.body).toContain('Set up this gateway');
    expect(page.headers.get('cache-control')).toBe('no-store');

    const bad = await browser.submit(url, { email: 'nobody', password: NEW_PASSWORD });
    expect([bad.status, bad.body]).toEqual([422, expect.stringContaining('valid email address')]);
    const weak = await browser.submit(url, { email: 'first@example.test', password: 'password1' });
    expect([weak.status, weak.body]).toEqual([422, expect.stringContaining('another password')]);
    expect(weak.body).toContain('value="first@example.test"');

    const form = { email: 'First@example.test', password: NEW_PASSWORD };
    expect((await browser.submit(url, form, { origin: 'https://evil.example' })).status).toBe(403);
    const answers = await Promise.all([url, url, earlier].map((one) => browser.submit(one, form)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
    expect(await gateway.get(UsersService).findByEmail('first@example.test')).toMatchObject({
      isOperator: true,
    });
    expect(await signInWith('first@example.test', NEW_PASSWORD)).toBe('in');

    expect((await browser.get(url)).status).toBe(404);
    expect((await browser.get(earlier)).body).toContain('This link no longer works');
    expect(await announced()).toBeNull();
    expect(await audited('access_link.used')).toMatchObject([{ details: { kind: 'setup' } }]);
  });

  it('is not offered with an identity provider of the operator', async () => {
    const other = await startTestGateway({
      OAUTH_ISSUER: 'https://id.example',
      OAUTH_AUDIENCE: 'https://pay.example',
    });
    expect(await announced(other)).toBeNull();
    await other.close();
  });

  it('does not end a gateway that serves when the database is slow', async () => {
    const slow = jest
      .spyOn(gateway.get(AccessLinksService), 'createSetup')
      .mockRejectedValue(new Error('timeout exceeded when trying to connect'));
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    expect(await announced()).toBeNull();
    expect(error.mock.calls[0]?.[1]).toMatch(/is logged at the next start$/);
    for (const spy of [slow, error]) spy.mockRestore();
  });

  it('ends after a day', async () => {
    const other = await startTestGateway();
    const url = (await announced(other)) ?? '';
    const browser = new Browser(other);
    expect((await browser.get(url)).status).toBe(200);
    other.clock.advanceSeconds(24 * HOUR);
    expect((await browser.get(url)).status).toBe(404);
    await other.close();
  });
});

describe('a forgotten password', () => {
  it('is replaced once with the link of an operator, which ends every sign-in', async () => {
    const person = await AccountApi.open(gateway);
    const { email } = person.user;
    const first = await resetLink(email);
    const url = await resetLink(email);
    const browser = new Browser(gateway);
    expect((await browser.get(first)).status).toBe(404);
    expect((await browser.get(url)).body).toContain(email);
    // What scans links does not use one up.
    expect((await browser.get(url)).status).toBe(200);
    expect(await statusWith(gateway, person.accessToken)).toBe(200);

    const done = await browser.submit(url, { password: NEW_PASSWORD });
    expect([done.status, done.body]).toEqual([200, expect.stringContaining('new password is set')]);
    expect((await browser.submit(url, { password: `${NEW_PASSWORD} 2` })).status).toBe(404);
    expect(await statusWith(gateway, person.accessToken)).toBe(401);
    expect((await refresh(gateway, person.clientId, person.refreshToken)).status).toBe(400);
    expect(await signInWith(email, PASSWORD)).toBe(422);
    expect(await signInWith(email, NEW_PASSWORD)).toBe('in');
    expect(await audited('access_link.used')).toMatchObject([{ details: { kind: 'password' } }]);
  });

  it('leaves the second factor', async () => {
    const account = await AccountApi.open(gateway);
    await TwoFactorApi.open(account);
    const { email } = account.user;
    await new Browser(gateway).submit(await resetLink(email), { password: NEW_PASSWORD });
    expect(await signInWith(email, NEW_PASSWORD)).toBe('code');
  });

  it('needs a user who may sign in, now and when the link is used', async () => {
    const { id, email } = await createUser(gateway);
    const url = await resetLink(email);
    const browser = new Browser(gateway);
    await gateway.get(UsersService).disable(id);
    expect((await browser.submit(url, { password: NEW_PASSWORD })).status).toBe(404);
    const refused = await cli(['reset-password-link', '--email', email]);
    expect([refused.code, refused.errors]).toEqual([2, expect.stringContaining('is disabled')]);
    const unknown = await cli(['reset-password-link', '--email', 'no@one.test']);
    expect(unknown.code).toBe(2);
  });
});

describe('a link', () => {
  it('is refused when its row was changed outside of the gateway', async () => {
    const [mine, victim] = [await createUser(gateway), await createUser(gateway)];
    const url = await resetLink(mine.email);
    expect((await new Browser(gateway).get(url)).status).toBe(200);
    await gateway.sql.query(`alter table access_links disable trigger access_links_guard`);
    await gateway.sql.query(`update access_links set user_id = $2 where user_id = $1 and used_at is null`, [
      mine.id,
      victim.id,
    ]);
    await gateway.sql.query(`alter table access_links enable trigger access_links_guard`);
    expect((await new Browser(gateway).get(url)).status).toBe(404);
  });

  it('is stored as a keyed hash, and an end is final', async () => {
    const { email } = await createUser(gateway);
    const token = new URL(await resetLink(email)).searchParams.get('token') ?? '';
    const rows = await gateway.sql.query<{ text: string }>(
      `select l::text as text from access_links l where token_hash is not null`,
    );
    expect(rows.some(({ text }) => text.includes(token))).toBe(false);
    await expect(
      gateway.sql.query(`update access_links set expires_at = now() + interval '9 days'`),
    ).rejects.toThrow('never changed');
    await expect(
      gateway.sql.query(`update access_links set used_at = null where used_at is not null`),
    ).rejects.toThrow('never changed');
  });

  it.each(['', 'x', 'a'.repeat(43), '%00'])('with the token "%s" has ended', async (token) => {
    const answer = await new Browser(gateway).get(`/api/oauth/access-link?token=${token}`);
    expect(answer.status).toBe(404);
    expect(await gateway.get(AccessLinksService).find(token)).toBeNull();
  });
});

describe('the command users', () => {
  it('lists everyone with state and rights', async () => {
    const { id, email } = await createUser(gateway);
    await gateway.get(UsersService).disable(id);
    const { output } = await cli(['users']);
    expect(output).toContain(`${id}  disabled  merchant  password only  ${email}`);
    expect(output).toMatch(/ {2}active {2}operator {2}password only {2}first@example\.test/);
  });
});

describe('the link of a forgotten password', () => {
  it('ends after an hour', async () => {
    // Commands have a clock of their own, and those of other tests must not be late.
    const other = await startTestGateway();
    const { email } = await createUser(other);
    const url = await resetLink(email, other);
    const [link] = await other.sql.query<{ lasts: string; ends: string }>(
      `select extract(epoch from expires_at - created_at) as lasts, extract(epoch from expires_at) as ends
       from access_links`,
    );
    expect(Number(link?.lasts)).toBe(HOUR);
    const left = Math.floor(Number(link?.ends)) - other.clock.unixSeconds();
    other.clock.advanceSeconds(left - 1);
    expect((await new Browser(other).get(url)).status).toBe(200);
    other.clock.advanceSeconds(2);
    expect((await new Browser(other).get(url)).status).toBe(404);
    await other.close();
  });
});
