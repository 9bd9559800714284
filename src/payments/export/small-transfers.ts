import { groupByPayment } from '../transfers/payment-facts.js';
import type {
  ExportedTransfer,
  SeenIn,
  SmallTransfers,
  TransferExportRepository,
} from './transfer-export.repository.js';

/** A row of a file: a transfer, or several small ones in the place of the first. */
export interface TransferRow {
  transfer: ExportedTransfer;
  count: number;
}

/** Sums that are kept: their payments recur from page to page. */
const MAX_PAYMENTS = 1_000;

/**
 * Adds up, for one file, what is too small to be listed one by one (docs/decisions/0848): strangers choose how many such
 * transfers an address gets, and a person reads the file.
 */
export class SmallTransferSums {
  /** By payment. */
  private readonly known = new Map<string, readonly SmallTransfers[]>();

  constructor(
    private readonly transfers: Pick<TransferExportRepository, 'sumSmall' | 'listReceivedOf'>,
    private readonly span: SeenIn,
  ) {}

  async rowsOf(page: readonly ExportedTransfer[]): Promise<TransferRow[]> {
    const isSmall = ({ amount, floor }: ExportedTransfer) => amount < floor;
    const sums = await this.sumsOf([...new Set(page.filter(isSmall).map(({ paymentId }) => paymentId))]);
    return page.flatMap((transfer) => {
      if (!isSmall(transfer)) return [{ transfer, count: 1 }];
      const sum = sums.get(transfer.id);
      if (!sum) return [];
      const { count, amount, creditedAmount } = sum;
      return [{ transfer: { ...transfer, amount, creditedAmount }, count }];
    });
  }

  /** What counts of some payments. */
  async receivedBy(paymentIds: readonly string[]): Promise<TransferRow[]> {
    const first = [...(await this.sumsOf(paymentIds)).keys()];
    return this.rowsOf(await this.transfers.listReceivedOf(paymentIds, first));
  }

  /** By the first of each. */
  private async sumsOf(paymentIds: readonly string[]): Promise<Map<string, SmallTransfers>> {
    const unknown = paymentIds.filter((id) => !this.known.has(id));
    if (this.known.size + unknown.length > MAX_PAYMENTS) {
      this.known.clear();
      unknown.splice(0, unknown.length, ...paymentIds);
    }
    const found = groupByPayment(await this.transfers.sumSmall(unknown, this.span));
    for (const id of unknown) this.known.set(id, found.get(id) ?? []);
    return new Map(paymentIds.flatMap((id) => this.known.get(id) ?? []).map((sum) => [sum.id, sum] as const));
  }
}
