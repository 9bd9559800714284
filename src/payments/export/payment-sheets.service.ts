import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../../applications/applications.service.js';
import { ChainsService } from '../../chains/chains.service.js';
import { getCurrency } from '../../money/currencies.js';
import { formatDecimal } from '../../money/money.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import type { MessageKey } from '../../platform/kernel/i18n/texts.js';
import type { Sheet, SheetRow } from '../../platform/kernel/sheet.pure.js';
import { type AddressPlace, DepositAddressesService } from '../../wallets/deposit-addresses.service.js';
import { PaymentPresenter } from '../payment-presenter.service.js';
import type { ExportedPayment } from '../payment-list.repository.js';
import type { PaymentStatus } from '../payment-status.pure.js';
import { isLive, type TransferState } from '../transfers/transfer-state.pure.js';
import { creditedBy } from '../quotes/parts.pure.js';
import { SmallTransferSums, type TransferRow } from './small-transfers.js';
import { TransferExportRepository } from './transfer-export.repository.js';

/** Where money came from and went, of every file for people that has money. */
const MOVEMENT = {
  'sheet.network': 'text',
  'sheet.coin': 'text',
  'sheet.coin-amount': 'amount',
  'sheet.rate': 'amount',
  'sheet.address': 'id',
  'sheet.path': 'text',
  'sheet.transaction': 'hash',
  'sheet.explorer': 'hash',
  'sheet.payment': 'id',
} as const;
const ORDER = { 'sheet.shop': 'text', 'sheet.reference': 'text', 'sheet.label': 'text' } as const;

export const TRANSFER_SHEET = {
  name: 'transfers',
  columns: {
    'sheet.paid-at': 'instant',
    ...ORDER,
    'sheet.status': 'word',
    'sheet.currency': 'text',
    'sheet.value': 'amount',
    ...MOVEMENT,
  },
  // What does not count, or was taken back, is a sum of its own.
  sums: [
    { by: ['sheet.status', 'sheet.currency'], of: ['sheet.value'] },
    { by: ['sheet.status', 'sheet.coin'], of: ['sheet.coin-amount'] },
  ],
} as const satisfies Sheet;
export type TransferSheetRow = SheetRow<typeof TRANSFER_SHEET.columns>;

export const PAYMENT_SHEET = {
  name: 'payments',
  columns: {
    'sheet.paid-at': 'instant',
    'sheet.created-at': 'instant',
    ...ORDER,
    'sheet.status': 'word',
    'sheet.currency': 'text',
    'sheet.amount': 'amount',
    'sheet.received': 'amount',
    'sheet.overpaid': 'amount',
    'sheet.missing': 'amount',
    'sheet.refunded': 'amount',
    ...MOVEMENT,
  },
  sums: [
    {
      by: ['sheet.currency'],
      of: ['sheet.amount', 'sheet.received', 'sheet.overpaid', 'sheet.missing', 'sheet.refunded'],
    },
    { by: ['sheet.coin'], of: ['sheet.coin-amount'] },
  ],
} as const satisfies Sheet;
export type PaymentSheetRow = SheetRow<typeof PAYMENT_SHEET.columns>;

/** Values of one cell; whoever sends a payment in parts chooses how many there are. */
const MAX_IN_CELL = 10;
const TRANSFER_WORDS: Record<TransferState, MessageKey> = {
  pending: 'sheet.transfer-confirming',
  confirmed: 'sheet.transfer-confirmed',
  orphaned: 'sheet.transfer-reversed',
  replaced: 'sheet.transfer-replaced',
  dropped: 'sheet.transfer-replaced',
};
/** Whether the shop knows of it is nothing for books. */
const PAYMENT_WORDS: Record<PaymentStatus, MessageKey> = {
  OPEN: 'sheet.payment-waiting',
  FOUND: 'sheet.payment-confirming',
  UNDERPAID: 'sheet.payment-underpaid',
  RECEIVED: 'sheet.payment-paid',
  CONFIRMED: 'sheet.payment-paid',
  CANCELLED: 'sheet.payment-cancelled',
  ERROR: 'sheet.payment-error',
  REFUND: 'sheet.payment-refunded',
};

/** Payments and transfers as people read them (specification/exports.md#files-for-people). */
@Injectable()
export class PaymentSheets {
  constructor(
    private readonly transfers: TransferExportRepository,
    private readonly applications: ApplicationsService,
    private readonly addresses: DepositAddressesService,
    private readonly presenter: PaymentPresenter,
    private readonly chains: ChainsService,
    private readonly clock: Clock,
  ) {}

  /** Names of shops, read once for a file. */
  shopsOf(userId: string): () => Promise<Map<string, string>> {
    let names: Promise<Map<string, string>> | null = null;
    return () => (names ??= this.applications.namesOf(userId));
  }

  /** As a network calls itself; its slug where it is no longer configured. */
  networkName(slug: string): string {
    return this.chains.find(slug)?.name ?? slug;
  }

  async showTransfers(
    rows: readonly TransferRow[],
    shops: ReadonlyMap<string, string>,
  ): Promise<TransferSheetRow[]> {
    const places = await this.placesOf(rows);
    return rows.map(({ transfer, count }) => ({
      'sheet.paid-at': transfer.seenAt,
      'sheet.shop': shops.get(transfer.applicationId) ?? null,
      'sheet.reference': transfer.reference,
      'sheet.label': transfer.referenceLabel,
      'sheet.status':
        isLive(transfer) && !transfer.isMatched
          ? 'sheet.transfer-not-counted'
          : TRANSFER_WORDS[transfer.state],
      'sheet.currency': transfer.pricingCode,
      'sheet.value': formatDecimal(creditedBy(transfer), getCurrency(transfer.pricingCode).decimals),
      ...this.movementOf({ transfer, count }, places),
      ...noteOf([{ count }]),
    }));
  }

