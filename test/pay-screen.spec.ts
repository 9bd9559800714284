import { ADDRESS, INSTRUCTIONS, viewOf } from './support/payment-view.js';
import { getCurrency } from '../src/money/currencies.js';
import { presentAmount } from '../src/money/present-amount.js';
import type { PaymentInstructionsContract } from '../src/checkout/payment-instructions.contract.js';
import { CHAIN_CATALOG } from '../src/chains/chain-catalog.pure.js';
import { networkOf } from '../src/chains/network-name.pure.js';
import { coinsScreen } from '../src/checkout/page/coins-screen.js';
import { LOCALES } from '../src/platform/kernel/i18n/locale.pure.js';
import { payScreen } from '../src/checkout/page/pay-screen.js';
import { paymentPage } from '../src/checkout/page/payment-page.js';
import type { Screen } from '../src/checkout/page/screen.js';
import { shortScreen } from '../src/checkout/page/short-screen.js';

const eth = getCurrency('ETH');
const text = (screen: Screen) =>
  screen.body.text
    .replace(/<\/?bdi[^>]*>/g, '')
    .replace(/<span class="whole">([^<]*)<\/span>/g, '$1')
    .replace(/\s+/g, ' ');

const STANDARDS: Readonly<Record<string, 'TRC-20' | 'BEP-20'>> = { tron: 'TRC-20', bsc: 'BEP-20' };

