import type { BlockRef } from '../../chains/chain-adapter.pure.js';
import type { AddressFlow } from '../../chains/chain-auditor.pure.js';
import type { FinalityTag } from '../../chains/chain.pure.js';
import type { Difference } from './reconciliation-report.pure.js';

/** A recorded transfer, with the address that received it. */
export interface RecordedTransfer {
  paymentId: string;
  chain: string;
  txHash: string;
  ordinal: string;
  asset: string;
  currencyCode: string;
  decimals: number;
  amount: bigint;
  state: string;
  height: number | null;
  blockHash: string | null;
  confirmationsRequired: number;
  finalityRequired: FinalityTag | null;
  awaitsAgreement: boolean;
  isMatched: boolean;
  address: string;
  key: Buffer;
  /** Set for what must have come from one account. */
  sender?: Buffer;
}

/** Whether a transfer adds to a balance: it is mined and still exists on its chain. */
export function isCredited(
  transfer: RecordedTransfer,
): transfer is RecordedTransfer & { height: number; blockHash: string } {
  const isLive = transfer.state === 'pending' || transfer.state === 'confirmed';
  return isLive && transfer.height !== null && transfer.blockHash !== null;
}

/**
 * Whether the states pending and confirmed follow from the depth below the cursor. A transfer that waits for a tag or a
 * second node may be pending at any depth: when it got them is not stored.
 * @param slack blocks that a reorganization reverted lately: transfers that were deep enough before stay confirmed while
 *   the blocks are replaced. Null on a chain settled by finality for a transfer that was recorded without a tag, whose number of
 *   confirmations is only the usual wait
 */
export function auditDepth(
  transfer: RecordedTransfer,
  cursor: BlockRef,
  slack: number | null,
): Difference | null {
  if (transfer.height === null) return null;
  const depth = cursor.height - transfer.height + 1;
  const wrong = (expected: string): Difference => ({
    check: 'depth',
    chain: transfer.chain,
    paymentId: transfer.paymentId,
    subject: subjectOf(transfer),
    expected,
    found: `${transfer.state} at block ${transfer.height}, cursor at ${cursor.height}`,
  });
  if (depth < 1) return wrong('a block that was applied');
  if (slack === null) return null;
  const waitsForDepth = transfer.finalityRequired === null && !transfer.awaitsAgreement;
  if (transfer.state === 'pending' && waitsForDepth && depth >= transfer.confirmationsRequired)
    return wrong('confirmed');
  if (transfer.state === 'confirmed' && depth + slack < transfer.confirmationsRequired)
    return wrong(`pending until ${transfer.confirmationsRequired} confirmations`);
  return null;
}

/** The credits of an asset at an address, and what they must add up to. */
export interface BalanceClaim {
  chain: string;
  paymentId: string;
  address: string;
  asset: string;
  /** Sum of the credited transfers. */
  credited: bigint;
  /** What the address holds at the cursor. */
  held: bigint;
  isUnspent: boolean;
  /** It is of a treasury: what collects it is no transaction of the address, and its coin leaves no log. */
  isOfTreasury: boolean;
  /** Sums of incoming and outgoing transfers, where they were read; null for the native coin. */
  flow: AddressFlow | null;
}

/**
 * Compares the credits with the incoming transfers on the chain. Where these cannot be read, the balance of an address
 * that never spent is compared instead; that of one that did proves nothing.
 */
export function auditBalance(claim: BalanceClaim): { verdict: 'ok' | 'spent' } | { difference: Difference } {
  const { credited, held, flow, asset } = claim;
  if (held === credited) return { verdict: 'ok' };
  const wrong = (expected: string) => ({
    difference: {
      check: 'balance',
      chain: claim.chain,
      paymentId: claim.paymentId,
      subject: `${asset} at ${claim.address}`,
      expected,
      found: `credited ${credited}`,
    },
  });
  if (!flow) {
    const isSpent = !claim.isUnspent || (claim.isOfTreasury && held < credited);
    return asset === 'native' && isSpent ? { verdict: 'spent' } : wrong(`${held}, which it holds`);
  }
  if (flow.came !== credited) return wrong(`${flow.came}, which came`);
  if (flow.came - flow.went !== held)
    return wrong(`${held} held after ${flow.came} came and ${flow.went} went`);
  return { verdict: 'spent' };
}

export function subjectOf({ txHash, ordinal }: Pick<RecordedTransfer, 'txHash' | 'ordinal'>): string {
  return `transfer ${txHash} ${ordinal}`;
}
