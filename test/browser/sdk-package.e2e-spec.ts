import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium, openTab } from '../support/chromium.js';
import { installSdk, type SdkProject } from '../support/sdk-package.js';
import { dashboardTypes, type OpenApiDocument, sdkTypes } from '../support/sdk-types.js';
import { CONFIRMATIONS, SECRET, Shop } from '../support/shop.js';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

interface Manifest {
  homepage: string;
  bugs: { url: string };
  repository: { url: string; directory?: string };
}

describe('the types of the client package', () => {
  const document = () => JSON.parse(read('docs/openapi.json')) as OpenApiDocument;

  it('are those of docs/openapi.json (after an intended change run `npm run sdk:types`)', async () => {
    expect(await sdkTypes(document())).toBe(read('sdk/src/api-types.ts'));
    expect(await dashboardTypes(document())).toBe(read('web/dashboard/api/operations.ts'));
  });

  it('change with the document', async () => {
    const changed = document();
    changed.components.schemas['Payment']!.properties!['color'] = {
      type: ['string', 'null'],
      description: 'Of it.',
    };
    expect(await sdkTypes(changed)).toContain('/** Of it. */\n  color?: string | null | undefined;');
  });

  it('fail to be generated from unknown schema keywords', async () => {
    const changed = document();
    changed.components.schemas['Payment']!.properties!['odd'] = { oneOf: [] } as object;
    await expect(sdkTypes(changed)).rejects.toThrow(/does not know: oneOf/);
  });
});

describe('the client package', () => {
  let project: SdkProject;
  beforeAll(async () => {
    project = await installSdk();
  });
  afterAll(() => project?.remove());

  it('contains the build, README and license, and nothing else', () => {
    expect(project.packed.filter((file) => !/^dist\/[\w-]+\.(js|d\.ts)$/.test(file))).toEqual([
      'LICENSE',
      'README.md',
      'dist/derivation.licenses.txt',
      'package.json',
    ]);
    expect(project.packed).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts']));
    expect(project.packed.filter((file) => file.includes('.spec'))).toEqual([]);
  });

  it('has no dependencies, the license of the gateway, and its version', () => {
    const manifest = JSON.parse(read('sdk/package.json')) as Record<string, unknown>;
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
    expect(manifest['version']).toBe((JSON.parse(read('package.json')) as { version: string }).version);
    expect(read('sdk/LICENSE')).toBe(read('LICENSE'));
  });

  it('names the same repository as the gateway', () => {
    const names = (file: string) => {
      const { homepage, bugs, repository } = JSON.parse(read(file)) as Manifest;
      return { homepage, bugs, url: repository.url };
    };
    const { homepage, bugs, url } = names('package.json');
    expect(homepage).toMatch(/^https:\/\/[^/]+\/.*[^/]$/);
    expect([bugs.url, url]).toEqual([`${homepage}/issues`, `git+${homepage}.git`]);
    expect(names('sdk/package.json')).toEqual({ homepage, bugs, url });
    expect((JSON.parse(read('sdk/package.json')) as Manifest).repository.directory).toBe('sdk');
  });

  it('has no link in its README that is broken outside of the repository', () => {
    const { homepage } = JSON.parse(read('package.json')) as Manifest;
    const readme = readFileSync(path.join(project.installed, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThanOrEqual(3);
    const dead = links.filter((link) => {
      if (!link.startsWith('https:')) return !project.packed.includes(link);
      if (!link.startsWith(homepage) || link === homepage) return false;
      const [, file = ''] = /^\/blob\/main\/([^#]+)/.exec(link.slice(homepage.length)) ?? [];
      return file === '' || !existsSync(path.join(root, file));
    });
    expect(dead).toEqual([]);
  });

  it('imports nothing but its own files', () => {
    for (const file of project.packed.filter((name) => name.endsWith('.js'))) {
      const text = readFileSync(path.join(project.installed, file), 'utf8');
      for (const [, source = ''] of text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g))
        expect(source).toMatch(/^\.\/[\w-]+\.js$/);
    }
  });

  it('loads in Node by its name, and exports what the README names', async () => {
    const script =
      "console.log(JSON.stringify(Object.keys(await import('crypto-payment-gateway-client')).sort()))";
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: project.folder,
    });
    expect(JSON.parse(stdout)).toEqual([
      'Gateway',
      'GatewayError',
      'InstructionsError',
      'TERMINAL_STATUSES',
      'WebhookError',
      'parseExact',
      'stringifyExact',
      'verifyDepositAddress',
      'verifyInstructions',
      'verifyWebhook',
    ]);
  });

  it('is enough to integrate a shop in sixty lines', () => {
    const script = read('docs/tutorial/integrate-a-shop.mjs').trimEnd().split('\n');
    expect(script.length).toBeLessThanOrEqual(60);
    expect(script.filter((line) => /^import .* from '(?!node:)/.test(line))).toHaveLength(1);
  });

  describeInBrowser('in a browser', () => {
    let shop: Shop;
    let browser: Browser;
    beforeAll(async () => {
      [shop, browser] = await Promise.all([Shop.open(), launchChromium()]);
    });
    afterAll(async () => {
      await browser?.close();
      await shop?.close();
    });

    it('reads the public status and verifies webhooks', async () => {
      const application = await shop.application();
      const payment = await shop.createPayment(application, {
        amount: 1_500_000_000_000_000_001n,
        currencyCode: 'ETH',
      });
      await shop.send(await shop.instructions(payment));
      await shop.mine(CONFIRMATIONS);
      const { headers, body } = shop.merchant.requests.at(-1)!;

      const { page, incidents } = await openTab(browser);
      // A shop's page of the same origin: the gateway's own pages run no foreign script.
      await page.route('**/shop/**', (route) => {
        const name = new URL(route.request().url()).pathname.slice('/shop/'.length);
        return name === ''
          ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Shop</title>' })
          : route.fulfill({
              contentType: 'text/javascript',
              path: path.join(project.installed, 'dist', name),
            });
      });
      await page.goto(`${shop.gateway.baseUrl}/shop/`);
      const seen = await page.evaluate(
        async ({ baseUrl, checkoutUrl, webhook, secret, now }) => {
          const name = '/shop/index.js';
          const { Gateway, verifyWebhook, WebhookError } = (await import(
            name
          )) as typeof import('../../sdk/src/index.js');
          const status = await new Gateway({ baseUrl }).checkout.status(checkoutUrl);
          const verify = (text: string) =>
            verifyWebhook({ headers: webhook.headers, body: text, secret, now: new Date(now) });
          const event = await verify(webhook.body);
          const refusal = await verify(`${webhook.body} `).then(
            () => 'accepted',
            (error: unknown) => (error instanceof WebhookError ? error.reason : String(error)),
          );
          const { amount } = status.amount;
          return {
            status: status.status,
            type: typeof amount,
            amount: amount.toString(),
            event: event?.event,
            refusal,
          };
        },
        {
          baseUrl: shop.gateway.baseUrl,
          checkoutUrl: payment.checkoutUrl,
          webhook: { headers: headers as Record<string, string>, body: body.toString('utf8') },
          secret: SECRET,
          now: shop.gateway.clock.now().getTime(),
        },
      );
      expect(seen).toEqual({
        status: 'CONFIRMED',
        type: 'bigint',
        amount: '1500000000000000001',
        event: 'payment.completed',
        refusal: 'bad_signature',
      });
      expect(incidents).toEqual([]);
      await page.context().close();
    });
  });
});
