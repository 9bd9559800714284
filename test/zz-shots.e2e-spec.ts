import { Shop } from './support/shop.js';
import { launchChromium, openTab } from './support/chromium.js';

it('shots', async () => {
  const shop = await Shop.open();
  const browser = await launchChromium();
  const application = await shop.application({ name: 'Bluebird Coffee Roasters', url: 'https://shop.example' });
  const at = (p: { checkoutUrl: string }, more = '') => shop.gateway.baseUrl + new URL(p.checkoutUrl).pathname + new URL(p.checkoutUrl).search + more;
  const desk = await openTab(browser);
  const phone = await openTab(browser, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true });
  const small = await openTab(browser, { viewport: { width: 320, height: 640 } });
  const dark = await openTab(browser, { colorScheme: 'dark' });
  const shot = async (name: string, url: string) => {
    for (const [kind, tab] of Object.entries({ desk, phone, small, dark })) {
      await tab.page.goto(url);
      await tab.page.screenshot({ path: `/tmp/shots/${name}-${kind}.png`, fullPage: true });
      if (name==='pay-eth') console.log(kind, await tab.page.evaluate("[matchMedia('(pointer: coarse)').matches, getComputedStyle(document.querySelector('#wallet')).order]"));
      const w = await tab.page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (w) console.log(name, kind, 'overflow', w);
    }
  };
  const fields = { reference: 'ORDER-1042', referenceLabel: 'Two bags of Sidamo', redirectUrl: 'https://shop.example/thanks?x=1', amount: 4999 };
  const p = await shop.createPayment(application, fields);
  try {
  await shot('methods', at(p));
  await shot('pay-usdt', at(p, '&provider=ethereum&method=usdt'));
  await shot('pay-eth', at(p, '&provider=ethereum&method=eth'));
  const i = await shop.instructions(p);
  await shop.send(i, BigInt(i.amount.amount) / 3n);
  await shop.mine();
  await shot('found-short', at(p));
  await shop.mine(12);
  await shot('underpaid', at(p));
  const j = await shop.instructions(p);
  await shop.send(j, BigInt(j.remainingAmount.amount) * 2n);
  await shop.mine(5);
  await shot('underpaid-found', at(p));
  await shop.mine(12);
  await shot('paid-over', at(p));
  const q = await shop.createPayment(application, { ...fields, redirectUrl: null });
  const k = await shop.instructions(q, 'usdt');
  await shop.send(k);
  await shop.mine(4);
  await shot('found', at(q));
  await shop.mine(12);
  await shot('paid', at(q));
  await shot('invalid', at(q).replace(/signature=./, 'signature=0'));
  const c = await shop.createPayment(application, fields);
  await shop.call('POST', `/api/payment/${c.id}/cancel`, application.clientToken);
  await shot('cancelled', at(c));
  const r = await shop.createPayment(application, fields);
  shop.gateway.clock.advanceSeconds(1200);
  shop.rates.setMode('kraken','down');shop.rates.setMode('coinbase','down');
  await shot('norate', at(r, '&provider=ethereum&method=eth'));
  shop.gateway.clock.advanceSeconds(86_400);
  await shot('expired', at(r));
  } finally {
  console.log(desk.incidents, phone.incidents, desk.requests.filter((u) => !u.startsWith(shop.gateway.baseUrl)));
  await browser.close();
  await shop.close(); }
}, 240_000);
