import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { webAsset } from '../src/platform/web/html/web-asset.js';
import { LOCALES } from '../src/platform/kernel/i18n/locale.pure.js';
import { launchChromium } from '../test/support/chromium.js';
import { heavyPage, type PageWeight, weigh } from '../test/support/page-weight.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { atTheEnd } from './support/cleanup.js';

/** Bytes of everything that the pay screen loads, compressed. */
const BUDGET = 40_000;

/** Slow 3G as Lighthouse emulates it, bytes a second, and a phone by a slow processor. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const SLOWER_CPU = { rate: 4 };

/** What a pay screen weighs in each language, and when Chromium paints it: without its script, and on slow 3G with it. */
export const checkoutPage: Benchmark = { name: 'checkout-page', run: measure };

async function measure(options: Options): Promise<Record<string, unknown>> {
  const weights = LOCALES.map((locale) => ({ locale, ...weigh(heavyPage(locale)) }));
  for (const weight of weights) console.error(lineOf(weight.locale, weight));
  const most = Math.max(...weights.map(({ total }) => total));
  demand(most <= BUDGET, `${most} bytes are more than ${BUDGET}`);
  const paints = await paintTimes(scaled(20, options, 1), 'first-contentful-paint');
  console.error(`first contentful paint without the script: ${listed(paints)}`);
  const slow = await paintTimes(scaled(10, options, 1), 'largest-contentful-paint');
  console.error(`largest contentful paint on slow 3G: ${listed(slow)}`);
  return { budget: BUDGET, weights, paints, slow };
}

function lineOf(locale: string, { html, css, script, total }: PageWeight): string {
  const part = (name: string, bytes: number): string =>
    `${name} ${bytes} (${Math.round((100 * bytes) / total)} %)`;
  return `${locale.padEnd(8)} ${total} bytes: ${[part('HTML', html), part('CSS', css), part('script', script)].join(', ')}`;
}

function listed(times: readonly number[]): string {
  return `${times.map((ms) => ms.toFixed(0)).join(', ')} ms`;
}

/** Milliseconds from the navigation on, each in a browser without a cache. The script's request is answered on slow 3G only. */
async function paintTimes(
  times: number,
  entry: 'first-contentful-paint' | 'largest-contentful-paint',
): Promise<number[]> {
  const isSlow = entry === 'largest-contentful-paint';
  const page = gzipSync(heavyPage('en'));
  const script = gzipSync(webAsset('checkout.js'));
  const server = createServer((request, response) => {
    const isScript = request.url?.includes('/assets/') === true;
    if (isScript && !isSlow) return;
    const type = isScript ? 'text/javascript' : 'text/html; charset=utf-8';
    response.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip' });
    response.end(isScript ? script : page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atTheEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  const browser = await launchChromium();
  atTheEnd(() => browser.close());
  const { port } = server.address() as AddressInfo;
  const paints: number[] = [];
  while (paints.length < times) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const tab = await context.newPage();
    if (isSlow) {
      const session = await context.newCDPSession(tab);
      await session.send('Network.emulateNetworkConditions', SLOW_3G);
      await session.send('Emulation.setCPUThrottlingRate', SLOWER_CPU);
    }
    await tab.goto(`http://127.0.0.1:${port}/checkout/x`, { waitUntil: isSlow ? 'load' : 'commit' });
    // The last one counts: what is larger and comes later replaces it.
    paints.push(
      await tab.evaluate<number>(`new Promise((resolve) => new PerformanceObserver((list) =>
        resolve(list.getEntries().filter(({ name, entryType }) => [name, entryType].includes('${entry}')).at(-1).startTime))
        .observe({ type: '${isSlow ? entry : 'paint'}', buffered: true }))`),
    );
    await context.close();
  }
  return paints.toSorted((a, b) => a - b);
}
