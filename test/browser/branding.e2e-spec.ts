import { existsSync } from 'node:fs';
import { deflateSync, crc32 } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { logoTypeOf } from '../../src/applications/branding/logo.pure.js';
import { describeInBrowser, launchChromium, openTab, pageUrl } from '../support/chromium.js';
import { DatabaseThief } from '../support/database-thief.js';
import { Shop, type ShopApplication } from '../support/shop.js';

interface Logo {
  id: string;
  url: string;
  mediaType: string;
  size: number;
}
interface Branded {
  accent: string | null;
  supportUrl: string | null;
  defaultLanguage: string | null;
  paymentAppImage: { id: string; url: string } | null;
}
interface Status {
  merchantSettings: { image: string | null; supportUrl: string | null; accent: string | null };
}

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><path d="M0 0h90v30H0z" fill="#0b6b3d"/></svg>';
const BRAND = { accent: '#0B6B3D', supportUrl: 'mailto:help@shop.example', defaultLanguage: 'fr' };

function png(width: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width);
  const pixels = deflateSync(Buffer.alloc(width * 3 + 1));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** English until there is a translation. */
const LANGUAGE = existsSync('web/messages/fr.json') ? 'fr' : 'en';

let shop: Shop;
let application: ShopApplication;
beforeAll(async () => {
  shop = await Shop.open();
});
afterAll(() => shop?.close());
beforeEach(async () => {
  application = await shop.application({ name: 'Bluebird <Coffee>', url: 'https://shop.example' });
});

const call = <T>(method: string, rest = '', body?: unknown) =>
  shop.call<T>(method, `/api/payment-applications/${application.id}${rest}`, shop.owner.accessToken, body);
const putLogo = (picture: string | Buffer) =>
  call<Logo>('PUT', '/logo', { content: Buffer.from(picture).toString('base64') });
/** Where the test's gateway listens. */
const fetchLogo = (url: string) => fetch(`${shop.gateway.baseUrl}${new URL(url).pathname}`);
async function pageOf(query: Record<string, string> = {}): Promise<string> {
  const payment = await shop.createPayment(application);
  return (await fetch(pageUrl(shop, payment, query))).text();
}

