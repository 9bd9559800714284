import { getCurrency } from '../../money/currencies.js';
import { presentAmount } from '../../money/present-amount.js';
import { textsOf } from '../../platform/kernel/i18n/texts.js';
import type { UnavailableReason } from '../payment-methods.contract.js';
import { coinsScreen } from './coins-screen.js';
import { coinsOf, type PickableMethod } from './method-picker.pure.js';
import { confirmScreen, networksScreen } from './networks-screen.js';
import type { PaymentView, Screen } from './screen.js';

const ID = '550e8400-e29b-41d4-a716-446655440000';
const STANDARDS: Record<string, string> = {
  ethereum: 'ERC-20',
  tron: 'TRC-20',
  bsc: 'BEP-20',
  base: 'ERC-20',
};
const NAMES: Record<string, string> = {
  ethereum: 'Ethereum',
  tron: 'Tron',
  bsc: 'BNB Smart Chain',
  base: 'Base',
};

/** Only what the picker reads. */
const view = {
  texts: textsOf('en'),
  status: {
    returnable: [],
    id: ID,
    status: 'OPEN',
    reference: 'ORDER-1',
    amount: presentAmount(6_000n, getCurrency('USD')),
    warnings: [] as string[],
    merchantSettings: { title: 'My <Store>' },
  },
  shop: { href: 'https://shop.example/', host: 'shop.example' },
  unmatched: null,
  report: { networks: [], paid: null },
  link: (parameters: Record<string, string>) => `?s=1&${new URLSearchParams(parameters).toString()}`,
} as unknown as PaymentView;

function methodOf(provider: string, code: string, reason: UnavailableReason | null = null): PickableMethod {
  const currency = getCurrency(code);
  const isToken = code.startsWith('USD');
  return {
    provider,
    method: code.toLowerCase(),
    selected: false,
    currency: { code, name: currency.name, decimals: currency.decimals, symbol: '', iconUrl: null },
    blockchain: { slug: provider, name: NAMES[provider] ?? currency.name, chainId: null, testnet: false },
    token: isToken ? { standard: STANDARDS[provider] ?? '', contractAddress: '0x1', decimals: 6 } : null,
    available: reason === null,
    unavailableReason: reason,
    estimatedAmount: reason === 'rate_unavailable' ? null : presentAmount(1_234_500_000n, currency),
    estimatedConfirmationSeconds: provider === 'ethereum' ? 144 : 57,
  };
}

const html = ({ body }: Screen) => body.text.replace(/\s+/g, ' ');
const words = (screen: Screen) =>
  html(screen)
    .replace(/<span class="whole">(.*?)<\/span>/g, '$1')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\s\u{a0}]+/gu, ' ');

