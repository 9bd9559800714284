import { presentAmount } from '../../money/present-amount.js';
import { getCurrency } from '../../money/currencies.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../payments/payment-status.pure.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import { coinsScreen } from './coins-screen.js';
import { closedScreen, expiredScreen, paidScreen } from './outcome-screens.js';
import { payScreen } from './pay-screen.js';
import { paymentPage } from './payment-page.js';
import type { PaymentView, Screen } from './screen.js';
import { foundScreen, shortScreen } from './seen-screens.js';
import { textsOf } from '../../platform/i18n/texts.js';
import { shopLink } from './shop-link.js';

const [usd, eth, btc] = [getCurrency('USD'), getCurrency('ETH'), getCurrency('BTC')];
const ID = '550e8400-e29b-41d4-a716-446655440000';
const ADDRESS = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94';
const EVIL = `</title></main></script><img src=x onerror="alert('x')">&quot;'\``;

function viewOf(status: PaymentStatus, changes: Partial<PaymentView> = {}): PaymentView {
  return {
    texts: textsOf('en'),
    status: {
      id: ID,
      status,
      reference: 'ORDER-1',
      referenceLabel: 'Order #1',
      currencyCode: 'USD',
      amount: presentAmount(10_000n, usd),
      receivedAmount: presentAmount(0n, usd),
      remainingAmount: presentAmount(4_000n, usd),
      expiresAt: '2026-01-16T10:00:00Z',
      expired: false,
      receiptUrl: null,
      redirectUrl: null,
      serverTime: '2026-01-15T10:00:00Z',
      selectedMethod: { provider: 'ethereum', method: 'eth' },
      unmatchedTransactions: [],
      warnings: [],
      confirmations: {
        seen: 1,
        required: 12,
        finality: null,
        estimatedSecondsRemaining: 132,
        delayed: false,
      },
      merchantSettings: {
        title: 'My Store',
        url: 'https://shop.example/',
        image: null,
        supportUrl: null,
        accent: null,
        allowOverpay: true,
        allowUnderpay: false,
        currencyWhitelist: [],
      },
    },
    shop: { href: 'https://shop.example/', host: 'shop.example' },
    transactions: [],
    isShort: false,
    isPricing: false,
    overpaid: null,
    underpaid: null,
    link: (parameters) => `?expires=1&signature=2&${new URLSearchParams(parameters).toString()}`,
    ...changes,
  };
}

const INSTRUCTIONS = {
  paymentId: ID,
  status: 'OPEN',
  type: 'crypto_address',
  provider: 'ethereum',
  method: 'eth',
  blockchain: { slug: 'ethereum', name: 'Ethereum', chainId: 1, testnet: false },
  token: null,
  address: ADDRESS,
  memo: null,
  memoType: null,
  amount: presentAmount(50_000_000_000_000_000n, eth),
  receivedAmount: presentAmount(0n, eth),
  remainingAmount: presentAmount(20_000_000_000_000_001n, eth),
  pendingAmount: presentAmount(0n, eth),
  minAmount: presentAmount(1n, eth),
  paymentUri: `ethereum:${ADDRESS}@1?value=50000000000000000`,
  qrCode: { content: ADDRESS, format: 'image/svg+xml', dataUri: 'data:,' },
  rate: { base: 'ETH', quote: 'USD', value: '2000', source: 'kraken', lockedAt: '', expiresAt: '' },
  expiresAt: '2026-01-15T10:15:00Z',
  secondsRemaining: 900,
  checkoutExpiresAt: '2026-01-16T10:00:00Z',
  serverTime: '2026-01-15T10:00:00Z',
  confirmations: { seen: 0, required: 12, finality: null, estimatedSecondsRemaining: null, delayed: false },
  transactions: [],
  warnings: [],
  signatures: [],
} satisfies PaymentInstructionsContract;

