import type pg from 'pg';
import type { ChainAddress } from '../../src/chains/chain-family.pure.js';
import { PAYMENT_STATUS_HISTORY } from '../../src/payments/payment-status-history.entity.js';
import { type PaymentEntity, PAYMENTS } from '../../src/payments/payment.entity.js';
import { type QuoteEntity, QUOTES } from '../../src/payments/quotes/quote.entity.js';
import { bulkInsert } from '../../src/platform/database/entity-sql.js';
import { AuthenticatedRows } from '../../src/platform/integrity/authenticated-rows.js';
import { Keyring } from '../../src/platform/kernel/keyring.js';
import { newId } from '../../src/platform/kernel/ids.pure.js';
import { DepositAddressEntity } from '../../src/wallets/deposit-address.entity.js';
import { DEPOSIT_ADDRESS } from '../../src/wallets/wallet-authentication.pure.js';
import { BENCH_KEY } from './gateway.js';

const KEYRING = new Keyring([BENCH_KEY]);
const DAY_MS = 86_400_000;
const CENTS = 10_000n;

const refuse = () => undefined;
const payments = new AuthenticatedRows(PAYMENTS, KEYRING, refuse);
const quotes = new AuthenticatedRows(QUOTES, KEYRING, refuse);
const history = new AuthenticatedRows(PAYMENT_STATUS_HISTORY, KEYRING, refuse);

const INSERT_PAYMENTS = bulkInsert(PAYMENTS.entity, [...PAYMENTS.fields, 'mac']);
const INSERT_QUOTES = bulkInsert(QUOTES.entity, [...QUOTES.fields, 'mac']);
const INSERT_HISTORY = bulkInsert(PAYMENT_STATUS_HISTORY.entity, [...PAYMENT_STATUS_HISTORY.fields, 'mac']);
const ADDRESS = [
  'id',
  'paymentId',
  'userId',
  'family',
  'key',
  'address',
  'walletId',
  'derivationIndex',
  'createdAt',
  'mac',
] as const;
const INSERT_ADDRESSES = bulkInsert(DepositAddressEntity, ADDRESS);

export interface FilledRecords {
  userId: string;
  applicationId: string;
  walletId: string;
  /** Index of the first address. */
  first: number;
  addresses: readonly ChainAddress[];
  /** Of the first payment of all; each further one is a millisecond younger. */
  createdAt: Date;
}

/** Payments that were quoted and not paid, as the gateway writes them: every row has its MAC. */
export async function fillRecords(client: pg.Client, records: FilledRecords): Promise<void> {
  const { userId, applicationId, walletId, first, addresses, createdAt: begun } = records;
  const rows = addresses.map(({ key, address }, i) => {
    const createdAt = new Date(begun.getTime() + first + i);
    const expiresAt = new Date(createdAt.getTime() + DAY_MS);
    const paymentId = newId(createdAt);
    const payment: Pick<PaymentEntity, (typeof PAYMENTS.fields)[number]> = {
      id: paymentId,
      userId,
      applicationId,
      reference: `bench ${first + i}`,
      referenceLabel: 'Order',
      currencyCode: 'USD',
      settlementCurrencyCode: 'USD',
      amount: CENTS,
      redirectUrl: null,
      blockchainSlug: null,
      productId: null,
      callbackUrl: null,
      metadata: {},
      livemode: true,
      expiresAt,
      createdAt,
    };
    const quote: Pick<QuoteEntity, (typeof QUOTES.fields)[number]> = {
      id: newId(createdAt),
      paymentId,
      userId,
      chain: 'ethereum',
      asset: 'native',
      currencyCode: 'ETH',
      assetDecimals: 18,
      pricedAmount: CENTS,
      assetAmount: 5n * 10n ** 16n,
      rate: '2000',
      rateSource: 'median',
      rateInputs: [],
      settlementRate: null,
      isLate: false,
      lockedAt: createdAt,
      expiresAt,
      acceptedTransferId: null,
      acceptedBy: null,
      acceptedTokenId: null,
    };
    const entry = {
      paymentId,
      userId,
      seq: 1,
      fromStatus: null,
      toStatus: 'OPEN',
      reason: 'created',
      createdAt,
    } as const;
    const place = { id: newId(createdAt), paymentId, userId, family: 'evm', key, address, walletId } as const;
    const deposit = { ...place, derivationIndex: first + i, createdAt };
    const mac = KEYRING.mac(DEPOSIT_ADDRESS.purpose, DEPOSIT_ADDRESS.fieldsOf(deposit));
    return {
      payment: { ...payment, mac: payments.mac(payment) },
      quote: { ...quote, mac: quotes.mac(quote) },
      entry: { ...entry, mac: history.mac(entry) },
      deposit: { ...deposit, mac },
    };
  });
  await client.query(INSERT_PAYMENTS.text, INSERT_PAYMENTS.values(rows.map(({ payment }) => payment)));
  await client.query(INSERT_QUOTES.text, INSERT_QUOTES.values(rows.map(({ quote }) => quote)));
  await client.query(INSERT_HISTORY.text, INSERT_HISTORY.values(rows.map(({ entry }) => entry)));
  await client.query(INSERT_ADDRESSES.text, INSERT_ADDRESSES.values(rows.map(({ deposit }) => deposit)));
}
