import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { newId } from '../../platform/kernel/ids.pure.js';
import { PaymentTransferRepository } from '../transfers/payment-transfer.repository.js';
import { OwnTransferRepository } from './own-transfer.repository.js';

/** Coin from the account for fees of the key of the address that it pays. */
export interface OwnFunds {
  userId: string;
  paymentId: string;
  depositAddressId: string;
  txHash: string;
  ordinal: string;
  /** The key of the account that sent it. */
  sender: Buffer;
  currencyCode: string;
  decimals: number;
  amount: bigint;
  block: { height: number; hash: string; time: Date };
}

/** An {@link OwnFunds} as it is recorded. */
export interface RecordedOwnFunds extends Omit<OwnFunds, 'block'> {
  chain: string;
  blockHeight: number;
  blockHash: string;
  /** False: the gateway did not write this. */
  isAuthentic: boolean;
}

/**
 * Keeps what a merchant's own account sends to addresses of payments, so that their balances are explained; no payment is
 * credited with it (docs/decisions/0900-sign-away-from-the-gateway.md). It writes in the watcher's transaction.
 */
@Injectable()
export class OwnFundsService {
  constructor(
    private readonly clock: Clock,
    private readonly own: OwnTransferRepository,
    private readonly transfers: PaymentTransferRepository,
  ) {}

  /** What a release before has credited stays what it is. */
  async record(chain: string, funds: readonly OwnFunds[]): Promise<void> {
    if (funds.length === 0) return;
    const hashes = [...new Set(funds.map(({ txHash }) => txHash))];
    const credited = await this.transfers.listInBlocks(chain, hashes);
    const isCredited = ({ txHash, ordinal }: OwnFunds) =>
      credited.some((one) => one.txHash === txHash && one.ordinal === ordinal);
    const now = this.clock.now();
    const rows = funds
      .filter((one) => !isCredited(one))
      .map(({ block, ...one }) => ({
        ...one,
        id: newId(now),
        chain,
        blockHeight: block.height,
        blockHash: block.hash,
        blockTime: block.time,
      }));
    await this.own.insert(rows);
  }

  /** Undoes everything above the common ancestor of a fork. */
  rollBack(chain: string, height: number): Promise<void> {
    return this.own.deleteAbove(chain, height);
  }

  listOfPayments(paymentIds: readonly string[]): Promise<RecordedOwnFunds[]> {
    return this.own.listOfPayments(paymentIds);
  }
}