describe('accent, support link and language', () => {
  it('are stored, shown, kept and cleared', async () => {
    expect((await call<Branded>('PUT', '', BRAND)).body.data).toMatchObject({ ...BRAND, accent: '#0b6b3d' });
    expect((await call<Branded>('PUT', '', { name: 'Renamed' })).body.data).toMatchObject({
      supportUrl: BRAND.supportUrl,
      defaultLanguage: 'fr',
    });
    expect((await call<Branded>('GET')).body.data.accent).toBe('#0b6b3d');
    const nothing = { accent: null, supportUrl: null, defaultLanguage: null };
    expect((await call<Branded>('PUT', '', nothing)).body.data).toMatchObject(nothing);
  });

  it('can be set with a new application', async () => {
    expect(await shop.application(BRAND)).toMatchObject({ ...BRAND, accent: '#0b6b3d' });
  });

  it.each([
    ['accent', 'red', 'must be a color in the form #rrggbb'],
    ['accent', '#fff', 'must be a color in the form #rrggbb'],
    ['accent', '#1747d1;}', 'must be a color in the form #rrggbb'],
    ['accent', 7, 'must be a color in the form #rrggbb'],
    [
      'accent',
      '#ffcc00',
      'it has a contrast of 1.51:1 with the white card of the page, and needs 3:1; the nearest color that has it is #b38f00',
    ],
    ['supportUrl', 'javascript:alert(1)', 'must be a valid URL'],
    ['supportUrl', 'data:text/html,x', 'must be a valid URL'],
    ['supportUrl', 'https://a:b@shop.example', 'must be a valid URL'],
    ['supportUrl', 'mailto:a@b.example?bcc=c@d.example', 'must be an http(s) URL, or mailto:'],
    ['supportUrl', `mailto:${'a'.repeat(3_000)}@b.example`, 'must be an http(s) URL, or mailto:'],
    ['supportUrl', {}, 'must be a string'],
    ['defaultLanguage', 'xx', 'defaultLanguage'],
    ['defaultLanguage', 'EN', 'defaultLanguage'],
    ['defaultLanguage', ['en'], 'defaultLanguage'],
  ])('%s: %j is refused', async (field, value, reason) => {
    const { status, body } = await call('PUT', '', { [field]: value });
    expect(status).toBe(422);
    expect(JSON.stringify(body.errors?.[field])).toContain(reason);
  });

  it('are on the checkout page and in the status', async () => {
    await call('PUT', '', { ...BRAND, defaultLanguage: LANGUAGE });
    const page = await pageOf();
    expect(page).toContain(`<html lang="${LANGUAGE}"`);
    expect(page).toMatch(
      /<style nonce="[\w-]+">[^<]*:root\{--ink:#0b6b3d;--on-ink:#ffffff;--accent:#0b6b3d;--on-accent:#ffffff;--accent-bg:#[0-9a-f]{6}\}@media/,
    );
    expect(page).toContain('href="mailto:help@shop.example"');
    expect(await pageOf({ lang: 'en' })).toContain('<html lang="en"');
    const payment = await shop.createPayment(application);
    const { body } = await shop.checkout<Status>(payment, `payment/${payment.id}`);
    expect(body.data.merchantSettings).toMatchObject({ supportUrl: BRAND.supportUrl, accent: '#0b6b3d' });
  });
});

describe('the logo', () => {
  it('is set, shown, replaced and removed', async () => {
    expect((await call('GET', '/logo')).status).toBe(404);
    const first = (await putLogo(SVG)).body.data;
    expect(first).toMatchObject({ mediaType: 'image/svg+xml', size: SVG.length });
    expect(new URL(first.url).pathname).toMatch(
      new RegExp(`^/checkout/assets/logo/${application.id}/[0-9a-f]{64}$`),
    );
    expect((await call<Logo>('GET', '/logo')).body.data).toEqual(first);
    const { id, url } = first;
    expect((await call<Branded>('GET')).body.data.paymentAppImage).toEqual({ id, url });

    const second = (await putLogo(png(40))).body.data;
    expect(second).toMatchObject({ mediaType: 'image/png', size: png(40).length });
    expect(second.url).not.toBe(first.url);
    expect((await fetchLogo(first.url)).status).toBe(404);
    expect(Buffer.from(await (await fetchLogo(second.url)).arrayBuffer())).toEqual(png(40));

    expect((await call('DELETE', '/logo')).status).toBe(204);
    expect((await call('DELETE', '/logo')).status).toBe(204);
    expect((await fetchLogo(second.url)).status).toBe(404);
    expect((await call<Branded>('GET')).body.data.paymentAppImage).toBeNull();
  });

  it('an SVG is served as it was sent', async () => {
    const hostile =
      '<?xml version="1.0"?>\n<!-- a\u00a0b --><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
    expect(await (await fetchLogo((await putLogo(hostile)).body.data.url)).text()).toBe(hostile);
  });

  it('is served to everybody, for good, as what it is and as nothing that runs', async () => {
    const { headers, status } = await fetchLogo((await putLogo(SVG)).body.data.url);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': expect.stringMatching(/^image\/svg\+xml/) as string,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
  });

  it('is on the checkout page instead of the name, with the name for whoever does not see it', async () => {
    const { url } = (await putLogo(SVG)).body.data;
    const [, path] = url.split('/checkout/');
    expect(await pageOf()).toContain(`<img class="logo" src="${path}" alt="Bluebird &lt;Coffee&gt;">`);
    const payment = await shop.createPayment(application);
    const { body } = await shop.checkout<Status>(payment, `payment/${payment.id}`);
    expect(body.data.merchantSettings.image).toBe(url);
  });

  it.each([
    ['a wide PNG', png(1_025), '1025 by 1 pixels; at most 1024 by 1024'],
    ['half a PNG', png(40).subarray(0, 50), 'is cut off'],
    ['a JPEG', Buffer.from([0xff, 0xd8, 0xff]), 'neither a PNG nor an SVG'],
    ['a page', Buffer.from('<html><script>alert(1)</script></html>'), 'neither a PNG nor an SVG'],
    ['a text', Buffer.from('my <svg'), 'neither a PNG nor an SVG'],
    ['64 KiB and more', Buffer.from(SVG.padEnd(65_537)), 'bytes; at most 65536 are allowed'],
  ])('%s is refused with the reason', async (_what, picture, reason) => {
    const { status, body } = await putLogo(picture);
    expect(status).toBe(422);
    expect(JSON.stringify(body.errors?.['content'])).toContain(reason);
    expect((await call('GET', '/logo')).status).toBe(404);
  });

  it.each([
    [{}, 'required'],
    [{ content: null }, 'required'],
    [{ content: '' }, 'base64'],
    [{ content: SVG }, 'base64'],
    [{ content: 'data:image/png;base64,AAAA' }, 'base64'],
    [{ content: 7 }, 'string'],
    [{ content: 'A'.repeat(87_388) }, 'at most 65536 bytes'],
  ])('the body %j is refused', async (body, reason) => {
    const answer = await call('PUT', '/logo', body);
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body.errors?.['content'])).toContain(reason);
  });

  it('may have 64 KiB; no other route takes a body that long', async () => {
    expect((await putLogo(SVG.padEnd(65_536))).status).toBe(200);
    expect((await call('PUT', '', { name: 'x'.repeat(70_000) })).status).toBe(413);
    expect((await call('PUT', '/logo', { content: 'A'.repeat(100_000) })).status).toBe(413);
  });

  it("is no other application's, and of none that is deleted", async () => {
    const { url } = (await putLogo(SVG)).body.data;
    const other = await shop.application();
    expect((await fetchLogo(url.replace(application.id, other.id))).status).toBe(404);
    expect((await fetchLogo(url.replace(application.id, 'x'))).status).toBe(404);
    expect((await fetchLogo(url.slice(0, -1))).status).toBe(404);
    expect((await call('DELETE')).status).toBe(200);
    expect((await putLogo(SVG)).body).toMatchObject({ code: 'application_deleted' });
    expect((await call('DELETE', '/logo')).status).toBe(409);
  });
});

