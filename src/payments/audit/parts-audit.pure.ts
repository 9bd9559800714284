import type { Finding } from './payment-records.pure.js';
import type { PaymentAggregate } from '../payment.pure.js';
import { allotParts } from '../quotes/parts.pure.js';

/**
 * The parts of the transfers are what each pays, rounded down or up, and add up to what the payment received; so reports and
 * exports, which add them up, say the same. Which one is rounded up depends on what came when.
 */
export function auditParts({ payment, transfers, quotes }: PaymentAggregate): Finding[] {
  const wrong = [...allotParts(payment.amount, transfers, quotes)];
  const [first] = wrong;
  if (!first) return [];
  const [{ txHash, ordinal, creditedAmount }, expected] = first;
  const others = wrong.length > 1 ? ` and of ${wrong.length - 1} others` : '';
  const subject = `creditedAmount of transfer ${txHash} ${ordinal}${others}`;
  return [{ check: 'parts', subject, expected: String(expected), found: String(creditedAmount ?? 'none') }];
}
