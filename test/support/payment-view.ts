import type { PaymentInstructionsContract } from '../../src/checkout/payment-instructions.contract.js';
import type { PaymentView } from '../../src/checkout/page/screen.js';
import { isTerminal, versionOf } from '../../src/checkout/payment-version.pure.js';
import type { UnmatchedFunds } from '../../src/checkout/unmatched-funds.pure.js';
import { getCurrency } from '../../src/money/currencies.js';
import { presentAmount } from '../../src/money/present-amount.js';
import type { PaymentStatus } from '../../src/payments/payment-status.pure.js';
import type { PageLocale } from '../../src/platform/kernel/i18n/locale.pure.js';
import { textsOf } from '../../src/platform/kernel/i18n/texts.js';

/** A payment as the screens of the checkout page get it. */

const [usd, eth] = [getCurrency('USD'), getCurrency('ETH')];
const ID = '550e8400-e29b-41d4-a716-446655440000';
export const ADDRESS = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94';

export function viewOf(
  status: PaymentStatus,
  changes: Partial<PaymentView> = {},
  locale: PageLocale = 'en',
): PaymentView {
  const view = {
    texts: textsOf(locale),
    access: 'pay' as const,
    isFollowed: !isTerminal({ status }),
    proof: null,
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
      reportedTransactions: [],
      returnable: [],
      warnings: [],
      confirmations: {
        seen: 1,
        required: 12,
        finality: null,
        estimatedSecondsRemaining: 132,
        delayed: false,
        delayedSince: null,
        newestBlockAt: null,
        nextBlockWithin: null,
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
    otherTransactions: [],
    unmatched: null,
    network: 'Ethereum',
    isShort: false,
    isTakenBack: false,
    isPricing: false,
    overpaid: null,
    underpaid: null,
    walletApps: { evm: [{ name: 'MetaMask', link: 'https://link.metamask.io/dapp/{page}' }], tron: [] },
    walletNetworks: new Map(),
    pageUrl: `https://pay.example/checkout/${ID}`,
    report: { networks: [], paid: null },
    link: (parameters: Record<string, string>) =>
      `?expires=1&signature=2&${new URLSearchParams(parameters).toString()}`,
  };
  return { ...view, version: versionOf(view.status), ...changes };
}

export const INSTRUCTIONS = {
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
  confirmations: {
    seen: 0,
    required: 12,
    finality: null,
    estimatedSecondsRemaining: null,
    delayed: false,
    delayedSince: null,
    newestBlockAt: null,
    nextBlockWithin: null,
  },
  transactions: [],
  otherTransactions: [],
  transactionCount: 0,
  warnings: [],
  signatures: [],
} satisfies PaymentInstructionsContract;

export const UNMATCHED: UnmatchedFunds = {
  arrived: [{ amount: presentAmount(5n * 10n ** 18n, getCurrency('BNB')), network: 'BNB Smart Chain' }],
  requested: [{ code: 'ETH', network: 'Ethereum' }],
};

export const TRANSACTION = {
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