describe('coinsScreen', () => {
  it('has the networks of a coin below it, and a form for a coin on one network', () => {
    const screen = coinsScreen(
      view,
      [methodOf('ethereum', 'USDT'), methodOf('tron', 'USDT'), methodOf('ethereum', 'ETH')],
      null,
    );
    expect(html(screen)).toContain('<details class="coin" name="coin" id="coin-usdt"><summary class="row">');
    expect(html(screen)).toContain('<button class="choice" data-method="tron/usdt">');
    expect(html(screen).match(/<form/g)).toHaveLength(3);
    expect(html(screen)).toContain(
      `<form class="choose" method="post" action="${ID}/choose?s=1&amp;"><input type="hidden" name="provider" value="ethereum"><input type="hidden" name="method" value="eth"><button class="choice row" data-method="ethereum/eth">`,
    );
    expect(words(screen)).toMatch(
      /Digital dollars hold their value USDT Tether USD 2 networks 1,234\.5 USDT \$60\.00 .*Coins change in value ETH Ether on Ethereum · High fee · about 2 min 0\.0000000012345 ETH \$60\.00/,
    );
    expect(words(screen)).not.toMatch(/All \d|n’t available right now/);
    expect(words(screen)).toContain('Tron (TRC-20) Medium fee · about 57 sec Cheapest');
    expect(screen.address).toBe('?s=1&choose=1');
  });

  it('folds all coins beyond six, with a search that only the script shows', () => {
    const codes = ['BTC', 'LTC', 'DOGE', 'BCH', 'TRX', 'AVAX', 'POL'];
    const screen = coinsScreen(
      view,
      codes.map((code) => methodOf(code.toLowerCase(), code)),
      null,
    );
    expect(words(screen)).toContain('All 7 coins');
    expect(html(screen)).toContain('<div class="search" hidden>');
    expect(html(screen).match(/<form/g)).toHaveLength(13);
  });

  it.each<[UnavailableReason, string]>([
    ['rate_unavailable', 'There’s no exchange rate right now.'],
    ['below_minimum', 'The amount is too small for this.'],
    ['node_unavailable', 'We can’t reach the network right now.'],
    ['not_traceable', 'It isn’t offered on this network.'],
    ['wallet_not_configured', 'The shop hasn’t set this up yet.'],
  ])('folds unavailable coins with the reason: %s', (reason, text) => {
    const screen = coinsScreen(view, [methodOf('bitcoin', 'BTC', reason), methodOf('ethereum', 'ETH')], null);
    expect(html(screen)).toContain(
      '<details class="fold" id="off-coins"><summary>1 coin isn’t available right now',
    );
    expect(words(screen)).toContain(`BTC Bitcoin ${text}`);
  });

  it('names the networks where the reasons differ', () => {
    const off = [
      methodOf('tron', 'USDT', 'wallet_not_configured'),
      methodOf('bsc', 'USDT', 'node_unavailable'),
    ];
    expect(words(coinsScreen(view, off, null))).toContain(
      'BNB Smart Chain (BEP-20): We can’t reach the network right now. Tron (TRC-20): The shop hasn’t set this up yet.',
    );
  });

  it('shows the reasons at once where nothing can be used', () => {
    const screen = coinsScreen(view, [methodOf('bitcoin', 'BTC', 'node_unavailable')], { kind: 'unknown' });
    expect(words(screen)).toContain('There’s no way to pay right now.');
    expect(html(screen)).toContain('id="off-coins" open>');
    expect(words(screen)).not.toContain('estimates');
  });

  it('says why the customer is here again', () => {
    const method = methodOf('tron', 'USDT', 'node_unavailable');
    const screen = coinsScreen(view, [method, methodOf('ethereum', 'ETH')], {
      kind: 'unavailable',
      method,
      reason: 'node_unavailable',
    });
    expect(words(screen)).toContain(
      'USDT on Tron (TRC-20) isn’t available right now. We can’t reach the network right now. Please choose another way to pay',
    );
    expect(screen).toMatchObject({
      isAlert: true,
      announcement: expect.stringContaining('USDT on Tron') as unknown,
    });
  });
});

describe('networksScreen', () => {
  const [coin] = coinsOf([
    methodOf('ethereum', 'USDT'),
    methodOf('tron', 'USDT'),
    methodOf('bsc', 'USDT'),
    methodOf('base', 'USDT', 'node_unavailable'),
  ]);

  it('has names that people know, fees and times in words, and the reason of what cannot be used', () => {
    if (!coin) throw new Error('no coin');
    const screen = networksScreen(view, coin, null, true);
    expect(words(screen)).toContain('My &lt;Store&gt; only takes USDT on these networks.');
    const text = words(screen);
    const order = [
      'BNB Smart Chain (BEP-20) Low fee · about 57 sec Cheapest',
      'Tron (TRC-20) Medium fee · about 57 sec',
      'Ethereum (ERC-20) High fee · about 2 min',
      'Base We can’t reach the network right now.',
    ].map((line) => text.indexOf(line));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
    expect(html(screen).match(/<form/g)).toHaveLength(3);
    expect(text).toContain('Choose another coin');
    expect(words(networksScreen(view, coin, null, false))).not.toContain('Choose another coin');
  });
});

describe('confirmScreen', () => {
  it('has one button, and continues by itself only where there is nothing to choose', () => {
    const screen = confirmScreen(view, methodOf('tron', 'USDT'), true, false);
    expect(words(screen)).toContain('Pay with USDT on Tron (TRC-20) You’ll pay about 1,234.5 USDT .');
    expect(html(screen).match(/<button/g)).toHaveLength(1);
    expect(screen.isContinuing).toBe(false);
    expect(words(screen)).toContain('Choose another way to pay');
    const only = confirmScreen(view, methodOf('tron', 'USDT'), false, true);
    expect(only.isContinuing).toBe(true);
    expect(words(only)).not.toContain('Choose another way to pay');
  });
});
