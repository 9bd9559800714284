import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { LOCALES } from '../src/platform/kernel/i18n/locale.pure.js';
import { launchChromium } from '../test/support/chromium.js';
import { heavyPage, type PageWeight, weigh } from '../test/support/page-weight.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { atTheEnd } from './support/cleanup.js';

/** Bytes of everything that the pay screen loads, compressed. */
const BUDGET = 40_000;

/** What a pay screen weighs in each language, and when Chromium paints it while its script does not arrive. */
export const checkoutPage: Benchmark = { name: 'checkout-page', run: measure };

async function measure(options: Options): Promise<Record<string, unknown>> {
  const weights = LOCALES.map((locale) => ({ locale, ...weigh(heavyPage(locale)) }));
  for (const weight of weights) console.error(lineOf(weight.locale, weight));
  const most = Math.max(...weights.map(({ total }) => total));
  demand(most <= BUDGET, `${most} bytes are more than ${BUDGET}`);
  const paints = await firstPaints(scaled(20, options, 1));
  console.error(
    `first contentful paint without the script: ${paints.map((ms) => ms.toFixed(0)).join(', ')} ms`,
  );
  return { budget: BUDGET, weights, paints };
}

function lineOf(locale: string, { html, css, script, total }: PageWeight): string {
  const part = (name: string, bytes: number): string =>
    `${name} ${bytes} (${Math.round((100 * bytes) / total)} %)`;
  return `${locale.padEnd(8)} ${total} bytes: ${[part('HTML', html), part('CSS', css), part('script', script)].join(', ')}`;
}

/** Milliseconds from the navigation on, each in a browser without a cache; the script's request is never answered. */
async function firstPaints(times: number): Promise<number[]> {
  const page = gzipSync(heavyPage('en'));
  const server = createServer((request, response) => {
    if (request.url?.includes('/assets/')) return;
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Encoding': 'gzip' });
    response.end(page);
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
    await tab.goto(`http://127.0.0.1:${port}/checkout/x`, { waitUntil: 'commit' });
    paints.push(
      await tab.evaluate<number>(`new Promise((resolve) => new PerformanceObserver((list) =>
        list.getEntriesByName('first-contentful-paint').forEach(({ startTime }) => resolve(startTime)))
        .observe({ type: 'paint', buffered: true }))`),
    );
    await context.close();
  }
  return paints.toSorted((a, b) => a - b);
}
