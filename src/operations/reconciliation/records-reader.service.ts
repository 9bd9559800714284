import { Injectable } from '@nestjs/common';
import { ChainHealthService, type ChainStatus } from '../../chains/chain-health.service.js';
import { ChainsService } from '../../chains/chains.service.js';
import { Sql } from '../../platform/database/sql.js';
import { type CheckedPayment, PaymentInvariantsService } from '../../payments/payment-invariants.service.js';
import {
  DepositAddressesService,
  type RecordedDepositAddress,
} from '../../wallets/deposit-addresses.service.js';
import { OwnFundsService, type RecordedOwnFunds } from '../../payments/own-funds/own-funds.service.js';
import {
  type RecordedCursor,
  ReconciliationRepository,
  type StoredTransfer,
} from './reconciliation.repository.js';
import type { Counts } from './reconciliation-report.pure.js';
import type { RecordedTransfer } from './transfer-audit.pure.js';

/** What was recorded about a batch of payments at one moment. */
export interface Records {
  payments: CheckedPayment[];
  addresses: RecordedDepositAddress[];
  transfers: RecordedTransfer[];
  /** Transfers without an address: only a writer of the database makes one. */
  unplaced: StoredTransfer[];
  /** What the merchant's own account sent to the addresses. */
  own: RecordedOwnFunds[];
  /** By chain. */
  cursors: ReadonlyMap<string, RecordedCursor>;
  /** Of the chains that are configured and have a cursor. */
  statuses: ReadonlyMap<string, ChainStatus>;
}

/** Reads the records of payments, a batch at a time. */
@Injectable()
export class RecordsReader {
  constructor(
    private readonly sql: Sql,
    private readonly repository: ReconciliationRepository,
    private readonly chains: ChainsService,
    private readonly health: ChainHealthService,
    private readonly payments: PaymentInvariantsService,
    private readonly depositAddresses: DepositAddressesService,
    private readonly ownFunds: OwnFundsService,
  ) {}

  /** All records of a batch are of the same moment. */
  read(paymentIds: readonly string[]): Promise<Records> {
    return this.sql.snapshot(() => this.readSnapshot(paymentIds));
  }

  private async readSnapshot(ids: readonly string[]): Promise<Records> {
    const payments = await this.payments.audit(ids);
    const cursors = await this.repository.cursors();
    const watched = cursors.map(({ chain }) => chain).filter((chain) => this.chains.find(chain));
    const statuses = await this.health.statusesOf(watched);
    const addresses = await this.depositAddresses.listOfPayments(ids);
    const { placed, unplaced } = withAddresses(await this.repository.transfersOf(ids), addresses);
    return {
      payments,
      addresses,
      transfers: placed,
      unplaced,
      own: await this.ownFunds.listOfPayments(ids),
      cursors: new Map(cursors.map((cursor) => [cursor.chain, cursor])),
      statuses: new Map(watched.flatMap((chain, i) => (statuses[i] ? [[chain, statuses[i]] as const] : []))),
    };
  }
}

/** A transfer refers to an address of its own payment, by a foreign key that the owner of the schema can pass over. */
function withAddresses(
  transfers: readonly StoredTransfer[],
  addresses: readonly RecordedDepositAddress[],
): { placed: RecordedTransfer[]; unplaced: StoredTransfer[] } {
  const byId = new Map(addresses.map((one) => [one.id, one]));
  const [placed, unplaced]: [RecordedTransfer[], StoredTransfer[]] = [[], []];
  for (const transfer of transfers) {
    const { depositAddressId, ...rest } = transfer;
    const found = byId.get(depositAddressId);
    if (found) placed.push({ ...rest, address: found.address, key: found.key });
    else unplaced.push(transfer);
  }
  return { placed, unplaced };
}

/** How much was read. */
export function sizeOf({ payments, addresses, transfers, unplaced }: Records): Partial<Counts> {
  const sum = (of: 'quotes' | 'statusEntries' | 'events') =>
    payments.reduce((total, payment) => total + payment[of], 0);
  return {
    payments: payments.length,
    statusEntries: sum('statusEntries'),
    events: sum('events'),
    quotes: sum('quotes'),
    transfers: transfers.length + unplaced.length,
    depositAddresses: addresses.length,
  };
}