describe('pay', () => {
  const TOKEN = { standard: 'ERC-20' as const, contractAddress: `0x${'1'.repeat(40)}`, decimals: 6 };

  it('shows amount, address, network, rate and expiry in full', () => {
    const page = text(payScreen(viewOf('OPEN'), INSTRUCTIONS, true));
    expect(page).toContain('>0.05 ETH</span>');
    expect(page).toContain('data-copy="0.05"');
    expect(page).toContain(`data-copy="${ADDRESS}"`);
    expect(page.replace(/<[^>]*>/g, '')).toContain(ADDRESS);
    expect(page).toContain('Send only ETH, only on Ethereum.');
    expect(page).toContain(`href="ethereum:${ADDRESS}@1?value=50000000000000000"`);
    expect(page).toContain(`role="img" aria-label="QR code: the address ${ADDRESS}"`);
    expect(page).toContain(`role="img" aria-label="QR code: pay 0.05 ETH to ${ADDRESS}"`);
    expect(page.replace(/<[^>]*>/g, '')).toContain('choose Ethereum and enter 0.05 ETH.');
    expect(page).toContain('1 ETH = 2,000 USD, from Kraken');
    expect(page.replace(/<[^>]*>/g, '').replaceAll('\u{a0}', ' ')).toContain('$100.00 1 ETH = $2,000.00');
    expect(page).toContain('<strong>3 Paid</strong> <span>in about 2 min</span>');
    expect(page).toContain('<time datetime="2026-01-15T10:15:00Z">Jan 15, 2026, 10:15:00 AM UTC</time>');
    expect(page).toContain('choose=1');
    expect(page).not.toMatch(/test network|id="trouble"/);
  });

  it('has the bar of the status first, with the clock', () => {
    const page = text(payScreen(viewOf('OPEN'), INSTRUCTIONS, true));
    expect(page).toMatch(/^<p class="bar calm">.*Waiting for your payment.*data-ends="2026-01-15T10:15:00Z"/);
  });

  describe('has the clock of what ends first', () => {
    const AT = '2026-01-15T10:15:00Z';
    it.each([
      ['the price', '2026-01-15T10:15:01Z', 'price', AT],
      ['the link, where both end at once', AT, 'link', AT],
      ['the link', '2026-01-15T10:14:59Z', 'link', '2026-01-15T10:14:59Z'],
    ] as const)('%s', (_what, checkoutExpiresAt, clock, ends) => {
      const view = viewOf('OPEN');
      const screen = payScreen(view, { ...INSTRUCTIONS, checkoutExpiresAt }, true);
      const isLink = clock === 'link';
      expect(text(screen)).toContain(
        `data-ends="${ends}">${isLink ? 'this link works' : 'price fixed'} until`,
      );
      expect(screen).toMatchObject({ clock, endedName: isLink ? 'expired' : 'price-ended' });
      const { body } = paymentPage(view, screen);
      expect(body).toContain(
        `data-text-time-left="${isLink ? 'this link works' : 'price fixed'} for {time}"`,
      );
      expect(body).toContain(
        `data-text-said-ended="${isLink ? 'This payment link has expired.' : 'This price has expired. You can'}`,
      );
      // At its end, nobody is asked for another price where there is none to be had.
      expect(/id="renew"/.test(text(screen))).toBe(!isLink);
      const short = text(shortScreen(viewOf('UNDERPAID'), { ...INSTRUCTIONS, checkoutExpiresAt }));
      expect(short).toContain(isLink ? 'this link works until' : 'price fixed until');
    });
  });

  it('emphasizes the ends of the address after what all addresses begin with', () => {
    const page = text(payScreen(viewOf('OPEN'), INSTRUCTIONS, true));
    expect(page).toContain('<span>0x<strong>9858</strong></span>');
    expect(page).toContain('<strong>da94</strong>');
  });

  it.each([
    ['holds, the new one is hidden', 1, true],
    ['has ended, only the new one is there', 0, false],
  ])('where the price %s', (_what, secondsRemaining, isThere) => {
    const screen = payScreen(viewOf('OPEN'), { ...INSTRUCTIONS, secondsRemaining }, true);
    const page = text(screen);
    expect(/<div class="note warn" id="ended" hidden>/.test(page)).toBe(isThere);
    expect(page).toMatch(/<form [^>]*method="post" action="[^"]*\/choose\?/);
    const parts = [
      ADDRESS.slice(2, 6),
      'role="img"',
      'data-copy',
      'id="wallet"',
      'id="wallets"',
      'data-ends',
      'class="stages"',
    ];
    for (const part of parts) expect(page.includes(part)).toBe(isThere);
    expect(screen.name).toBe(isThere ? 'pay' : 'price-ended');
    expect(screen.isAlert).toBe(!isThere);
  });

  it('tells before anything is sent that the network is in trouble', () => {
    const confirmations = { ...INSTRUCTIONS.confirmations, delayed: true };
    const screen = payScreen(viewOf('OPEN'), { ...INSTRUCTIONS, confirmations }, true);
    expect(text(screen).replace(/<[^>]*>/g, '')).toContain(
      'We’re having trouble seeing the Ethereum network right now. What you send now isn’t lost',
    );
    expect(screen.isAlert).toBe(true);
    expect(screen.announcement).toContain('We’re having trouble seeing the Ethereum network');
  });

  it('has no wallet button without a payment URI', () => {
    const page = text(payScreen(viewOf('OPEN'), { ...INSTRUCTIONS, paymentUri: null }, true));
    expect(page).not.toContain('Open in wallet');
    expect(page).not.toContain('href="null"');
    expect(page).toContain(`data-copy="${ADDRESS}"`);
  });

  it('never opens the link of a token, because some wallets pay the contract', () => {
    const paymentUri = `ethereum:${TOKEN.contractAddress}@1/transfer?address=${ADDRESS}&uint256=1`;
    for (const screen of [
      payScreen(viewOf('OPEN'), { ...INSTRUCTIONS, token: TOKEN, paymentUri }, true),
      shortScreen(viewOf('UNDERPAID'), { ...INSTRUCTIONS, token: TOKEN, paymentUri }),
    ]) {
      const page = text(screen);
      expect(page).not.toMatch(/ethereum:|Open in wallet|id="qr-amount"/);
      // Beside that of the page itself, for another device.
      expect(page.match(/class="qr" role="img"/g)).toHaveLength(1);
      expect(page.replace(/<[^>]*>/g, '')).toContain('choose Ethereum (ERC-20) and enter');
      expect(page).toContain(`data-copy="${ADDRESS}"`);
    }
  });

  it('has a single QR code with the amount if wallets of the chain agree on a link', () => {
    const uri = 'bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount=0.00155470';
    const qrCode = { ...INSTRUCTIONS.qrCode, content: uri };
    const page = text(payScreen(viewOf('OPEN'), { ...INSTRUCTIONS, paymentUri: uri, qrCode }, true));
    expect(page).toContain(`href="${uri}"`);
    // Beside that of the page itself, for another device.
    expect(page.match(/class="qr" role="img"/g)).toHaveLength(1);
    expect(page).not.toMatch(/id="qr-amount"|holds only the address/);
  });

  it('names the network of a token as exchanges do, and a standard nowhere but where it means this network', () => {
    const on = (slug: string, name: string) =>
      text(
        payScreen(
          viewOf('OPEN'),
          { ...INSTRUCTIONS, token: TOKEN, blockchain: { ...INSTRUCTIONS.blockchain, slug, name } },
          true,
        ),
      );
    expect(on('ethereum', 'Ethereum')).toContain('Send only ETH, only on Ethereum (ERC-20).');
    const base = on('base', 'Base');
    expect(base).toContain('Send only ETH, only on Base.');
    expect(base).not.toContain('ERC-20');
  });

  it.each(LOCALES)('names the network in %s as the choice does', (locale) => {
    const view = viewOf('OPEN', {}, locale);
    for (const { slug, name, assets } of CHAIN_CATALOG)
      for (const { asset } of assets) {
        const token = asset === 'native' ? null : { ...TOKEN, standard: STANDARDS[slug] ?? 'ERC-20' };
        const blockchain = { ...INSTRUCTIONS.blockchain, slug, name };
        const network = networkOf(view.texts, { blockchain, token });
        const pay = text(payScreen(view, { ...INSTRUCTIONS, token, blockchain }, true));
        const [, heading = ''] = /<h1[^>]*>(.*?)<\/h1>/.exec(pay) ?? [];
        expect(heading.replaceAll(/<[^>]*>/g, '')).toBe(
          view.texts.text('pay.heading', { coin: 'ETH', network }),
        );
        const method = {
          provider: slug,
          method: 'eth',
          selected: false,
          currency: { code: 'ETH', name: 'Ether', decimals: 18, symbol: '', iconUrl: null },
          blockchain,
          token,
          available: true,
          unavailableReason: null,
          estimatedAmount: INSTRUCTIONS.amount,
          estimatedConfirmationSeconds: 60,
        };
        const choice = coinsScreen(view, [method, { ...method, provider: 'other' }], null);
        const [, chosen = ''] = /class="choice".*?<strong>(.*?)<\/strong>/.exec(text(choice)) ?? [];
        expect(chosen).toBe(network);
      }
  });

  it('names the contract of a token, and a test network', () => {
    const blockchain = { ...INSTRUCTIONS.blockchain, testnet: true };
    const page = text(payScreen(viewOf('OPEN'), { ...INSTRUCTIONS, token: TOKEN, blockchain }, false));
    expect(page).toContain('Send only ETH, only on Ethereum (ERC-20) test network.');
    expect(page).toContain('This is a test network: don’t send real coins.');
    expect(page).toContain(TOKEN.contractAddress);
    expect(page).not.toContain('choose=1');
  });

  it('shows no rate for a coin priced in itself', () => {
    const rate = { ...INSTRUCTIONS.rate, quote: 'ETH' };
    expect(text(payScreen(viewOf('OPEN'), { ...INSTRUCTIONS, rate }, false))).not.toContain('1 ETH =');
  });

  describe('wallets of the browser', () => {
    const attributes = (changes: Partial<PaymentInstructionsContract>) => {
      const page = text(payScreen(viewOf('OPEN'), { ...INSTRUCTIONS, ...changes }, true));
      const [element = ''] = /<div class="wallets"[^>]*>/.exec(page) ?? [];
      return Object.fromEntries(
        [...element.matchAll(/data-(chain|to|amount|contract)="([^"]*)"/g)].map(([, name, value]) => [
          name,
          value,
        ]),
      );
    };

    it('get the chain, the recipient and the exact amount', () => {
      expect(attributes({})).toEqual({ chain: '0x1', to: ADDRESS, amount: '0xb1a2bc2ec50000' });
    });

    it('get the contract of a token', () => {
      expect(attributes({ token: TOKEN })).toMatchObject({ to: ADDRESS, contract: TOKEN.contractAddress });
    });

    it('get every digit of an amount above 2^63', () => {
      expect(attributes({ amount: presentAmount(2n ** 63n + 1n, eth) })).toMatchObject({
        amount: '0x8000000000000001',
      });
    });

    it.each([
      ['Tron', { address: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH' }],
      ['Bitcoin', { blockchain: { ...INSTRUCTIONS.blockchain, chainId: null } }],
    ])('are not offered on %s', (_chain, changes) => {
      expect(attributes(changes)).toEqual({});
    });
  });
});
