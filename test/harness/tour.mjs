// The tour that a newcomer takes, in a real browser: open the gateway, buy a coffee, pay half, pay the rest, take five
// blocks back, and nothing is lost. Prints the seconds of each step.
//   node test/harness/tour.mjs
// SCREENSHOTS names a folder for one picture of each step.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { check, expect, until } from './checks.mjs';
import { post, withProfile } from './development.mjs';

const { launchChromium, openTab } = await import('../support/chromium.ts');

const { SCREENSHOTS: pictures } = process.env;
if (pictures) await mkdir(pictures, { recursive: true });

/** The two panes of the order's page, as texts. */
class Panes {
  constructor(page) {
    this.page = page;
    this.customer = page.frameLocator('iframe').locator('main');
    this.desk = page.locator('#live');
  }

  /** Both say it, each in its own words. */
  async say(customer, desk) {
    await this.say1(this.customer, customer);
    await this.say1(this.desk, desk);
  }

  async say1(part, words) {
    let text = '';
    await until(String(words), async () => {
      text = await part.innerText().catch(() => '');
      return [words].flat().every((one) => (one instanceof RegExp ? one.test(text) : text.includes(one)));
    }).catch((error) => {
      throw new Error(`${error.message}; the page says:\n${text}`);
    });
    return text;
  }

  async press(name) {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  /** Blocks of the slowest transfer, as the desk counts them; null when none is waiting for blocks. */
  async depth() {
    const [, depth] = /Confirming: (\d+) of/.exec(await this.desk.innerText()) ?? [];
    return depth === undefined ? null : Number(depth);
  }
}

let pictureCount = 0;
async function picture(page, name) {
  if (!pictures) return;
  const file = `${String(++pictureCount).padStart(2, '0')}-${name}.png`;
  await page.screenshot({ path: path.join(pictures, file), fullPage: true });
}

/** A step of the tour; the later ones make no sense without it. */
async function step(title, work) {
  let isDone = false;
  await check(title, async () => {
    await work();
    isDone = true;
  });
  if (!isDone) throw new Error(`the tour ended at: ${title}`);
}

async function takeTour({ page, incidents }, facts) {
  const begun = performance.now();
  await step('the gateway’s address welcomes a newcomer', async () => {
    await page.goto(`${facts.baseUrl}/`);
    const text = await page.locator('main').innerText();
    expect(text.includes('A shop that sells coffee runs here, with play money.'), text);
    await picture(page, 'welcome');
  });
  await step('Buy a coffee opens the checkout beside the shop’s desk', async () => {
    await page.getByRole('button', { name: 'Buy a coffee' }).click();
    await page.waitForURL(`${facts.shop.url}/orders/*`);
  });
  const panes = new Panes(page);
  await step('the desk waits for the customer', async () => {
    await panes.say('Choose how to pay', ['Waiting for the customer', 'Nothing was seen on any chain yet.']);
    await picture(page, 'order');
  });
  await step('the customer chooses USDC on Ethereum', async () => {
    const frame = page.frameLocator('iframe');
    const coin = frame.locator('details.coin', { hasText: 'USDC' });
    await coin.locator('summary').click();
    await coin.getByRole('button', { name: /Ethereum/ }).click();
    await panes.say1(panes.customer, 'Waiting for your payment');
    await picture(page, 'pay');
  });
  await step('Half: both say what is missing', async () => {
    await panes.press('Half');
    await panes.say(/12\.5\sUSDC is still missing/, [
      '$12.50 is still missing',
      /Sent on ethereum: transaction 0x[0-9a-f]{64}/,
    ]);
    await picture(page, 'half');
  });
  await step('Pay the rest: both confirm, and the webhook arrived with a valid signature', async () => {
    await panes.press('Pay the rest');
    await panes.say(/Confirming/, ['Seen, confirming', 'payment.found', '200, signature valid']);
    await picture(page, 'rest');
  });
  await step('Take 5 blocks back: both fall back, and are still confirming', async () => {
    // Deep enough to be seen to fall, and not deeper than what is taken back.
    await until('a block that can be taken back', async () => (await panes.depth()) >= 2);
    const before = await panes.depth();
    await panes.press('Take 5 blocks back');
    await panes.say1(
      panes.desk,
      /Took 5 blocks of ethereum back\. Unconfirmed again, and mined again soon: 0x/,
    );
    const wentBack = (depth) => depth === null || depth < before;
    await until('the fall of both', async () => {
      const [, shown = null] = /Confirming: (\d+) of/.exec(await panes.customer.innerText()) ?? [];
      return wentBack(await panes.depth()) && wentBack(shown === null ? null : Number(shown));
    });
    await picture(page, 'reorg');
  });
  await step('nothing is lost: it is mined again, and both say that it is paid', async () => {
    await panes.say('Payment complete', [
      'Paid, and the shop knows',
      /payment\.received.*200, signature valid/,
      /payment\.completed.*200, signature valid/,
    ]);
    await picture(page, 'paid');
  });
  await step('the customer has a receipt', async () => {
    const link = page.frameLocator('iframe').getByRole('link', { name: /receipt/i });
    const answer = await fetch(await link.getAttribute('href').then((href) => new URL(href, facts.baseUrl)));
    expect(answer.ok, `${answer.status}`);
  });
  const seconds = (performance.now() - begun) / 1_000;
  process.stdout.write(`the whole tour took ${seconds.toFixed(1)} s\n`);
  await step('nothing went wrong in the browser', () => expect(incidents.length === 0, incidents.join('\n')));
}

async function checkShopPage({ page }, facts) {
  await step('I am the shop: the nine lines create an order, which appears by itself', async () => {
    await page.goto(`${facts.baseUrl}/`);
    await page.getByRole('link', { name: 'I am the shop' }).click();
    const code = await page.locator('#curl').innerText();
    const [, body] = / -d '(\{[^']+\})'/.exec(code) ?? [];
    expect(code.split('\n').length === 9 && body && code.includes(facts.shop.clientToken), code);
    const { reference, ...rest } = JSON.parse(body);
    await post(`${facts.baseUrl}/api/payment/checkout`, { reference, ...rest }, facts.shop.clientToken);
    await until('the order', async () => (await page.locator('#live').innerText()).includes(reference));
    await picture(page, 'shop');
  });
}

