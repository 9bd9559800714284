import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { EVENT_TYPES } from '../src/applications/event-types.pure.js';
import { ChainsService } from '../src/chains/chains.service.js';
import { PaymentPresenter } from '../src/payments/payment-presenter.service.js';
import type { PaymentAggregate, Transfer } from '../src/payments/payment.pure.js';
import { sampleChange, samplePayment } from '../src/webhooks/events/sample-event.js';
import { snippetOf, LANGUAGES } from '../web/dashboard/webhooks/snippets.pure.js';
import { WebhookHarness } from './support/webhook-harness.js';

/** Bytes, as documents and samples promise (specification/events.md#body). */
const MAX = 64 * 1024;
const now = new Date('2026-01-15T10:20:00Z');
const HUGE = 10n ** 60n;
/** As many characters of a text as it may have, each of the most bytes that JSON makes of one. */
const longest = (characters: number) => '\u0001'.repeat(characters);
const longestUrl = `https://shop.example/${'\u{1F600}'.repeat(2_048 - 21)}`;
let harness: WebhookHarness;

beforeAll(async () => {
  harness = await WebhookHarness.start();
});
afterAll(() => harness.stop());

/** One of every coin of every network, in every state, asked for and not, and 40 more of each of the first. */
function flood(chains: ChainsService): Transfer[] {
  const states = ['pending', 'confirmed', 'orphaned', 'replaced', 'dropped'] as const;
  const kinds = chains
    .list()
    .flatMap((chain) =>
      chain.assets.flatMap((asset) =>
        states.flatMap((state) =>
          [true, false].map((isMatched) => ({ chain: chain.slug, asset, state, isMatched })),
        ),
      ),
    );
  const many = [...kinds, ...Array.from({ length: 40 }, () => kinds[0]), ...kinds, ...kinds];
  return many.flatMap((kind, i) =>
    kind
      ? [
          {
            id: randomUUID(),
            chain: kind.chain,
            txHash: `0x${randomBytes(32).toString('hex')}`,
            ordinal: `log:${i}`,
            asset: kind.asset.asset,
            currencyCode: kind.asset.currencyCode,
            assetDecimals: kind.asset.decimals,
            amount: HUGE,
            floor: 1n,
            isDust: false,
            state: kind.state,
            blockHeight: 1,
            confirmedAt: now,
            confirmationsRequired: 999_999,
            finalityRequired: null,
            awaitsAgreement: false,
            quoteId: null,
            isMatched: kind.isMatched,
            isLate: false,
            seenAt: now,
            confirmations: 999_999,
            sumOf: null,
            isCoinbase: false,
          } as unknown as Transfer,
        ]
      : [],
  );
}

function largest(type: (typeof EVENT_TYPES)[number]): PaymentAggregate {
  const ids = { id: randomUUID(), paymentId: randomUUID(), userId: longest(64), applicationId: randomUUID() };
  const state = samplePayment({ ...ids, type, now });
  const { payment } = state;
  Object.assign(payment, {
    reference: longest(255),
    referenceLabel: longest(255),
    cancelReason: longest(255),
    errorReason: longest(255),
    redirectUrl: longestUrl,
    callbackUrl: longestUrl,
    productId: randomUUID(),
    metadata: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`name-of-${n}`, 'x'.repeat(66)])),
    amount: HUGE,
    receivedAmount: HUGE,
    overpaidAmount: HUGE,
    underpaidAmount: HUGE,
    settledAmount: HUGE,
    refundedAmount: HUGE,
    reviewReason: 'funds_after_cancel',
  });
  return { ...state, transfers: flood(harness.gateway.get(ChainsService)) };
}

describe('the largest body', () => {
  it.each([...EVENT_TYPES, 'payment.refund_requested' as const])('of %s stays below 64 kB', (type) => {
    const presenter = harness.gateway.get(PaymentPresenter);
    const state = largest(type === 'payment.refund_requested' ? 'payment.refund' : type);
    const refund = {
      reason: longest(255),
      note: longest(2_000),
      claimUrl: longestUrl,
      paymentUri: longest(500),
      address: longest(255),
      failureReason: longest(255),
      amounts: Array.from({ length: 20 }, () => randomBytes(64).toString('hex')),
    };
    const text = presenter.event({ id: randomUUID(), type, createdAt: now }, state, {
      ...(type.startsWith('payment.refund') && { refund }),
      ...(type === 'payment.updated' && { change: presenter.change(state, sampleChange(state)) }),
    });
    expect(Buffer.byteLength(text)).toBeLessThan(MAX);
    const { payment } = JSON.parse(text) as { payment: { transactionCount: number } };
    expect(payment.transactionCount).toBe(state.transfers.length);
  });

  it('of an ordinary payment lists its transfers', () => {
    const state = { ...largest('payment.received') };
    const few = state.transfers.filter(({ isMatched }) => isMatched).slice(0, 25);
    Object.assign(state.payment, { reference: 'A-1', referenceLabel: 'Order', cancelReason: null });
    Object.assign(state.payment, { redirectUrl: null, callbackUrl: null, errorReason: null });
    const text = harness.gateway
      .get(PaymentPresenter)
      .event({ id: randomUUID(), type: 'payment.received', createdAt: now }, { ...state, transfers: few });
    expect((JSON.parse(text) as { payment: { transactions: unknown[] } }).payment.transactions).toHaveLength(
      few.length,
    );
  });
});

describe('a sample that receives webhooks names how large they can be', () => {
  const root = path.resolve(import.meta.dirname, '..');
  const pages = [
    'docs/how-to/webhooks.md',
    'docs/tutorial/integrate-a-shop.md',
    'sdk/README.md',
    'README.md',
  ];
  const samples = [
    ...pages.flatMap((file) =>
      [
        ...readFileSync(path.join(root, file), 'utf8').matchAll(/^```(?!http)\w+[^\n]*\n([\s\S]*?)^```/gm),
      ].map(([, code = ''], i) => [`${file}, sample ${i + 1}`, code] as const),
    ),
    ...LANGUAGES.map(
      (language) =>
        [`the dashboard's ${language}`, snippetOf(language, { url: 'https://shop.example/' })] as const,
    ),
  ];
  /** It reads the body of a webhook, or verifies one. */
  const receives =
    /express\.(raw|json|text)|bodyParser|verifyWebhook\(|paymentservice.signature|createHmac|hash_hmac|hmac\.new/i;
  const named = /64 ?kb|'64kb'/i;

  it('in every one of them', () => {
    const receiving = samples.filter(([, code]) => receives.test(code) && !/^curl /m.test(code));
    expect(receiving.length).toBeGreaterThanOrEqual(10);
    expect(receiving.filter(([, code]) => !named.test(code)).map(([name]) => name)).toEqual([]);
  });

  it('and never leaves a framework to its own limit', () => {
    const bare = /express\.(raw|json|text)\((?![^)]*limit: '64kb')/;
    expect(samples.filter(([, code]) => bare.test(code)).map(([name]) => name)).toEqual([]);
  });
});