const TRANSACTION = {
  id: '0190f3c2-6d1e-7b3a-9c4f-2f1e6a7b8c9d',
  txHash: `0x${'ab'.repeat(32)}`,
  blockchain: 'ethereum',
  currencyCode: 'ETH',
  amount: presentAmount(30_000_000_000_000_000n, eth),
  creditedAmount: presentAmount(6_000n, usd),
  confirmations: 40,
  confirmationsRequired: 12,
  finality: null,
  status: 'PENDING',
  late: false,
  matched: true,
  acceptable: false,
  acceptedAt: null,
  seenAt: '2026-01-15T10:01:00Z',
  confirmedAt: null,
  explorerUrl: 'https://etherscan.io/tx/0xab',
} satisfies PaymentView['transactions'][number];

const text = (screen: Screen) => screen.body.text.replace(/\s+/g, ' ');

describe('pay', () => {
  it('shows amount, address, network, rate and expiry in full', () => {
    const page = text(payScreen(viewOf('OPEN'), INSTRUCTIONS, true));
    expect(page).toContain('>0.05000000 ETH</span>');
    expect(page).toContain('data-copy="0.05000000"');
    expect(page).toContain(`data-copy="${ADDRESS}"`);
    expect(page.replace(/<[^>]*>/g, '')).toContain(ADDRESS);
    expect(page).toContain('Send only ETH on Ethereum.');
    expect(page).toContain(`href="ethereum:${ADDRESS}@1?value=50000000000000000"`);
    expect(page).toContain(`role="img" aria-label="QR code: the address ${ADDRESS}"`);
    expect(page).toContain(`role="img" aria-label="QR code: pay 0.05000000 ETH to ${ADDRESS}"`);
    expect(page).toContain('choose <strong>Ethereum</strong> and enter <strong>0.05000000 ETH</strong>');
    expect(page).toContain('1 ETH = 2,000 USD');
    expect(page).toContain('<time datetime="2026-01-15T10:15:00Z">10:15 UTC</time>');
    expect(page).toContain('choose=1');
    expect(page).not.toContain('test network');
  });

  it('has no wallet button without a payment URI', () => {
    const page = text(payScreen(viewOf('OPEN'), { ...INSTRUCTIONS, paymentUri: null }, true));
    expect(page).not.toContain('Open in wallet');
    expect(page).not.toContain('href="null"');
    expect(page).toContain(`data-copy="${ADDRESS}"`);
  });

  it('never opens the link of a token, because some wallets pay the contract', () => {
    const contract = `0x${'1'.repeat(40)}`;
    const token = { standard: 'ERC-20' as const, contractAddress: contract, decimals: 6 };
    const paymentUri = `ethereum:${contract}@1/transfer?address=${ADDRESS}&uint256=1`;
    for (const screen of [
      payScreen(viewOf('OPEN'), { ...INSTRUCTIONS, token, paymentUri }, true),
      shortScreen(viewOf('UNDERPAID'), { ...INSTRUCTIONS, token, paymentUri }),
    ]) {
      const page = text(screen);
      expect(page).not.toMatch(/ethereum:|Open in wallet|<details/);
      expect(page.match(/role="img"/g)).toHaveLength(1);
      expect(page).toContain('choose <strong>Ethereum (ERC-20)</strong>');
      expect(page).toContain(`data-copy="${ADDRESS}"`);
    }
  });

  it('has a single QR code with the amount if wallets of the chain agree on a link', () => {
    const uri = 'bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount=0.00155470';
    const qrCode = { ...INSTRUCTIONS.qrCode, content: uri };
    const page = text(payScreen(viewOf('OPEN'), { ...INSTRUCTIONS, paymentUri: uri, qrCode }, true));
    expect(page).toContain(`href="${uri}"`);
    expect(page.match(/role="img"/g)).toHaveLength(1);
    expect(page).not.toMatch(/<details|holds only the address/);
  });

  it('names the token standard and contract, and a test network', () => {
    const token = { standard: 'ERC-20' as const, contractAddress: `0x${'1'.repeat(40)}`, decimals: 6 };
    const blockchain = { ...INSTRUCTIONS.blockchain, testnet: true };
    const page = text(payScreen(viewOf('OPEN'), { ...INSTRUCTIONS, token, blockchain }, false));
    expect(page).toContain('Send only ETH on Ethereum (ERC-20).');
    expect(page).toContain('This is a test network: send no real coins.');
    expect(page).toContain(token.contractAddress);
    expect(page).not.toContain('choose=1');
  });

  it('shows no address after the price has ended, and renews it by a form', () => {
    const page = text(payScreen(viewOf('OPEN'), { ...INSTRUCTIONS, secondsRemaining: 0 }, true));
    expect(page).not.toContain(ADDRESS);
    expect(page).toContain('<div class="note warn" id="ended">');
    expect(page).toContain(`method="post" action="${ID}/choose?expires=1&amp;signature=2&amp;"`);
    expect(page).toContain('name="provider" value="ethereum"');
  });

  it('shows no rate for a coin priced in itself', () => {
    const rate = { ...INSTRUCTIONS.rate, quote: 'ETH' };
    expect(text(payScreen(viewOf('OPEN'), { ...INSTRUCTIONS, rate }, false))).not.toContain('1 ETH =');
  });
});