/** Paid on Base instead of Ethereum: only the shop can accept it. */
async function payOnWrongNetwork({ page }, facts) {
  await step('Wrong network: the shop accepts it, and the order is paid', async () => {
    await page.goto(`${facts.baseUrl}/`);
    await page.getByRole('button', { name: 'Buy a coffee' }).click();
    const panes = new Panes(page);
    await panes.press('Wrong network');
    await panes.say1(panes.desk, ['Money came another way than asked for', 'Sent on base: transaction 0x']);
    await page.getByRole('button', { name: /^Accept .* on base$/ }).click();
    await panes.say('Payment complete', ['Paid, and the shop knows', '200, signature valid']);
    await picture(page, 'wrong-network');
  });
}

async function replaceInMempool({ page }, facts) {
  if (!facts.chains.litecoin) {
    process.stdout.write('skipped: a replaced litecoin transaction, because litecoind is not installed\n');
    return;
  }
  await step('Replace: the desk shows the replaced litecoin transaction and counts one', async () => {
    await page.goto(`${facts.baseUrl}/`);
    await page.getByRole('button', { name: 'Buy a coffee' }).click();
    const panes = new Panes(page);
    await page.frameLocator('iframe').getByRole('button', { name: /LTC/ }).click();
    await panes.say1(panes.customer, 'Waiting for your payment');
    await panes.press('Replace');
    await panes.say1(panes.desk, [
      /transaction \w{64}, replaced by \w{64} with a higher fee/,
      'Seen, confirming',
    ]);
    await picture(page, 'replaced');
  });
}

await withProfile('tour', async ({ facts }) => {
  const browser = await launchChromium();
  try {
    const walk = async (...visits) => {
      const tab = await openTab(browser, { viewport: { width: 1280, height: 900 } });
      for (const visit of visits) await visit(tab, facts);
    };
    // Side by side, because both wait for blocks: the tour on Ethereum, the rest on the other chains.
    const ends = await Promise.allSettled([
      walk(takeTour, checkShopPage),
      walk(replaceInMempool, payOnWrongNetwork),
    ]);
    for (const { reason } of ends) if (reason) process.stdout.write(`${reason.message}\n`);
  } finally {
    await browser.close();
  }
});
