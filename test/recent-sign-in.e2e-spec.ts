import { AccountApi } from './support/account-api.js';
import { sendRequest } from './support/api-request.js';
import { APPLICATIONS } from './support/applications-api.js';
import { Browser } from './support/browser.js';
import { authorizeUrl, newPkce, PASSWORD, redeem, refresh } from './support/oauth-api.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { TwoFactorApi } from './support/two-factor.js';
import { newAccount } from './support/wallets-api.js';

const SCOPE = 'openid * wallets:write';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

interface Tokens {
  access_token: string;
  refresh_token: string;
  id_token: string;
}

/** A person with a browser, and the client that they sign in to. */
class Person {
  private readonly browser = new Browser(gateway);

  constructor(readonly account: AccountApi) {}

  /** The pages that a sign-in shows, and its tokens. @param codeOf what the authenticator program shows */
  async signIn(parameters: Record<string, string> = {}, codeOf?: () => string) {
    const { verifier, challenge } = newPkce();
    const url = authorizeUrl(this.account.clientId, {
      scope: SCOPE,
      code_challenge: challenge,
      ...parameters,
    });
    const pages: string[] = [];
    let page = await this.browser.follow(await this.browser.get(url));
    while (!page.location) {
      const [, title = ''] = /<h1>(.*)<\/h1>/.exec(page.body) ?? [];
      pages.push(title);
      const fields = title === 'Enter your code' ? { code: codeOf?.() ?? '' } : this.fields;
      const answer = await this.browser.submit(page.url, { ...fields, decision: 'allow' });
      // The page that asks for the code is the response to the password, at the same address.
      page = answer.location ? await this.browser.follow(answer) : { ...answer, url: page.url };
      if (page.status >= 400) throw new Error(`${page.status} ${page.body}`);
    }
    const code = page.location.searchParams.get('code') ?? '';
    const { body } = await redeem(gateway, this.account.clientId, code, verifier);
    return { pages, tokens: body as unknown as Tokens };
  }

  private get fields() {
    return { email: this.account.user.email, password: PASSWORD };
  }
}

const call = (method: string, path: string, token: string, body?: unknown) =>
  sendRequest(`${gateway.baseUrl}${path}`, { method, token, body });
const setWallet = (token: string, path = '/api/account/wallets/evm') =>
  call('PUT', path, token, { extendedPublicKey: newAccount().publicExtendedKey });
const claimsOf = (idToken: string) =>
  JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
const userInfo = async (token: string) =>
  JSON.parse((await call('GET', '/api/oauth/userinfo', token)).text) as Record<string, unknown>;

const challengeFor = (acr: string) =>
  new RegExp(
    `^Bearer error="insufficient_user_authentication", acr_values="${acr}", max_age="300", error_description="[^"]+"$`,
  );

async function expectStepUp(answer: Awaited<ReturnType<typeof call>>, acr: string): Promise<void> {
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    401,
    expect.objectContaining({
      code: 'recent_sign_in_required',
      message: 'Recent sign-in required',
      hint: expect.stringContaining(`max_age=300 and acr_values=${acr}`) as string,
    }),
  ]);
  expect(answer.headers.get('www-authenticate')).toMatch(challengeFor(acr));
}

describe("changing a wallet with a user's token", () => {
  it('works for five minutes after the sign-in, and not for longer, also not with a refreshed token', async () => {
    const person = new Person(await AccountApi.open(gateway));
    const { tokens } = await person.signIn();
    const created = await call('POST', APPLICATIONS, tokens.access_token, {
      name: 'Shop',
      secret: 'a secret',
    });
    const { id } = (JSON.parse(created.text) as { data: { id: string } }).data;
    const paths = ['/api/account/wallets/evm', `${APPLICATIONS}/${id}/wallets/evm`];
    gateway.clock.advanceSeconds(300);
    for (const path of paths) expect((await setWallet(tokens.access_token, path)).status).toBe(200);

    gateway.clock.advanceSeconds(1);
    const { body } = await refresh(gateway, person.account.clientId, tokens.refresh_token);
    for (const token of [tokens.access_token, String(body['access_token'])])
      for (const path of paths) {
        await expectStepUp(await setWallet(token, path), 'pwd');
        await expectStepUp(await call('DELETE', path, token), 'pwd');
        expect((await call('GET', path, token)).status).toBe(200);
      }
  });

  it('works again after a sign-in by the parameters of the challenge', async () => {
    const person = new Person(await AccountApi.open(gateway));
    const first = await person.signIn();
    gateway.clock.advanceSeconds(301);
    // The session of the browser goes on, so the same request again brings no recent sign-in.
    const same = await person.signIn();
    expect(same.pages).toEqual([]);
    await expectStepUp(await setWallet(same.tokens.access_token), 'pwd');

    const { pages, tokens } = await person.signIn({ max_age: '300', acr_values: 'pwd' });
    expect(pages).toEqual(['Sign in']);
    expect((await setWallet(tokens.access_token)).status).toBe(200);
    await expectStepUp(await setWallet(first.tokens.access_token), 'pwd');
    expect((await person.signIn({ max_age: '300', acr_values: 'pwd' })).pages).toEqual([]);
    expect((await person.signIn({ prompt: 'login' })).pages).toEqual(['Sign in']);
    expect((await person.signIn({ max_age: '0' })).pages).toEqual(['Sign in']);
  });

  it('takes the second factor from the moment on that the user has one', async () => {
    const person = new Person(await AccountApi.open(gateway));
    const before = person.account.accessToken;
    expect((await setWallet(before)).status).toBe(200);
    const phone = await TwoFactorApi.open(person.account);
    await expectStepUp(await setWallet(before), 'mfa');

    const { pages, tokens } = await person.signIn({ max_age: '300', acr_values: 'mfa' }, () => phone.code());
    expect(pages).toEqual(['Sign in', 'Enter your code', 'Allow access?']);
    expect((await setWallet(tokens.access_token)).status).toBe(200);
    gateway.clock.advanceSeconds(301);
    await expectStepUp(await setWallet(tokens.access_token), 'mfa');
  });

  it('cannot be had by asking for a level that the user does not have', async () => {
    const person = new Person(await AccountApi.open(gateway));
    const { pages, tokens } = await person.signIn({ acr_values: 'mfa' });
    expect(pages).toEqual(['Sign in', 'Allow access?']);
    expect(claimsOf(tokens.id_token)['acr']).toBe('pwd');
    expect((await person.signIn({ acr_values: 'mfa' })).pages).toEqual(['Sign in']);
    expect((await person.signIn({ acr_values: 'unknown' })).pages).toEqual([]);
  });
});

describe('a sign-in', () => {
  it('is stated in the ID token and by userinfo: when and how', async () => {
    const person = new Person(await AccountApi.open(gateway));
    const at = gateway.clock.unixSeconds();
    const { tokens } = await person.signIn();
    for (const claims of [claimsOf(tokens.id_token), await userInfo(tokens.access_token)])
      expect(claims).toMatchObject({ auth_time: at, acr: 'pwd' });
    const phone = await TwoFactorApi.open(person.account);
    const again = await person.signIn({ acr_values: 'mfa' }, () => phone.code());
    for (const claims of [claimsOf(again.tokens.id_token), await userInfo(again.tokens.access_token)])
      expect(claims).toMatchObject({ auth_time: gateway.clock.unixSeconds(), acr: 'mfa' });
  });
});
