import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runCli } from '../src/cli.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { writeRunningEnvironment } from '../src/demo/running-environment.js';
import { AccountApi } from './support/account-api.js';
import { Browser } from './support/browser.js';
import { authorizeUrl, PASSWORD, postForm, statusWith } from './support/oauth-api.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { TwoFactorApi } from './support/two-factor.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

async function cli(args: string[], input = '', environment: NodeJS.ProcessEnv = {}) {
  const [output, errors]: string[][] = [[], []];
  const env = { ...gateway.environment, ...environment };
  const code = await runCli(args, env, {
    input: (async function* () {
      yield input;
    })(),
    write: (text) => output!.push(text),
    writeError: (text) => errors!.push(text),
  });
  return { code, output: output!.join(''), errors: errors!.join('') };
}

const field = (output: string, name: string) =>
  new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(output)?.[1] ?? '';

async function canSignIn(email: string, password: string): Promise<boolean> {
  const { output } = await cli([
    'create-oauth-client',
    '--name',
    'Web',
    '--redirect-uri',
    'https://shop.example/cb',
  ]);
  const browser = new Browser(gateway);
  const changes = { redirect_uri: 'https://shop.example/cb' };
  const page = await browser.follow(await browser.get(authorizeUrl(field(output, 'client id'), changes)));
  return (await browser.submit(page.url, { email, password })).status === 303;
}