describe('seen', () => {
  it('shows confirmations and that nothing is left to do', () => {
    const screen = foundScreen(viewOf('FOUND', { transactions: [TRANSACTION] }));
    expect(text(screen)).toContain(
      '1 of 12 confirmations.</strong><span class="soft"> Usually done in about 2 minutes.',
    );
    expect(text(screen)).toContain('There is nothing more to do');
    // Never "40 of 12".
    expect(text(screen)).toContain('12 of 12 confirmations</span>');
    expect(text(screen)).not.toContain('data-copy');
    expect(screen).toMatchObject({ title: 'Payment seen', isReloading: true });
  });

  const UNKNOWN = { estimatedSecondsRemaining: null };
  it.each<[string, Partial<NonNullable<PaymentView['status']['confirmations']>>, string, string]>([
    ['an estimate', { estimatedSecondsRemaining: 1_200 }, 'Usually done in about 20 minutes.', 'delayed'],
    ['an estimate of finality', { finality: 'safe' }, 'Usually final in about 2 minutes.', 'done in'],
    ['no finality yet', { finality: 'safe', ...UNKNOWN }, 'Almost final.', 'Usually'],
    ['no estimate where none is known', UNKNOWN, '1 of 12', 'Usually'],
    ['that the network is delayed', { ...UNKNOWN, delayed: true }, 'The network is delayed.', 'Usually'],
  ])('shows %s', (_what, progress, shown, hidden) => {
    for (const screenOf of [foundScreen, (view: PaymentView) => shortScreen(view, null)]) {
      const view = viewOf('FOUND');
      Object.assign(view.status.confirmations ?? {}, progress);
      const page = text(screenOf(view));
      expect(page).toContain(shown);
      expect(page).not.toContain(hidden);
    }
  });

  it('announces a delayed network to screen readers', () => {
    const view = viewOf('FOUND');
    Object.assign(view.status.confirmations ?? {}, { delayed: true });
    expect(foundScreen(view).announcement).toBe(
      'Payment seen. 1 of 12 confirmations. The network is delayed.',
    );
  });

  it('requests nothing while late funds have no rate', () => {
    expect(text(foundScreen(viewOf('FOUND', { isPricing: true })))).toContain(
      'its value is being worked out',
    );
  });

  it.each(['FOUND', 'UNDERPAID'] as const)('%s and short: requests exactly the remainder', (status) => {
    const screen = shortScreen(viewOf(status, { isShort: true }), INSTRUCTIONS);
    expect(text(screen)).toContain('<span>0.020000000000000001 ETH is still missing</span></h1>');
    expect(text(screen)).toContain('data-copy="0.020000000000000001"');
    expect(text(screen)).toContain('<strong>$40.00</strong>');
    expect(text(screen)).toContain('Price fixed until');
    expect(screen).toMatchObject({ title: 'Amount missing', isAlert: true, isReloading: true });
  });

  it('does not request a remainder that the network does not transfer', () => {
    const amounts = {
      minAmount: presentAmount(546n, btc),
      remainingAmount: presentAmount(545n, btc),
      paymentUri: null,
    };
    const screen = shortScreen(viewOf('UNDERPAID'), { ...INSTRUCTIONS, ...amounts });
    expect(text(screen)).toContain('<span>0.00000545 BTC is still missing</span></h1>');
    expect(text(screen)).toContain('Please send nothing more: it is too little.');
    expect(text(screen)).toContain('carries no less than 0.00000546 BTC.');
    expect(text(screen)).toContain('name the reference <strong><bdi>ORDER-1</bdi></strong>');
    expect(text(screen)).not.toMatch(/data-copy|Please send the rest|Open in wallet|role="img"/);
    // One unit more can be sent.
    const enough = { ...INSTRUCTIONS, ...amounts, remainingAmount: presentAmount(546n, btc) };
    expect(text(shortScreen(viewOf('UNDERPAID'), enough))).toContain('data-copy="0.00000546"');
  });

  it('shows when the price of the remainder has expired', () => {
    const screen = shortScreen(viewOf('UNDERPAID'), { ...INSTRUCTIONS, secondsRemaining: 0 });
    expect(text(screen)).toContain('Price was fixed until');
  });

  it('refers to the shop if the remainder cannot be paid', () => {
    const screen = shortScreen(viewOf('UNDERPAID'), null);
    expect(text(screen)).toContain('$40.00 is still missing');
    expect(text(screen)).toContain('The rest cannot be paid here at the moment.');
    expect(text(screen)).not.toContain('data-copy');
  });
});

