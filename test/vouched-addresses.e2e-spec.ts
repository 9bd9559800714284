import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runCli } from '../src/cli.js';
import { COMMANDS, isCommandName, optionsOf } from '../src/cli/usage.js';
import { AccountsService } from '../src/operations/accounts/accounts.service.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { AccountApi } from './support/account-api.js';
import { Browser } from './support/browser.js';
import { PASSWORD } from './support/oauth-api.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const SQUATTED = 'finance@bank.example';

let gateway: TestGateway;
let alice: AccountApi;

beforeAll(async () => {
  gateway = await startTestGateway();
  alice = await AccountApi.open(gateway);
});
afterAll(() => gateway.close());

const users = () => gateway.get(UsersService);
const idOf = async (email: string) => (await users().findByEmail(email))?.id ?? '';

async function cli(args: string[]) {
  const [output, errors]: [string[], string[]] = [[], []];
  const code = await runCli(args, gateway.environment, {
    input: (async function* () {
      yield '';
    })(),
    write: (text) => output.push(text),
    writeError: (text) => errors.push(text),
  });
  return { code, output: output.join(''), errors: errors.join('') };
}

/** Alice invites an address of somebody else, and opens the link herself. */
async function squat(email: string): Promise<string> {
  const { data } = await alice.call<{ url: string }>('POST', '/invitations', { email, role: 'viewer' });
  expect((await new Browser(gateway).submit(data.url, { password: PASSWORD })).status).toBe(200);
  return idOf(email);
}

describe('an address that its user chose, or who invited them,', () => {
  it('is not promoted, and is free for the operator, who creates another user', async () => {
    const squatter = await squat(SQUATTED);
    expect(await cli(['set-operator', '--email', SQUATTED])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Nobody vouched for the address') as string,
    });
    const created = await cli(['create-user', '--email', SQUATTED, '--operator']);
    expect(created).toMatchObject({ code: 0, errors: expect.stringContaining(squatter) as string });
    const real = await idOf(SQUATTED);
    expect(real).not.toBe(squatter);
    expect(await users().getSummary(real)).toMatchObject({ isOperator: true, isAuthentic: true });
    expect(await users().verifyPassword(SQUATTED, PASSWORD)).toBeNull();
    // Nothing of the former user is lost or inherited.
    expect(await users().getSummary(squatter)).toMatchObject({
      email: `${squatter}@unvouched.invalid`,
      isOperator: false,
      disabledAt: null,
    });
    const { data } = await alice.call<{ userId: string }[]>('GET', '/members');
    expect(data.map(({ userId }) => userId)).toContain(squatter);
    expect(await cli(['set-operator', '--email', SQUATTED, '--revoke'])).toMatchObject({ code: 0 });
    expect(await cli(['set-operator', '--email', SQUATTED])).toMatchObject({ code: 0 });
  });

  it('is the same after its user has changed to it', async () => {
    const email = 'treasury@bank.example';
    const mallory = await AccountApi.open(gateway);
    expect((await mallory.put({ email, currentPassword: PASSWORD })).status).toBe(200);
    expect((await cli(['set-operator', '--email', email])).code).toBe(1);
    expect((await cli(['create-user', '--email', email])).code).toBe(0);
    expect(await idOf(email)).not.toBe(mallory.user.id);
  });

  it('stays with a user whom the operator created, invited or not', async () => {
    const member = await AccountApi.open(gateway);
    const { email } = member.user;
    expect(await cli(['create-user', '--email', email])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('already been taken') as string,
    });
    expect(await idOf(email)).toBe(member.user.id);
    expect((await cli(['set-operator', '--email', email])).code).toBe(0);
  });

  it('is taken from whom nobody vouched for when an account is handed over to it', async () => {
    const email = 'payroll@bank.example';
    const squatter = await squat(email);
    const leaver = await AccountApi.open(gateway);
    const moved = await cli(['transfer-account', '--user', leaver.user.id, '--to', email]);
    expect(moved).toMatchObject({ code: 0, errors: expect.stringContaining(squatter) as string });
    expect(await idOf(email)).toBe(leaver.user.id);
    expect((await cli(['set-operator', '--email', email])).code).toBe(0);
  });

  it('is shown to operators as what it is', async () => {
    const squatter = await squat('audit@bank.example');
    expect((await gateway.get(AccountsService).get(squatter)).emailVouched).toBe(false);
    expect((await gateway.get(AccountsService).get(alice.user.id)).emailVouched).toBe(true);
  });
});

