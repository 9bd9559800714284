import { runCli } from '../src/cli.js';
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
});
