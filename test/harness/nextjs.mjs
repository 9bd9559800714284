// A merchant with Next.js: the route handlers of sdk/README.md, as printed, in an app of their own with Next.js from the
// registry and the packed client. `next build` knows nothing of the gateway; `next start` then takes a payment.
//   node test/harness/nextjs.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { check, expect, until } from './checks.mjs';
import { forge, installClient, packClient, sendTestEvent, setCallback } from './client.mjs';
import {
  environment,
  freePort,
  mineBlocks,
  payInEther,
  readPayment,
  run,
  withProfile,
} from './development.mjs';
import { INSTALL } from './packages.mjs';

const root = path.resolve(import.meta.dirname, '../..');
/** Blocks that ether waits for (specification/chains.md#confirmations). */
const CONFIRMATIONS = 12;
const WEBHOOKS = '/api/webhooks/payments';
/** Nothing of the build leaves this machine. */
const QUIET = { NEXT_TELEMETRY_DISABLED: '1', CI: 'true' };

let work;
let app;

/** What any app has; the routes come from the README. */
const APP = {
  'app/layout.tsx': `import type { ReactNode } from 'react';

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
`,
  'app/page.tsx': `export default function Page() {
  return (
    <form action="/api/checkout" method="post">
      <button>Pay</button>
    </form>
  );
}
`,
};

/** Path and text of each example that says where it belongs: "`app/…/route.ts`:" and a block. */
async function readRoutes() {
  const text = await readFile(path.join(root, 'sdk/README.md'), 'utf8');
  const routes = [...text.matchAll(/`(app\/[\w/.-]+)`:\n\n```ts[^\n]*\n([\s\S]*?)^```/gm)];
  expect(routes.length === 2, `sdk/README.md shows ${routes.length} files of an app`);
  return routes.map(([, file, source]) => [file, source]);
}

async function installApp() {
  await mkdir(app);
  for (const name of ['package.json', 'package-lock.json'])
    await cp(path.join(root, 'test/harness/nextjs', name), path.join(app, name));
  await cp(path.join(root, '.npmrc'), path.join(app, '.npmrc'));
  const [program, ...args] = INSTALL;
  const { code, output } = await run(program, args, { cwd: app });
  expect(code === 0, output);
  await installClient(await packClient(work), app);
  for (const [file, source] of [...Object.entries(APP), ...(await readRoutes())]) {
    await mkdir(path.dirname(path.join(app, file)), { recursive: true });
    await writeFile(path.join(app, file), source);
  }
}

const next = (...args) => [path.join(app, 'node_modules/next/dist/bin/next'), ...args];

/** Types included. Both routes must be dynamic (ƒ): nothing of them is made when the app is built. */
async function build() {
  const { code, output } = await run(process.execPath, next('build'), { cwd: app, env: QUIET });
  expect(code === 0, output);
  for (const route of ['/api/checkout', WEBHOOKS])
    expect(new RegExp(`ƒ ${route}$`, 'm').test(output), `no dynamic ${route} in:\n${output}`);
}

async function startApp(facts, port) {
  const child = spawn(process.execPath, next('start', '--hostname', '127.0.0.1', '--port', String(port)), {
    cwd: app,
    env: environment({
      ...QUIET,
      GATEWAY_URL: facts.baseUrl,
      GATEWAY_TOKEN: facts.clientToken,
      GATEWAY_CLIENT_ID: facts.application.clientId,
      WEBHOOK_SECRET: facts.application.secret,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const shop = { child, output: '', ended: once(child, 'close'), url: `http://127.0.0.1:${port}` };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (shop.output += chunk));
  await until('the start of the app', async () => {
    expect(child.exitCode === null, shop.output);
    return (await fetch(shop.url).catch(() => null))?.ok;
  });
  return shop;
}

/** The customer presses the button; answers the payment that the redirect leads to. */
async function checkOut(facts, shop) {
  const answer = await fetch(`${shop.url}/api/checkout`, { method: 'POST', redirect: 'manual' });
  expect(answer.status === 303, `${answer.status} ${await answer.text()}\n${shop.output}`);
  const checkoutUrl = answer.headers.get('location');
  const id = new URL(checkoutUrl).pathname.split('/').at(-1);
  return { id, checkoutUrl, reference: (await readPayment(facts, id)).reference };
}

async function checkForgery(shop, { reference }) {
  const answer = await forge(shop.url + WEBHOOKS, reference);
  const reason = await answer.text();
  expect(answer.status === 400 && reason === 'bad_signature', `${answer.status} ${reason}`);
  expect(!shop.output.includes(reference), shop.output);
}

async function checkTestEvent(facts, shop) {
  await sendTestEvent(facts);
  expect(!/ship|payment\./.test(shop.output), shop.output);
}

async function checkPayment(facts, shop, { id, checkoutUrl, reference }) {
  await payInEther(facts, checkoutUrl);
  await mineBlocks(facts, CONFIRMATIONS);
  await until('CONFIRMED', async () => (await readPayment(facts, id)).status === 'CONFIRMED');
  await until('payment.completed', () => shop.output.includes('payment.completed'));
  const said = shop.output.split('\n').filter((line) => line.includes(reference));
  const wanted = [
    `payment.received ${reference} 2500`,
    `ship ${reference}`,
    `payment.completed ${reference} 2500`,
  ];
  expect(said.join('\n') === wanted.join('\n'), shop.output);
}

async function main(profile) {
  work = profile.work;
  app = path.join(work, 'app');
  const { facts } = profile;
  if (
    !(await check('Next.js, the client package and the routes of its README are an app', async () => {
      await installApp();
      return true;
    }))
  )
    return;
  const isBuilt = await check(
    '`next build` knows neither gateway nor token, and makes both routes dynamic',
    async () => {
      await build();
      return true;
    },
  );
  if (!isBuilt) return;
  const port = await freePort();
  const shop = await check('`next start` learns of the gateway from its environment', () =>
    startApp(facts, port),
  );
  if (!shop) return;
  await check('the application learns where the shop is', () => setCallback(facts, shop.url + WEBHOOKS));
  const payment = await check('the route creates a payment and sends the customer to it', () =>
    checkOut(facts, shop),
  );
  if (!payment) return;
  await check('the other route refuses a forged webhook', () => checkForgery(shop, payment));
  await check('it answers 2xx to a test event, and ships nothing', () => checkTestEvent(facts, shop));
  await check('the customer pays, and it ships once', () => checkPayment(facts, shop, payment));
  await check('the app stops', async () => {
    shop.child.kill('SIGTERM');
    await until('the end of the app', () => shop.child.exitCode !== null || shop.child.signalCode !== null);
  });
}

await withProfile('nextjs', main);
