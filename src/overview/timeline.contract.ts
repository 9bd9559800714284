import { AmountContract } from '../money/amount.contract.js';
import { Contract, enumeration } from '../platform/web/contract/contract.js';
import { Choice, Count, Instant, Nested, Text, Uuid } from '../platform/web/contract/fields.js';

export const TIMELINE_KINDS = ['address', 'quote', 'transfer', 'act', 'status', 'refund', 'event'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

const KIND = enumeration(
  'TimelineKind',
  'address: a deposit address was allotted. quote: a rate was locked, because the customer chose a coin or you accepted a ' +
    'transfer. transfer: funds were seen, or have enough blocks. act: what somebody did, from the audit log. status: the ' +
    'payment moved. refund: a refund was created or changed. event: an event, with its delivery.',
  TIMELINE_KINDS,
);

/** One entry of GET /api/payment/{paymentId}/timeline (specification/overview.md#timeline). */
@Contract('TimelineEntry', 'Something that happened to a payment.')
export class TimelineEntryContract {
  @Choice(KIND, { about: 'What kind of thing.', example: 'status' })
  kind: TimelineKind;

  @Instant({ about: 'When it happened.', example: '2026-01-15T10:06:43Z' })
  at: string;

  @Text({
    about:
      'Of a status or refund, the new status; of an event, its name; of an act, its name in the audit log; of a quote, ' +
      'rate_locked or late_rate; of a transfer, seen or confirmed; of an address, its family.',
    example: 'CONFIRMED',
  })
  code: string;

  @Text({ nullable: true, about: 'The status before, of a status or refund.', example: 'RECEIVED' })
  previous: string | null;

  @Text({
    nullable: true,
    about:
      'Of a status or refund, why; of a quote, the rate; of a transfer, unmatched or late; of an event, the last error.',
    example: 'merchant_acknowledged',
  })
  reason: string | null;

  @Text({ nullable: true, about: 'The kind of who did it; null: the gateway, by its rules.', example: null })
  actor: string | null;

  @Text({ nullable: true, about: 'The id of who did it.', example: null })
  actorId: string | null;

  @Text({ nullable: true, about: 'The network of a quote, transfer or refund.', example: null })
  blockchain: string | null;

  @Nested(() => AmountContract, {
    nullable: true,
    about: 'Of a quote, transfer or refund, in the coin.',
    example: null,
  })
  amount: AmountContract | null;

  @Text({ nullable: true, about: 'The transaction of a transfer or refund.', example: null })
  txHash: string | null;

  @Uuid({
    nullable: true,
    about: 'The id of the address, quote, transfer, refund or delivery.',
    example: null,
  })
  objectId: string | null;

  @Text({
    nullable: true,
    about:
      'Of an event, the status of its delivery as in the delivery log; SKIPPED also if there was no callback URL to make one ' +
      'for. Null: no event, or one whose delivery is not kept any more.',
    example: null,
  })
  deliveryStatus: string | null;

  @Count({ nullable: true, about: 'Of an event, the number of attempts.', example: null })
  attempts: number | null;
}