describe('outcomes', () => {
  it.each(['RECEIVED', 'CONFIRMED'] as const)('%s is shown as paid', (status) => {
    const screen = paidScreen(viewOf(status));
    expect(text(screen)).toContain('Payment complete');
    expect(text(screen)).not.toContain('too much');
    expect(screen).toMatchObject({ title: 'Paid', isReloading: false, isAlert: false });
  });

  it('shows the excess, and the accepted shortfall', () => {
    const overpaid = presentAmount(500n, usd);
    expect(text(paidScreen(viewOf('CONFIRMED', { overpaid })))).toContain('You sent $5.00 too much.');
    expect(text(paidScreen(viewOf('CONFIRMED', { underpaid: overpaid })))).toContain(
      'although $5.00 was missing',
    );
  });

  it.each([
    ['CANCELLED', 'Payment cancelled'],
    ['ERROR', 'This payment cannot go on'],
    ['REFUND', 'Payment refunded'],
  ] as const)('%s is named with the reference', (status, words) => {
    const screen = closedScreen(viewOf(status), status);
    expect(text(screen)).toContain(words);
    expect(text(screen)).toContain('ORDER-1');
    expect(screen.isReloading).toBe(false);
  });

  it.each([
    ['OPEN', 'cannot be used to pay any more'],
    ['FOUND', 'is still being followed'],
    ['UNDERPAID', 'A part of the price has arrived'],
    ['RECEIVED', 'The payment itself is complete'],
    ['CONFIRMED', 'The payment itself is complete'],
    ['CANCELLED', 'cannot be used to pay any more'],
  ] as const)('%s with an expired link is shown without a way to pay', (status, words) => {
    const screen = expiredScreen(viewOf(status, { transactions: [TRANSACTION] }));
    expect(text(screen)).toContain(words);
    expect(text(screen)).not.toMatch(/data-copy|0xabab/);
  });
});

