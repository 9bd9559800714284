import { getCurrency } from '../../money/currencies.js';
import { presentAmount } from '../../money/present-amount.js';
import { textsOf } from '../../platform/kernel/i18n/texts.js';
import type { TransactionContract } from '../../payments/payment.contract.js';
import { receiptErrorPage, receiptPage } from './receipt-document.js';
import type { ReceiptVerdict } from './receipt-verdict.pure.js';
import type { ReceiptView } from './receipt-view.js';

const [usd, eth] = [getCurrency('USD'), getCurrency('ETH')];
const TX_HASH = `0x${'ab'.repeat(32)}`;
const EXPLORER = `https://etherscan.io/tx/${TX_HASH}`;
const PAID_AT = '2026-01-15T10:06:40Z';

const TRANSFER = {
  id: '550e8400-e29b-41d4-a716-446655440001',
  txHash: TX_HASH,
  blockchain: 'ethereum',
  currencyCode: 'ETH',
  amount: presentAmount(50_000_000_000_000_000n, eth),
  creditedAmount: presentAmount(10_000n, usd),
  confirmations: 12,
  confirmationsRequired: 12,
  finality: null,
  status: 'CONFIRMED',
  late: false,
  matched: true,
  acceptable: false,
  acceptedAt: null,
  seenAt: '2026-01-15T10:04:12Z',
  confirmedAt: PAID_AT,
  explorerUrl: EXPLORER,
} satisfies TransactionContract;
const ETHEREUM = { name: 'Ethereum', isTestnet: false };

function page(changes: Partial<ReceiptView> = {}, transfer: Partial<TransactionContract> = {}): string {
  const view = {
    verdict: 'final',
    paymentId: '550e8400-e29b-41d4-a716-446655440000',
    shop: { title: 'My Store', link: null },
    reference: 'ORDER-1',
    referenceLabel: 'Order #1',
    createdAt: '2026-01-15T10:00:00Z',
    receivedAt: PAID_AT,
    asOf: '2026-01-16T10:00:00Z',
    price: presentAmount(10_000n, usd),
    received: presentAmount(10_000n, usd),
    overpaid: null,
    underpaid: null,
    refunded: null,
    transfers: [{ transaction: { ...TRANSFER, ...transfer }, network: ETHEREUM }],
    otherTransfers: [],
    rates: [],
    refunds: [],
    ...changes,
  } satisfies ReceiptView;
  return receiptPage(textsOf('en'), view, (lang) => `?lang=${lang}`).body;
}

describe('a receipt', () => {
  it('links the transaction in the block explorer', () => {
    expect(page()).toContain(`href="${EXPLORER}" target="_blank" rel="noopener noreferrer"`);
    expect(page({}, { explorerUrl: null })).not.toContain('block explorer');
  });

  it.each<[string, Partial<TransactionContract>, RegExp]>([
    ['final', {}, /Final, since.*10:06:40/s],
    [
      'pending',
      { status: 'PENDING', confirmedAt: null, confirmations: 3 },
      /Not final yet.*3; the shop requires 12/s,
    ],
    [
      'deep enough and not finalized',
      { status: 'PENDING', confirmedAt: null, finality: 'safe' },
      /Not final yet/,
    ],
    ['orphaned', { status: 'ORPHANED' }, /Taken back by the network/],
    ['replaced', { status: 'REPLACED' }, /Taken back by the network/],
    ['of another coin', { matched: false }, /doesn’t count/],
  ])('says of a transfer that is %s what it is', (_name, transfer, words) => {
    expect(page({}, transfer)).toMatch(words);
  });

  it.each<[ReceiptVerdict, RegExp]>([
    ['final', /is final/],
    ['reverted', /not proof of payment/],
    ['pending', /not proof of payment/],
    ['short', /Not proof that the whole price was paid.*\$10\.00<\/bdi> is missing/],
    ['unpaid', /isn’t proof of payment/],
    ['closed', /isn’t proof of payment/],
    ['refunded', /has been sent back/],
  ])('that is %s says so', (verdict, words) => {
    expect(page({ verdict, underpaid: presentAmount(1_000n, usd) })).toMatch(words);
  });

  it('shows what was missing and accepted, and what was too much', () => {
    expect(page({ underpaid: presentAmount(1_000n, usd) })).toMatch(
      /Missing, and accepted by the shop.*\$10\.00/s,
    );
    expect(page({ overpaid: presentAmount(700n, usd) })).toMatch(/Paid too much.*\$7\.00/s);
  });

  it('has no rate for a price in the coin itself', () => {
    const rate = {
      quoteId: 'q',
      quote: 'ETH',
      value: '1',
      lockedAt: PAID_AT,
      kind: 'locked' as const,
      method: 'identity',
      prices: [],
    };
    expect(page({ rates: [{ ...rate, base: 'ETH' }] })).not.toContain('Exchange rate');
    expect(page({ rates: [{ ...rate, base: 'BTC' }] }).replace(/<[^>]*>/g, '')).toContain(
      '1\u{a0}BTC = 1\u{a0}ETH',
    );
  });

  it('shows an error without anything of the payment', () => {
    const error = { status: 500, code: 'server_error', extra: {} } as const;
    const { status, body } = receiptErrorPage(textsOf('en'), error, () => '?');
    expect(status).toBe(500);
    expect(body).toContain('Your payment isn’t affected');
  });
});