describe('changes outside of the gateway', () => {
  it.each([
    ['the support link', `update sites set support_url = 'https://evil.example'`],
    ['an accent where none was', `update sites set accent = '#6b0b3d' where accent is null`],
    ['a support link that was removed', 'update sites set support_url = null'],
  ])('%s: no branding is shown, and nothing of it is kept', async (_what, statement) => {
    await call('PUT', '', { supportUrl: 'https://shop.example/help' });
    const { url } = (await putLogo(SVG)).body.data;
    await new DatabaseThief(shop.gateway.sql).tamper([
      [`${statement}${statement.includes('where') ? ' and' : ' where'} application_id = '${application.id}'`],
    ]);
    expect((await fetchLogo(url)).status).toBe(404);
    expect((await putLogo(SVG)).body).toMatchObject({ code: 'settings_integrity' });
    const settings = {
      url: null,
      callbackUrl: null,
      allowUnderpay: false,
      allowOverpay: true,
      confirmations: {},
      events: ['payment.received', 'payment.completed', 'payment.underpaid', 'payment.refund'],
    };
    expect((await call<Branded>('PUT', '', settings)).body.data).toMatchObject({
      accent: null,
      supportUrl: null,
      paymentAppImage: null,
    });
  });

  it('the page of an earlier payment shows none of it', async () => {
    const payment = await shop.createPayment(application);
    await new DatabaseThief(shop.gateway.sql).tamper([
      [
        `update sites set support_url = 'https://evil.example', accent = '#6b0b3d' where application_id = '${application.id}'`,
      ],
    ]);
    const page = await (await fetch(pageUrl(shop, payment))).text();
    expect(page).not.toMatch(/evil\.example|#6b0b3d/);
  });

  it('another picture is not served', async () => {
    const { url } = (await putLogo(SVG)).body.data;
    await new DatabaseThief(shop.gateway.sql).tamper([
      [
        `update application_logos set content = '<svg onload="alert(1)"/>' where application_id = '${application.id}'`,
      ],
    ]);
    expect((await fetchLogo(url)).status).toBe(404);
  });
});

describeInBrowser('the branding in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it.each([
    ['light', 'an SVG', SVG],
    ['dark', 'a PNG', png(40)],
  ] as const)('%s: shows %s, and text in the accent can be read', async (colorScheme, _what, picture) => {
    await call('PUT', '', { ...BRAND, defaultLanguage: null });
    await putLogo(picture);
    const tab = await openTab(browser, { colorScheme });
    await tab.page.goto(pageUrl(shop, await shop.createPayment(application)));
    const logo = tab.page.getByRole('img', { name: 'Bluebird <Coffee>' });
    expect(await logo.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBeGreaterThan(0);
    expect(await tab.page.getByRole('link', { name: 'Get help: help@shop.example' }).count()).toBe(1);
    const color = await tab.page.evaluate(`getComputedStyle(document.querySelector('footer a')).color`);
    expect(color).toEqual(
      colorScheme === 'light' ? 'rgb(11, 107, 61)' : expect.not.stringContaining('rgb(11, 107, 61)'),
    );
    expect(tab.incidents).toEqual([]);
    expect(logoTypeOf(Buffer.from(picture))).toMatch(/^image\//);
    await tab.page.context().close();
  });

  describe('an SVG with scripts, handlers, and what it would load', () => {
    const HOSTILE = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 90 30"
      onload="document.documentElement.setAttribute('data-ran', 'handler')">
      <style>@import "/checkout/assets/loaded.css"; rect { fill: url(/checkout/assets/loaded.svg#f) }</style>
      <script>document.documentElement.setAttribute('data-ran', 'script')</script>
      <image href="/checkout/assets/loaded.png" width="9" height="9"/>
      <foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="/checkout/assets/loaded.html"/></foreignObject>
      <animate attributeName="data-ran" to="animation" onbegin="document.documentElement.setAttribute('data-ran', 'x')" dur="1s"/>
      <rect width="90" height="30"/></svg>`;

    it.each(['as the logo of a checkout', 'opened by itself'])('%s runs and loads nothing', async (where) => {
      const { url } = (await putLogo(HOSTILE)).body.data;
      const tab = await openTab(browser);
      const loaded: string[] = [];
      tab.page.on('response', (response) => loaded.push(response.url()));
      if (where === 'opened by itself') {
        await tab.page.goto(`${shop.gateway.baseUrl}${new URL(url).pathname}`);
        expect(await tab.page.evaluate('self.origin')).toBe('null');
      } else {
        await tab.page.goto(pageUrl(shop, await shop.createPayment(application)));
        const logo = tab.page.getByRole('img', { name: 'Bluebird <Coffee>' });
        expect(await logo.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBeGreaterThan(
          0,
        );
      }
      expect(await tab.page.evaluate(`document.documentElement.getAttribute('data-ran')`)).toBeNull();
      expect(loaded.filter((address) => address.includes('loaded'))).toEqual([]);
      await tab.page.context().close();
    });
  });
});