describe('unmatched funds', () => {
  const warnings = ['5 BNB on BNB Smart Chain arrived, but this payment asks for ETH on Ethereum.'];
  const viewWith = (status: PaymentStatus) => {
    const transaction = { ...TRANSACTION, matched: false };
    const view = viewOf(status, { transactions: [transaction, { ...transaction, status: 'CONFIRMED' }] });
    Object.assign(view.status, { warnings });
    return view;
  };

  it.each<[PaymentStatus, (view: PaymentView) => Screen, string]>([
    ['OPEN', (view) => coinsScreen(view, [], null), 'accept it or send it back'],
    ['OPEN', (view) => payScreen(view, INSTRUCTIONS, true), 'accept it or send it back'],
    ['FOUND', (view) => foundScreen(view), 'accept it or send it back'],
    ['UNDERPAID', (view) => shortScreen(view, null), 'accept it or send it back'],
    ['CONFIRMED', (view) => paidScreen(view), 'The payment is complete without it.'],
    ['CANCELLED', (view) => closedScreen(view, 'CANCELLED'), 'can send it back'],
  ])('%s: shows what arrived, what was requested, and the options', (status, make, words) => {
    const page = text(make(viewWith(status)));
    expect(page).toContain(`<strong>${warnings[0]}</strong> It is recorded, but does not count so far.`);
    expect(page).toContain(words);
    expect(page).toContain('name the reference <strong><bdi>ORDER-1</bdi></strong>');
  });

  it('are announced on the payment screen', () => {
    const screen = payScreen(viewWith('OPEN'), INSTRUCTIONS, true);
    expect(screen).toMatchObject({
      announcement: `${warnings[0]} Waiting for your payment.`,
      isAlert: true,
    });
  });

  it('are marked in the list of transactions', () => {
    const page = text(foundScreen(viewWith('FOUND')));
    expect(page).toContain('12 of 12 confirmations, does not count');
    expect(page).toContain('confirmed, does not count');
  });
});

describe('a whole page', () => {
  const screens: [string, (view: PaymentView) => Screen][] = [
    ['methods', (view) => coinsScreen(view, [], { kind: 'unknown' })],
    ['pay', (view) => payScreen(view, INSTRUCTIONS, true)],
    ['found', (view) => foundScreen(view)],
    ['short', (view) => shortScreen(view, INSTRUCTIONS)],
    ['short, not payable', (view) => shortScreen(view, null)],
    ['paid', (view) => paidScreen(view)],
    ['cancelled', (view) => closedScreen(view, 'CANCELLED')],
    ['error', (view) => closedScreen(view, 'ERROR')],
    ['refund', (view) => closedScreen(view, 'REFUND')],
    ['expired', (view) => expiredScreen(view)],
  ];

  it.each(screens)('%s: escapes texts of the merchant', (_name, make) => {
    const clean = viewOf('OPEN');
    const shop = shopLink(
      { redirectUrl: `https://shop.example/?q="><script>alert(1)</script>`, siteUrl: null },
      clean.status,
    );
    const view = viewOf('OPEN', {
      shop,
      transactions: [{ ...TRANSACTION, txHash: EVIL, explorerUrl: `https://x/"><b>` }],
    });
    Object.assign(view.status, { reference: EVIL, referenceLabel: EVIL, warnings: [EVIL] });
    Object.assign(view.status.merchantSettings, { title: EVIL });
    const { body } = paymentPage(view, make(view));
    expect(body).not.toMatch(/<img|<b>|"><script|alert\('/);
    expect(body.match(/<script/g)).toHaveLength(1);
    expect(body.match(/<\/main>/g)).toHaveLength(1);
    expect(body.match(/<h1/g)).toHaveLength(1);
    expect(body).not.toMatch(/<[^>]* (style|on[a-z]+)=["']/);
  });

  it.each(PAYMENT_STATUSES)('%s is followed only if it is not final', (status) => {
    const { body } = paymentPage(viewOf(status), paidScreen(viewOf(status)));
    const isFollowed = ['OPEN', 'FOUND', 'UNDERPAID', 'RECEIVED'].includes(status);
    expect(body.includes(' data-part="')).toBe(isFollowed);
  });

  it('is not followed with an expired link', () => {
    const { body, status } = paymentPage(viewOf('OPEN'), expiredScreen(viewOf('OPEN')), 403);
    expect(status).toBe(403);
    expect(body).not.toMatch(/ data-part="|http-equiv/);
  });

  it('shows the reference only if the label does not contain it', () => {
    const view = viewOf('OPEN');
    expect(paymentPage(view, foundScreen(view)).body).toContain('(<bdi>ORDER-1</bdi>)');
    Object.assign(view.status, { referenceLabel: 'Order ORDER-1' });
    expect(paymentPage(view, foundScreen(view)).body).not.toContain('(<bdi>ORDER-1</bdi>)');
  });
});