/** Every command that finds a user, with its other options. */
const REACHING: Record<string, readonly string[]> = {
  'reset-password-link': [],
  'set-operator': ['--revoke'],
  'disable-user': [],
  'enable-user': [],
  'transfer-account': ['--to', 'next@bank.example'],
  'erase-user': [],
  'export-account': ['--to', path.join(os.tmpdir(), 'account-of-a-squatter')],
  'restore-user': [],
  'disable-two-factor': [],
  'create-oauth-client': ['--name', 'Shop'],
};
/** Its address is free, or it is given back. */
const CREATING = ['create-user'];

describe('no command finds a user by an address that nobody vouched for:', () => {
  const optionOf = (name: string) =>
    isCommandName(name) && optionsOf(name).includes('email') ? 'email' : 'user';
  const taking = Object.keys(COMMANDS).filter(
    (name) =>
      isCommandName(name) && optionsOf(name).some((option) => option === 'email' || option === 'user'),
  );

  it('all of them are here', () => {
    expect([...Object.keys(REACHING), ...CREATING].sort()).toEqual(taking.sort());
  });

  it.each(Object.entries(REACHING))('%s', async (name, more) => {
    const email = `${name}@bank.example`;
    const squatter = await squat(email);
    const before = await users().getSummary(squatter);
    const refused = await cli([name, `--${optionOf(name)}`, email, ...more]);
    expect(refused).toMatchObject({ code: 1, output: '' });
    expect(refused.errors).toContain(`Nobody vouched for the address: its user ${squatter} chose it`);
    expect(await users().getSummary(squatter)).toEqual(before);
  });

  it('by the id they find the same user, who is vouched for as little as before', async () => {
    const squatter = await squat('known@bank.example');
    const link = await cli(['reset-password-link', '--email', squatter]);
    expect(link).toMatchObject({ code: 0, output: expect.stringContaining('known@bank.example') as string });
    expect((await cli(['restore-user', '--email', squatter])).code).toBe(0);
    expect((await cli(['set-operator', '--email', squatter])).errors).toContain(
      'Nobody vouched for the address',
    );
    expect((await cli(['reset-password-link', '--email', 'known@bank.example'])).code).toBe(1);
  });

  it.each(['019a1c2e-5b7d-7c3a-9e41-2f6d8b0a4c11', 'nobody', 'nobody@bank.example'])(
    '%s is no user',
    async (named) => {
      expect(await cli(['reset-password-link', '--email', named])).toMatchObject({
        code: 2,
        errors: expect.stringContaining(`there is no user ${named}`) as string,
      });
    },
  );
});

/** Who goes from an address to a user, and why that is right for whoever took the address. */
const FINDING: Record<string, string> = {
  'cli/named-user.ts': 'all commands, by getNamed',
  'identity/oauth/people/users.service.ts': 'getNamed itself, create-user, and who knows the password',
  'identity/oauth/people/user.repository.ts': 'the statement',
  'identity/oauth/people/account-transfer.service.ts': 'after the address was freed',
  'identity/oauth/access-link-page.ts': 'who accepts gives the password, and gets a membership',
  'identity/oauth/sign-in-attempts.service.ts': 'who signs in gives the password',
  'identity/oauth/provisioning.service.ts': 'the development profile, whose accounts are public',
};

it('nothing else finds users by their addresses', async () => {
  const root = path.resolve(import.meta.dirname, '../src');
  const files = (await readdir(root, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  const found: string[] = [];
  for (const file of files)
    if (
      /findByEmail|lockAny|getNamed|FIND_BY_EMAIL|\.email = \$/.test(
        await readFile(path.join(root, file), 'utf8'),
      )
    )
      found.push(file);
  const named = found.filter((file) => !/^cli\/(users|export|oauth-clients)\.ts$/.test(file));
  expect(named.sort()).toEqual(Object.keys(FINDING).sort());
});
