// A merchant integrates a shop: the client package is packed and installed as they would, docs/tutorial/integrate-a-shop.mjs
// runs with the demo's credentials, a customer pays on the development chain, and the shop learns of it.
//   node test/harness/shop.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { check, expect, until } from './checks.mjs';
import { forge, installClient, packClient, sendTestEvent, setCallback } from './client.mjs';
import { environment, freePort, mineBlocks, payInEther, readPayment, withProfile } from './development.mjs';

const root = path.resolve(import.meta.dirname, '../..');
/** Blocks that ether waits for (specification/chains.md#confirmations). */
const CONFIRMATIONS = 12;

let shopFolder;

async function installShop(work) {
  shopFolder = path.join(work, 'shop');
  await mkdir(shopFolder);
  await writeFile(path.join(shopFolder, 'package.json'), '{"name":"my-shop","private":true,"type":"module"}');
  await installClient(await packClient(work), shopFolder);
  await cp(
    path.join(root, 'docs/tutorial/integrate-a-shop.mjs'),
    path.join(shopFolder, 'integrate-a-shop.mjs'),
  );
}

async function openShop(facts, port) {
  const child = spawn(process.execPath, ['integrate-a-shop.mjs'], {
    cwd: shopFolder,
    env: environment({
      GATEWAY_URL: facts.baseUrl,
      CLIENT_ID: facts.application.clientId,
      CLIENT_TOKEN: facts.clientToken,
      WEBHOOK_SECRET: facts.application.secret,
      PORT: String(port),
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const shop = { child, output: '', ended: once(child, 'close'), checkoutUrl: null };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (shop.output += chunk));
  shop.checkoutUrl = await until('the checkout link', () => {
    expect(child.exitCode === null, shop.output);
    return /^pay here: (\S+)$/m.exec(shop.output)?.[1];
  });
  return shop;
}

async function checkRedirect(shop, port) {
  const answer = await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' });
  expect(answer.status === 303 && answer.headers.get('location') === shop.checkoutUrl, 'another address');
  const page = await fetch(shop.checkoutUrl);
  expect(page.ok && (await page.text()).includes('Coffee'), `the checkout page: ${page.status}`);
}

async function checkForgery(shop, port) {
  const answer = await forge(`http://127.0.0.1:${port}/webhooks/payments`, `ORDER-${shop.child.pid}`);
  expect(answer.status === 400, `the shop answered ${answer.status}`);
  expect(shop.output.includes('refused: bad_signature'), shop.output);
  expect(!shop.output.includes('webhook:'), shop.output);
}

async function checkTestEvent(facts, shop) {
  await sendTestEvent(facts);
  expect(!/webhook:|shipped/.test(shop.output), shop.output);
}

async function main({ facts, work }) {
  await check('the client package is packed and installed', () => installShop(work));
  const port = await freePort();
  await check('the application learns where the shop is', () =>
    setCallback(facts, `http://127.0.0.1:${port}/webhooks/payments`),
  );
  const shop = await check('the shop asks for a payment', () => openShop(facts, port));
  if (!shop) return;
  await check('it sends its customer to the checkout', () => checkRedirect(shop, port));
  await check('it refuses a forged webhook', () => checkForgery(shop, port));
  await check('it answers 2xx to a test event, and ships nothing', () => checkTestEvent(facts, shop));
  await check('the customer pays, and the shop ends in order', async () => {
    await payInEther(facts, shop.checkoutUrl);
    await mineBlocks(facts, CONFIRMATIONS);
    await until('the end', () => shop.child.exitCode !== null).catch((error) => {
      throw new Error(`${error.message}:\n${shop.output}`);
    });
    await shop.ended;
    expect(shop.child.exitCode === 0, shop.output);
  });
  await check('it has seen both webhooks, CONFIRMED, and has shipped', () => {
    const order = `ORDER-${shop.child.pid}`;
    const said = shop.output.split('\n').slice(2, -1);
    const wanted = [
      `webhook: payment.received for ${order}, $25.00`,
      `webhook: payment.completed for ${order}, $25.00`,
      `${order} is CONFIRMED, shipped`,
    ];
    expect(said.join('\n') === wanted.join('\n'), shop.output);
  });
  await check('so says the gateway', async () => {
    const id = new URL(shop.checkoutUrl).pathname.split('/').at(-1);
    const { status } = await readPayment(facts, id);
    expect(status === 'CONFIRMED', status);
  });
}

await withProfile('shop', main);