describe('the command line', () => {
  it('creates a user with a generated password, and a client that acts for them', async () => {
    const made = await cli(['create-user', '--email', 'Merchant@Example.test']);
    expect([made.code, made.errors]).toEqual([0, '']);
    expect(field(made.output, 'email')).toBe('merchant@example.test');
    expect(await canSignIn('merchant@example.test', field(made.output, 'password'))).toBe(true);

    const client = await cli(['create-oauth-client', '--user', 'merchant@example.test', '--name', 'Shop']);
    expect(client.code).toBe(0);
    const { body } = await postForm(gateway, '/token', {
      grant_type: 'client_credentials',
      client_id: field(client.output, 'client id'),
      client_secret: field(client.output, 'client secret'),
    });
    expect(await statusWith(gateway, body['access_token'])).toBe(200);
  });

  it('lists OAuth clients and revokes one permanently', async () => {
    await cli(['create-user', '--email', 'leaver@example.test']);
    const made = await cli(['create-oauth-client', '--user', 'leaver@example.test', '--name', 'Old shop']);
    const clientId = field(made.output, 'client id');
    const askForToken = () =>
      postForm(gateway, '/token', {
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: field(made.output, 'client secret'),
      });
    const listed = async () => (await cli(['list-oauth-clients'])).output;
    const { body } = await askForToken();
    expect(await listed()).toMatch(
      new RegExp(`^${clientId}  created [0-9TZ:-]+  leaver@example.test  Old shop$`, 'm'),
    );

    const revoked = await cli(['revoke-oauth-client', '--client-id', clientId]);
    expect([revoked.code, revoked.output, revoked.errors]).toEqual([
      0,
      expect.stringContaining(clientId),
      '',
    ]);
    expect(await statusWith(gateway, body['access_token'])).toBe(401);
    expect((await askForToken()).body).toMatchObject({ error: 'invalid_client' });
    expect(await listed()).toMatch(
      new RegExp(`^${clientId}  revoked [0-9TZ:-]+  leaver@example.test  Old shop$`, 'm'),
    );
    const again = await cli(['revoke-oauth-client', '--client-id', clientId]);
    expect([again.code, again.errors]).toEqual([2, expect.stringContaining('no client')]);
  });

  it('disables a user with all their clients, and enables them again', async () => {
    const user = await cli(['create-user', '--email', 'paused@example.test']);
    const made = await cli(['create-oauth-client', '--user', 'paused@example.test', '--name', 'Shop']);
    const canAct = async () => {
      const { body } = await postForm(gateway, '/token', {
        grant_type: 'client_credentials',
        client_id: field(made.output, 'client id'),
        client_secret: field(made.output, 'client secret'),
      });
      return (await statusWith(gateway, body['access_token'])) === 200;
    };
    const can = async () => [
      await canAct(),
      await canSignIn('paused@example.test', field(user.output, 'password')),
    ];
    expect(await can()).toEqual([true, true]);
    expect((await cli(['disable-user', '--email', 'paused@example.test'])).code).toBe(0);
    expect(await can()).toEqual([false, false]);
    expect((await cli(['enable-user', '--email', 'paused@example.test'])).code).toBe(0);
    expect(await can()).toEqual([true, true]);
  });

  it('reads a password from standard input and does not repeat it', async () => {
    const { code, output } = await cli(
      ['create-user', '--email', 'operator@example.test', '--operator', '--password-stdin'],
      'given on standard input\n',
    );
    expect(code).toBe(0);
    expect(output).not.toContain('given on standard input');
    expect(await canSignIn('operator@example.test', 'given on standard input')).toBe(true);
    const [row] = await gateway.sql.query<{ is_operator: boolean }>(
      'select is_operator from users where email = $1',
      ['operator@example.test'],
    );
    expect(row?.is_operator).toBe(true);
  });

  it.each([
    ['a common password', 'iloveyou1', /password field must not be one of the most common passwords/],
    [
      'a password of the email address',
      'treasurer2026',
      /without the words of your name, your email address/,
    ],
  ])('refuses %s', async (_what, password, message) => {
    const command = ['create-user', '--email', 'treasurer@example.test', '--password-stdin'];
    const { code, errors } = await cli(command, password);
    expect(code).toBe(1);
    expect(errors).toMatch(message);
    expect(errors).not.toContain(password);
    expect(await gateway.get(UsersService).findByEmail('treasurer@example.test')).toBeNull();
  });

  it.each<[string, string[], number, RegExp]>([
    ['no command', [], 2, /no command is given/],
    ['an unknown command', ['create-money'], 2, /unknown command "create-money"/],
    ['an unknown option', ['create-user', '--mail', 'a@b.test'], 2, /--mail/],
    ['an option of another command', ['verify', '--head', '1:00'], 2, /verify takes no --head/],
    ['no email', ['create-user'], 2, /--email is required/],
    ['a malformed email', ['create-user', '--email', 'nobody'], 1, /valid email address/],
    [
      'an empty password',
      ['create-user', '--email', 'x@example.test', '--password-stdin'],
      1,
      /between 8 and 256/,
    ],
    [
      'an unknown user',
      ['create-oauth-client', '--name', 'x', '--user', 'no@b.test'],
      2,
      /no user no@b.test/,
    ],
    [
      'neither user nor redirect',
      ['create-oauth-client', '--name', 'x'],
      2,
      /either --user or --redirect-uri/,
    ],
    ['a client to revoke that is not named', ['revoke-oauth-client'], 2, /--client-id is required/],
    ['revoking an unknown client', ['revoke-oauth-client', '--client-id', 'x'], 2, /no client x/],
    ['disabling an unknown user', ['disable-user', '--email', 'no@b.test'], 2, /no user no@b.test/],
    ['no name', ['create-oauth-client', '--redirect-uri', 'https://a.test/'], 2, /--name is required/],
    [
      'a redirect without TLS',
      ['create-oauth-client', '--name', 'x', '--redirect-uri', 'http://a.test/'],
      1,
      /must be https/,
    ],
    [
      'a redirect with a fragment',
      ['create-oauth-client', '--name', 'x', '--redirect-uri', 'https://a.test/#x'],
      1,
      /must be https/,
    ],
  ])('explains %s', async (_what, args, expected, message) => {
    const { code, output, errors } = await cli(args);
    expect([code, output]).toEqual([expected, '']);
    expect(errors).toMatch(message);
  });

  it('disables the second factor of a user who has lost it', async () => {
    const account = await AccountApi.open(gateway);
    const api = await TwoFactorApi.open(account);
    const { email } = account.user;
    expect(await canSignIn(email, PASSWORD)).toBe(false);
    const off = await cli(['disable-two-factor', '--email', email.toUpperCase()]);
    expect([off.code, off.output]).toEqual([0, `two-factor authentication of ${email} is disabled\n`]);
    expect(await canSignIn(email, PASSWORD)).toBe(true);
    expect(await statusWith(gateway, api.account.accessToken)).toBe(401);
    const again = await cli(['disable-two-factor', '--email', email]);
    expect([again.code, again.output]).toEqual([0, expect.stringContaining('was not enabled')]);
  });

  it.each([
    [['disable-two-factor'], /--email is required/],
    [['disable-two-factor', '--email', 'nobody@example.test'], /there is no user nobody@example.test/],
  ])('refuses to guess whose second factor to disable: %j', async (args, message) => {
    const { code, errors } = await cli(args);
    expect([code, errors]).toEqual([2, expect.stringMatching(message)]);
  });

  it('refuses to create a user twice', async () => {
    expect((await cli(['create-user', '--email', 'twice@example.test'])).code).toBe(0);
    const again = await cli(['create-user', '--email', 'TWICE@example.test']);
    expect([again.code, again.errors]).toEqual([1, 'The email has already been taken.\n']);
  });

  it('names the missing production variables even while a development gateway runs', async () => {
    const environment = { DATABASE_URL: '', NODE_ENV: 'production' };
    const { code, errors } = await cli(['create-user', '--email', 'a@b.test'], '', environment);
    expect([code, errors]).toEqual([1, expect.stringContaining('DATABASE_URL: is required')]);
  });

  it('says to start the development gateway first when there is neither it nor a configuration', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'no-gateway-'));
    const environment = { DATABASE_URL: '', DATA_DIR: dataDir };
    const command = ['create-user', '--email', 'a@b.test'];
    const without = await cli(command, '', environment);
    expect([without.code, without.errors]).toEqual([1, expect.stringContaining('start it first: npm start')]);
    expect(without.errors.split('\n')).toHaveLength(2);

    // As a killed gateway leaves it: the process is another one by now.
    const left = {
      pid: process.pid,
      startTicks: '1',
      variables: { DATABASE_URL: gateway.config.databaseUrl },
    };
    await writeFile(path.join(dataDir, 'environment.json'), JSON.stringify(left));
    expect((await cli(command, '', environment)).errors).toContain('start it first: npm start');
    await rm(dataDir, { recursive: true });
  });

  it('uses the gateway that runs with DATA_DIR, and takes only configuration variables from it', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'running-gateway-'));
    const running = { DATABASE_URL: gateway.config.databaseUrl, CLOUD_TOKEN: 'of-somebody-else' };
    await writeRunningEnvironment(dataDir, running);
    const file = path.join(dataDir, 'environment.json');
    expect(await readFile(file, 'utf8')).not.toContain('of-somebody-else');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const made = await cli(['create-user', '--email', 'beside@example.test'], '', {
      DATABASE_URL: '',
      DATA_DIR: dataDir,
    });
    expect([made.code, made.errors]).toEqual([0, '']);
    await rm(dataDir, { recursive: true });
  });

  it('prints its help', async () => {
    const { code, output } = await cli(['--help']);
    expect([code, output]).toEqual([0, expect.stringContaining('create-oauth-client')]);
  });
});