  /**
   * With what counts of each. Where that came by several transfers, the cells of what differs name each once, and the
   * file of transfers has them all.
   */
  async showPayments(
    payments: readonly ExportedPayment[],
    shops: ReadonlyMap<string, string>,
  ): Promise<PaymentSheetRow[]> {
    const rows = await new SmallTransferSums(this.transfers, { from: null, until: null }).receivedBy(
      payments.map(({ id }) => id),
    );
    const places = await this.placesOf(rows);
    return payments.map((payment) => {
      const { decimals } = getCurrency(payment.currencyCode);
      const whole = (sum: bigint | null) => (sum === null ? null : formatDecimal(sum, decimals));
      const own = rows.filter(({ transfer }) => transfer.paymentId === payment.id);
      const moves = own.map((row) => this.movementOf(row, places));
      return {
        'sheet.paid-at': own[0]?.transfer.seenAt ?? null,
        'sheet.created-at': payment.createdAt,
        'sheet.shop': shops.get(payment.applicationId) ?? null,
        'sheet.reference': payment.reference,
        'sheet.label': payment.referenceLabel,
        'sheet.status': this.wordOf(payment),
        'sheet.currency': payment.currencyCode,
        'sheet.amount': formatDecimal(payment.amount, decimals),
        'sheet.received': formatDecimal(payment.receivedAmount, decimals),
        'sheet.overpaid': whole(payment.overpaidAmount),
        'sheet.missing': whole(payment.underpaidAmount),
        'sheet.refunded': formatDecimal(payment.refundedAmount, decimals),
        'sheet.network': eachOnce(moves, 'sheet.network'),
        'sheet.coin': eachOnce(moves, 'sheet.coin'),
        'sheet.coin-amount': coinSum(own),
        'sheet.rate': onlyOne(moves, 'sheet.rate'),
        'sheet.address': eachOnce(moves, 'sheet.address'),
        'sheet.path': eachOnce(moves, 'sheet.path'),
        'sheet.transaction': eachOnce(moves, 'sheet.transaction'),
        'sheet.explorer': eachOnce(moves, 'sheet.explorer'),
        'sheet.payment': payment.id,
        ...noteOf(own),
      };
    });
  }

  private wordOf({ status, expiresAt }: ExportedPayment): MessageKey {
    return status === 'OPEN' && expiresAt <= this.clock.now()
      ? 'sheet.payment-link-expired'
      : PAYMENT_WORDS[status];
  }

  private async placesOf(rows: readonly TransferRow[]): Promise<Map<string, AddressPlace>> {
    const ids = [...new Set(rows.map(({ transfer }) => transfer.paymentId))];
    return new Map((await this.addresses.listPlaces(ids)).map((place) => [place.id, place]));
  }

  private movementOf({ transfer, count }: TransferRow, places: ReadonlyMap<string, AddressPlace>) {
    const place = places.get(transfer.depositAddressId);
    return {
      'sheet.network': this.networkName(transfer.chain),
      'sheet.coin': transfer.currencyCode,
      'sheet.coin-amount': formatDecimal(transfer.amount, transfer.assetDecimals),
      'sheet.rate': transfer.rate,
      'sheet.address': place?.address ?? null,
      // Of a treasury there is no path: the index is what its address is computed from.
      'sheet.path': place?.walletPath ?? place?.treasuryIndex?.toString() ?? null,
      // Of several, the address leads to them.
      'sheet.transaction': count === 1 ? transfer.txHash : null,
      'sheet.explorer': count === 1 ? this.presenter.explorerUrl(transfer) : null,
      'sheet.payment': transfer.paymentId,
    };
  }
}

type Movement = ReturnType<PaymentSheets['movementOf']>;

function differing(moves: readonly Movement[], column: keyof Movement): string[] {
  return [...new Set(moves.map((move) => move[column]).filter((text) => text !== null))];
}

function eachOnce(moves: readonly Movement[], column: keyof Movement): string | null {
  const all = differing(moves, column);
  return [...all.slice(0, MAX_IN_CELL), ...(all.length > MAX_IN_CELL ? ['…'] : [])].join(' ') || null;
}

/** How many small transfers are added up in a row. */
function noteOf(rows: readonly Pick<TransferRow, 'count'>[]): Pick<SheetRow, 'note'> {
  const count = rows.reduce((sum, row) => sum + (row.count > 1 ? row.count : 0), 0);
  return count > 0 ? { note: { text: 'sheet.small-transfers', values: { count } } } : {};
}

/** Null where there are several: they cannot be added up. */
function onlyOne(moves: readonly Movement[], column: keyof Movement): string | null {
  const [first, ...others] = differing(moves, column);
  return others.length === 0 ? (first ?? null) : null;
}

/** What came in the coin; null if more than one came. */
function coinSum(rows: readonly TransferRow[]): string | null {
  const transfers = rows.map(({ transfer }) => transfer);
  const [first] = transfers;
  const isOne = transfers.every(
    ({ currencyCode, assetDecimals }) =>
      currencyCode === first?.currencyCode && assetDecimals === first.assetDecimals,
  );
  if (!first || !isOne) return null;
  return formatDecimal(
    transfers.reduce((sum, { amount }) => sum + amount, 0n),
    first.assetDecimals,
  );
}
