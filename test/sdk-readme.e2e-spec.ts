/**
 * @inOrder The package is built, and then its examples, before they are started.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { freePort } from './support/free-port.js';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WebhookDispatcher } from '../src/webhooks/webhook-dispatcher.service.js';
import { CONFIRMATIONS, SECRET, Shop, type ShopApplication } from './support/shop.js';
import { installSdk, type SdkProject } from './support/sdk-package.js';

/** The examples of sdk/README.md, compiled as a shop's own code and run against a real gateway: Express here, Next.js by harness/nextjs.mjs. */
const root = path.resolve(import.meta.dirname, '..');
const readme = readFileSync(path.join(root, 'sdk/README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```ts ?([\w-]*)\n([\s\S]*?)^```/gm)].map(
  ([, name = '', text = ''], index) => ({
    file: `${name || `example-${index}`}.ts`,
    text,
  }),
);
const NAMES = ['express.ts', 'next-checkout.ts', 'next-webhook.ts'];

describe('the README of the client package', () => {
  let project: SdkProject;
  let shop: Shop;

  beforeAll(async () => {
    [project, shop] = await Promise.all([installSdk(), Shop.open()]);
    await mkdir(path.join(project.folder, 'examples'));
    for (const { file, text } of blocks) await writeFile(path.join(project.folder, 'examples', file), text);
    await writeFile(path.join(project.folder, 'package.json'), '{"type":"module"}');
    const tsconfig = {
      compilerOptions: {
        module: 'nodenext',
        target: 'ES2022',
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        types: ['node'],
        skipLibCheck: true,
        rootDir: 'examples',
        outDir: 'out',
      },
      include: ['examples'],
    };
    await writeFile(path.join(project.folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  });
  afterAll(async () => {
    await shop?.close();
    await project?.remove();
  });

  it('has examples that compile against the packed types', async () => {
    expect(blocks.map(({ file }) => file)).toEqual(expect.arrayContaining(NAMES));
    expect(blocks.length).toBeGreaterThanOrEqual(7);
    await project.compile('-p', 'tsconfig.json');
  });

  it('has examples that would not compile with a misspelled field', async () => {
    await writeFile(
      path.join(project.folder, 'wrong.ts'),
      blocks[0]!.text.replace('currencyCode', 'currency'),
    );
    const flags =
      '--noEmit --ignoreConfig --module nodenext --target es2022 --types node --skipLibCheck'.split(' ');
    await expect(project.compile(...flags, 'wrong.ts')).rejects.toThrow(/'currency'/);
  });

  describe('the Express example', () => {
    let child: ChildProcess;
    let output = '';
    let url: string;
    let application: ShopApplication;

    beforeAll(async () => {
      const port = await freePort();
      url = `http://127.0.0.1:${port}`;
      application = await shop.application({ callbackUrl: `${url}/api/webhooks/payments` });
      child = spawn(process.execPath, [path.join(project.folder, 'out/express.js')], {
        cwd: project.folder,
        env: {
          PATH: process.env['PATH'],
          PORT: String(port),
          GATEWAY_URL: shop.gateway.baseUrl,
          GATEWAY_TOKEN: application.clientToken,
          GATEWAY_CLIENT_ID: application.clientId,
          WEBHOOK_SECRET: SECRET,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
      const answers = () =>
        fetch(url).then(
          () => true,
          () => false,
        );
      while (!(await answers())) {
        if (child.exitCode !== null) throw new Error(`the example ended: ${output}`);
        await delay(50);
      }
    });
    afterAll(async () => {
      if (!child || child.exitCode !== null) return;
      child.kill();
      await once(child, 'exit');
    });

    const post = (body: string, headers: Record<string, string> = {}) =>
      fetch(`${url}/api/webhooks/payments`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      });

    it('redirects the customer to the checkout and receives the webhook', async () => {
      const answer = await fetch(`${url}/api/checkout`, { method: 'POST', redirect: 'manual' });
      expect(answer.status).toBe(303);
      const checkoutUrl = answer.headers.get('location') ?? '';
      const id = new URL(checkoutUrl).pathname.split('/').at(-1) ?? '';
      const read = () =>
        shop.call<{ status: string; reference: string }>(
          'GET',
          `/api/payment/${id}`,
          application.clientToken,
        );
      await shop.send(await shop.instructions({ id, checkoutUrl }));
      await shop.mine(CONFIRMATIONS);
      // RECEIVED moves on because the example has answered 2xx.
      const { status, reference } = (await read()).body.data;
      expect(status).toBe('CONFIRMED');
      expect(output).toBe(
        `payment.received ${reference} 2500\nship ${reference}\npayment.completed ${reference} 2500\n`,
      );
    });

    it('returns 2xx to a test event and ships nothing', async () => {
      const before = output;
      const log = `/api/payment-applications/${application.id}`;
      const { accessToken } = shop.owner;
      for (const event of ['payment.received', 'payment.completed', 'payment.underpaid', 'payment.refund']) {
        const sent = await shop.call<{ id: string }>('POST', `${log}/webhook-test`, accessToken, { event });
        expect(sent.status).toBe(202);
        while (await shop.gateway.get(WebhookDispatcher).runOnce()) continue;
        const path = `${log}/webhook-deliveries/${sent.body.data.id}`;
        const delivery = await shop.call<object>('GET', path, accessToken);
        expect(delivery.body.data).toMatchObject({ status: 'SUCCEEDED', httpStatus: 204, test: true });
      }
      expect(output).toBe(before);
    });

    it('refuses unsigned requests', async () => {
      const before = output;
      const body = JSON.stringify({
        id: 'x',
        event: 'payment.received',
        createdAt: 'now',
        payment: { id: 'x', status: 'RECEIVED' },
      });
      const unsigned = await post(body);
      expect([unsigned.status, await unsigned.text()]).toEqual([400, 'missing_header']);
      const now = String(Math.floor(Date.now() / 1000));
      const forged = await post(body, {
        'webhook-id': 'x',
        'webhook-timestamp': now,
        'webhook-signature': `v1,${'A'.repeat(43)}=`,
        'x-paymentservice-timestamp': now,
        'x-paymentservice-signature': 'a'.repeat(64),
      });
      expect([forged.status, await forged.text()]).toEqual([400, 'bad_signature']);
      expect(output).toBe(before);
    });
  });
});
