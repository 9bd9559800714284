// From `npm start` to a checklist without open steps, with nothing but a browser: the one-time link, an application, a
// address to which all the money goes, a token, a webhook and a paid order. Prints a table of the seconds of each step.
//   node test/harness/first-run.mjs
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { HDKey } from '@scure/bip32';
import { check, expect, until } from './checks.mjs';
import { payInEther, run, withProfile } from './development.mjs';

const { launchChromium, openTab } = await import('../support/chromium.ts');
const { fillSignIn } = await import('../support/dashboard.ts');
const { evmAddressOfPublicKey, toChecksumAddress } = await import('../../src/chains/evm/evm-address.pure.ts');

const root = path.resolve(import.meta.dirname, '../..');
const EMAIL = 'first@example.com';
const PASSWORD = 'a long enough password of a newcomer';
/** What no development profile can prove: it has no certificate, and its money is play money. */
const NOT_HERE = [
  'Serve the gateway and your webhooks by HTTPS',
  'Get a payment paid with real money',
  'Set up a second factor for your sign-in',
];

let dataDir;
const table = [];

/** A step with its seconds; the later ones make no sense without it. */
async function step(title, act) {
  const begun = performance.now();
  let isDone = false;
  const result = await check(title, async () => {
    const value = await act();
    isDone = true;
    return value;
  });
  if (!isDone) throw new Error(`the first run ended at: ${title}`);
  table.push([title, (performance.now() - begun) / 1_000]);
  return result;
}

