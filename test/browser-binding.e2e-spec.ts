import { Browser } from './support/browser.js';
import { authorizeUrl, createClient, createUser, PASSWORD } from './support/oauth-api.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

let gateway: TestGateway;
let clientId: string;
let user: { id: string; email: string };

beforeAll(async () => {
  gateway = await startTestGateway({ BASE_URL: 'https://pay.example' });
  user = await createUser(gateway);
  clientId = await createClient(gateway);
});
afterAll(() => gateway.close());

/** A browser that stands on the sign-in page. */
async function openLoginPage() {
  const browser = new Browser(gateway);
  const page = await browser.follow(await browser.get(authorizeUrl(clientId)));
  return { browser, page };
}

describe('a sign-in that one browser began', () => {
  /** What another host of the domain can plant: all that has not the prefix `__Host-`. */
  const isPlantable = (name: string) => !name.startsWith('__Host-');
  const login = () => ({ email: user.email, password: PASSWORD });

  it('is neither shown to another one nor answered by it', async () => {
    const { browser: attacker, page } = await openLoginPage();
    const victim = new Browser(gateway);
    victim.plant(attacker, isPlantable);
    for (const answer of [await victim.get(page.url), await victim.submit(page.url, login())]) {
      expect(answer.status).toBe(400);
      expect(answer.body).toContain('This sign-in has expired');
    }
    // Nobody has signed in to what the attacker goes on with.
    const resumed = await attacker.get(page.url.pathname.replace('/interaction/', '/authorize/'));
    expect(resumed.location?.searchParams.get('code') ?? null).toBeNull();
  });

  it('is not ended by another one, which would be signed in as a stranger', async () => {
    const { browser: attacker, page } = await openLoginPage();
    const answered = await attacker.submit(page.url, login());
    const victim = new Browser(gateway);
    victim.plant(attacker, isPlantable);
    const resumed = await victim.get(answered.location ?? '');
    expect(resumed.status).toBe(400);
    expect(resumed.headers.getSetCookie().join()).not.toContain('oauth_session');
    expect((await attacker.get(answered.location ?? '')).status).toBe(303);
  });

  it('is not ended under the address of one that the other browser began itself', async () => {
    const { browser: attacker, page } = await openLoginPage();
    await attacker.submit(page.url, login());
    const { browser: victim, page: own } = await openLoginPage();
    victim.plant(attacker, (name) => /resume/.test(name));
    const path = own.url.pathname.replace('/interaction/', '/authorize/');
    const cookies = [...victim.cookieTexts].reverse().join('; ');
    const resumed = await fetch(`${gateway.baseUrl}${path}`, {
      headers: { cookie: cookies },
      redirect: 'manual',
    });
    expect(resumed.status).toBe(400);
    expect(resumed.headers.getSetCookie().join()).not.toContain('oauth_session');
  });

  it('is bound again at each step: consent, and the proof of somebody who is signed in', async () => {
    const { browser: attacker, page } = await openLoginPage();
    const consent = await attacker.follow(await attacker.submit(page.url, login()));
    expect(consent.body).toContain('value="allow"');
    const proof = await attacker.follow(await attacker.get(authorizeUrl(clientId, { prompt: 'login' })));
    expect(proof.body).toContain('<label for="password">');
    for (const step of [consent, proof]) {
      const victim = new Browser(gateway);
      victim.plant(attacker, isPlantable);
      expect((await victim.get(step.url)).status).toBe(400);
      expect((await attacker.get(step.url)).status).toBe(200);
    }
  });

  it('goes on in each of eight windows that were opened at once, and cookies do not pile up', async () => {
    const browser = new Browser(gateway);
    const answers = await Promise.all(Array.from({ length: 8 }, () => browser.get(authorizeUrl(clientId))));
    for (const { location } of answers) expect((await browser.get(location ?? '')).status).toBe(200);
    for (let more = 0; more < 4; more += 1) await browser.get(authorizeUrl(clientId));
    const bindings = browser.cookieTexts.filter((text) => text.startsWith('__Host-oauth_binding-'));
    expect(bindings).toHaveLength(8);
  });

  it('leaves no cookie of it behind', async () => {
    const { browser, page } = await openLoginPage();
    const consent = await browser.follow(await browser.submit(page.url, login()));
    await browser.follow(await browser.submit(consent.url, { decision: 'allow' }));
    expect(browser.cookieTexts.filter((text) => text.includes('binding'))).toEqual([]);
  });
});
