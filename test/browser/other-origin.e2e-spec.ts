import path from 'node:path';
import type { Browser } from 'playwright-core';
import { EventStreams } from '../../src/webhooks/events/event-streams.service.js';
import { describeInBrowser, launchChromium, openTab, type Tab } from '../support/chromium.js';
import { createClient, createUser, PASSWORD } from '../support/oauth-api.js';
import { freePort } from '../support/free-port.js';
import { type OtherOrigin, startOtherOrigin } from '../support/other-origin/server.js';
import { installSdk, type SdkProject } from '../support/sdk-package.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from '../support/shop.js';

/** Requests a minute to one payment: enough for the tests, few enough to be used up by one. */
const POLL_LIMIT = 30;

let project: SdkProject;
let shop: Shop;
let website: OtherOrigin;
let browser: Browser;
let application: ShopApplication;

// Pages of one origin talk to a gateway of another one: two ports are two origins.
describeInBrowser('a web page of another origin, in a browser', () => {
  beforeAll(async () => {
    const port = await freePort();
    [project, shop, browser] = await Promise.all([
      installSdk(),
      Shop.open({
        PORT: String(port),
        BASE_URL: `http://127.0.0.1:${port}`,
        RATE_LIMIT_POLLS: String(POLL_LIMIT),
      }),
      launchChromium(),
    ]);
    website = await startOtherOrigin(path.join(project.installed, 'dist'));
    application = await shop.application();
  });
  afterAll(async () => {
    await browser?.close();
    await website?.stop();
    await shop?.close();
    await project?.remove();
  });

  let tab: Tab;
  beforeEach(async () => {
    tab = await openTab(browser);
    await tab.page.goto(website.origin);
  });
  afterEach(() => tab.page.context().close());

  /** Calls an export of one of the scripts in test/support/other-origin, in the page. */
  const call = <T>(script: string, name: string, ...args: unknown[]): Promise<T> =>
    tab.page.evaluate(
      async ([file, what, given]) => {
        const module = (await import(file)) as Record<string, (...values: unknown[]) => Promise<unknown>>;
        return module[what]?.(...given);
      },
      [`/scripts/${script}`, name, args] as const,
    ) as Promise<T>;
  const inShop = <T>(name: string, ...args: unknown[]) => call<T>('shop.mjs', name, ...args);
  const baseUrl = () => shop.gateway.baseUrl;
  const statusUrl = (id: string, checkoutUrl: string) =>
    `${baseUrl()}/api/checkout/payment/${id}${new URL(checkoutUrl).search}`;

  it('follows a payment with the client package and the signed link', async () => {
    const payment = await shop.createPayment(application, { amount: 10n ** 18n, currencyCode: 'ETH' });
    const { checkoutUrl } = payment;
    const seen = await inShop<Record<string, unknown>>('followCheckout', {
      baseUrl: baseUrl(),
      checkoutUrl,
    });
    expect(seen).toEqual({
      status: 'OPEN',
      amount: '1000000000000000000',
      methods: expect.any(Number) as number,
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) as string,
      due: '1000000000000000000',
    });
    expect(await inShop('pollWithETag', statusUrl(payment.id, checkoutUrl))).toEqual({
      status: 200,
      hasETag: true,
      again: 304,
    });
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    shop.gateway.clock.advanceSeconds(61);
    expect(await inShop('pollWithETag', statusUrl(payment.id, checkoutUrl))).toMatchObject({ status: 200 });
    expect(await inShop('exhaust', { baseUrl: baseUrl(), checkoutUrl })).toEqual({
      code: 'too_many_requests',
      status: 429,
      retryAfter: 60 / POLL_LIMIT,
      hasRequestId: true,
    });
  });

  it('creates, cancels, awaits and lists payments with an access token', async () => {
    const { accessToken: token } = shop.owner;
    const { clientId } = application;
    expect(await inShop('manage', { baseUrl: baseUrl(), token, clientId })).toEqual({
      cancelled: 'CANCELLED',
      waited: 'CANCELLED',
      isListed: true,
      refusal: ['validation_failed', 422, true],
    });
    expect(tab.incidents.filter((text) => text.includes('CORS'))).toEqual([]);
  });

  it('reads the event stream', async () => {
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment));
    await shop.mine(CONFIRMATIONS);
    const { accessToken: token } = shop.owner;
    const reading = inShop<string>('readFirstEvent', { baseUrl: baseUrl(), token });
    expect(await withStreams(reading)).toBe('payment.received');
  });

  it('can read errors, which are not network failures', async () => {
    const { accessToken: token } = shop.owner;
    expect(await inShop('readRefusals', { baseUrl: baseUrl(), token })).toEqual([
      '401 unauthenticated',
      '404 not_found',
      '400 malformed_json',
    ]);
  });

  it('cannot read pages, nor anything with cookies', async () => {
    const { id, checkoutUrl } = await shop.createPayment(application);
    const canRead = (url: string, init = {}) => inShop<boolean>('canRead', url, init);
    expect(await canRead(statusUrl(id, checkoutUrl))).toBe(true);
    expect(await canRead(statusUrl(id, checkoutUrl), { credentials: 'include' })).toBe(false);
    expect(await canRead(`${baseUrl()}/api/currencies`, { credentials: 'include' })).toBe(false);
    expect(await canRead(checkoutUrl)).toBe(false);
    expect(await canRead(`${baseUrl()}/api/docs`)).toBe(false);
    const introspection = { method: 'POST', body: 'token=x' };
    expect(await canRead(`${baseUrl()}/api/oauth/introspect`, introspection)).toBe(false);
  });

  it('signs users in without a server, with a generic client library', async () => {
    const { email } = await createUser(shop.gateway);
    const redirectUri = `${website.origin}/callback`;
    const clientId = await createClient(shop.gateway, { redirectUris: [redirectUri] });
    const issuer = `${baseUrl()}/api/oauth`;
    const { page } = tab;
    const url = await call<string>('single-page-app.mjs', 'beginSignIn', {
      issuer,
      clientId,
      redirectUri,
      scope: '* openid email offline_access',
    });
    await page.goto(url);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.waitForURL(`${redirectUri}?**`);

    const signedIn = await call<{ subject: string }>('single-page-app.mjs', 'finishSignIn');
    expect(await call('single-page-app.mjs', 'redeemNonsense', signedIn)).toEqual({
      status: 400,
      error: 'invalid_grant',
    });
    expect(await call('single-page-app.mjs', 'useTokens', signedIn)).toEqual({
      subject: signedIn.subject,
      email,
      names: [],
      statuses: [200, 200, 401],
    });
    // The session of the sign-in page is there, and no script of this origin gets anything by it.
    expect((await page.context().cookies()).map(({ name }) => name)).toContain('oauth_session');
    expect(await inShop('canRead', url, { credentials: 'include' })).toBe(false);
    expect(await inShop('canRead', `${baseUrl()}/api/payment-applications`, { credentials: 'include' })).toBe(
      false,
    );
  });
});

/** Loops stand still in tests: lets the streams look for events until the page has read one. */
async function withStreams(reading: Promise<string>): Promise<string> {
  const streams = shop.gateway.get(EventStreams);
  let isDone = false;
  const done = reading.finally(() => (isDone = true));
  while (!isDone) {
    await streams.runOnce();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}