/** The shop's own server, which takes every webhook. */
async function startShop() {
  const events = [];
  const server = http.createServer((incoming, response) => {
    let body = '';
    incoming.on('data', (chunk) => (body += chunk));
    incoming.on('end', () => {
      events.push(JSON.parse(body).event);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { events, url: `http://127.0.0.1:${server.address().port}/webhooks`, server };
}

/** All that a merchant needs to have: what any wallet shows, derived by none of the gateway's code. */
function newAddress() {
  return toChecksumAddress(evmAddressOfPublicKey(HDKey.fromMasterSeed(randomBytes(32)).publicKey));
}

async function cli(...args) {
  const options = { cwd: root, env: { DATA_DIR: dataDir } };
  const { code, output } = await run('npm', ['run', '--silent', 'cli', '--', ...args], options);
  expect(code === 0, output);
  return output;
}

async function walk({ page, incidents }, facts, shop) {
  const press = (name, area = page) => area.getByRole('button', { name, exact: true }).click();
  const go = async (name) => {
    await page
      .getByRole('navigation', { name: 'Main menu' })
      .getByRole('link', { name, exact: true })
      .click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };
  const dialog = page.getByRole('dialog');
  // The log of a gateway without users has such a link; this profile has made its demo user already.
  const link = await step('an operator makes the user and a one-time link (two commands)', async () => {
    await cli('create-user', '--email', EMAIL);
    return /https?:\S+/.exec(await cli('reset-password-link', '--email', EMAIL))[0];
  });
  await step('opens the link, chooses a password, signs in', async () => {
    await page.goto(link);
    for (const field of await page.locator('input[type=password]').all()) await field.fill(PASSWORD);
    await page.locator('button[type=submit]').click();
    await page.waitForLoadState();
    await page.goto(`${facts.baseUrl}/dashboard`);
    await fillSignIn({ page }, EMAIL, PASSWORD);
    await page.getByText('Create an application').waitFor();
  });
  const begun = performance.now();
  await step('creates the application with its webhook URL', async () => {
    await go('Applications');
    await press('Create application');
    await dialog.getByLabel('Name').fill('Harbor Coffee');
    await dialog.getByLabel('Webhook URL').fill(shop.url);
    await press('Create application', dialog);
    await press('I have stored it');
    await page.getByRole('heading', { level: 1, name: 'Harbor Coffee' }).waitFor();
  });
  await step('sets the address that all the money goes to, and signs in for it', async () => {
    const address = newAddress();
    await page.getByRole('link', { name: 'Wallets', exact: true }).click();
    await press('Add a wallet');
    await page.getByRole('textbox', { name: 'Your address' }).fill(address);
    await press('Check this address');
    await page.getByText('This is the address of my wallet').click();
    await press('Use this address');
    // A change of where money goes takes the password once more, also right after the first sign-in.
    await press('Sign in');
    await fillSignIn({ page }, EMAIL, PASSWORD);
    await page.getByText('This is the address of my wallet').click();
    await press('Use this address');
    await page.getByText('The address is in use.').waitFor();
    await press('Done');
    await page.locator('[data-destinations]').getByText(address).waitFor();
  });
  const command = await step('creates the token', async () => {
    await go('API tokens');
    await press('Create API Access Token');
    await dialog.getByLabel('Label').fill('Shop server');
    await press('Create API Access Token', dialog);
    const text = await page.locator('[data-snippet=curl]').textContent();
    await press('I have stored it');
    return text;
  });
  await step('sends a test event, which the shop takes', async () => {
    await go('Webhooks');
    await press('Send a test event');
    await until('the test event', () => shop.events.length > 0);
    await page.getByRole('link', { name: 'Details' }).click();
    await page.getByText('Delivered', { exact: true }).first().waitFor();
  });
  const payment = await step('creates a payment by the command that the token came with', async () => {
    const { code, output } = await run('/bin/sh', ['-c', command.replace('curl ', 'curl -s ')], {
      cwd: root,
    });
    expect(code === 0, output);
    return JSON.parse(output.slice(output.indexOf('{'))).data;
  });
  await step('the payment is paid and final, and the shop has received the webhook', async () => {
    await payInEther(facts, payment.checkoutUrl);
    await page.goto(`${facts.baseUrl}/dashboard/payments/${payment.id}`);
    await page.locator('main').getByText('Paid', { exact: true }).first().waitFor();
    await until('the webhook', () => shop.events.includes('payment.completed'));
  });
  await step('the checklist has no open step but those that cannot be done here', async () => {
    await go('Home');
    const rows = page.locator('main ol > li');
    let open = [];
    await until('the checklist', async () => {
      const texts = await rows.allInnerTexts();
      open = texts.filter((text) => !/Done/.test(text));
      return texts.length > 0 && open.length <= NOT_HERE.length;
    }).catch((error) => {
      throw new Error(`${error.message}; open: ${open.join('; ')}`);
    });
    expect(
      NOT_HERE.every((name) => open.some((text) => text.includes(name))),
      open.join('; '),
    );
  });
  table.push(['from the signed-in page to the checklist', (performance.now() - begun) / 1_000]);
  // A browser logs every refusal: there is no session before the sign-in (401), and the wallet takes another one (403).
  const wrong = incidents.filter((one) => !/status of 40[13]/.test(one));
  await check('nothing went wrong in the browser', () => expect(wrong.length === 0, wrong.join('\n')));
}

function printTable() {
  const width = Math.max(...table.map(([title]) => title.length));
  process.stdout.write('\n');
  for (const [title, seconds] of table)
    process.stdout.write(`| ${title.padEnd(width)} | ${seconds.toFixed(1).padStart(6)} s |\n`);
  for (const name of NOT_HERE) process.stdout.write(`left open, as it must be here: ${name}\n`);
}

await withProfile('first-run', async (profile) => {
  dataDir = profile.dataDir;
  const shop = await startShop();
  const browser = await launchChromium();
  try {
    const tab = await openTab(browser, { locale: 'en-US' });
    await walk(tab, profile.facts, shop).catch(async (error) => {
      throw new Error(`${error.message}; the page says:\n${await tab.page.locator('body').innerText()}`);
    });
    printTable();
  } catch (error) {
    process.stdout.write(`${error.message}\n`);
  } finally {
    await browser.close();
    shop.server.close();
  }
});
