import { AmountContract, EXAMPLE_USDC_100 } from '../../money/amount.contract.js';
import { Contract } from '../../platform/web/contract/contract.js';
import {
  Choice,
  Count,
  Flag,
  Instant,
  Nested,
  NestedList,
  Text,
  TextList,
} from '../../platform/web/contract/fields.js';

const EXAMPLE_HASH = '0x9b3f6a1c0d2e4f5a6b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c';
const TRANSFER_STATES = ['pending', 'confirmed'] as const;

@Contract('ReconciledChain', 'How far one chain was compared.')
export class ReconciledChainContract {
  @Text({ about: 'E.g. `ethereum`.', example: 'ethereum' })
  slug: string;

  @Count({ nullable: true, about: 'The height of the cursor.', example: 21_000_000 })
  height: number | null;

  @Text({ nullable: true, about: 'The hash of that block.', example: EXAMPLE_HASH })
  hash: string | null;

  @Flag({ about: 'The chain waits for an operator.' })
  halted: boolean;

  @Text({ nullable: true, about: 'Why it could not be compared.' })
  problem: string | null;
}

@Contract('ReconciliationCounts', 'How much was compared.')
export class ReconciliationCountsContract {
  @Count({ about: 'Payments.', example: 1_200 })
  payments: number;

  @Count({ about: 'Entries of status histories.', example: 4_500 })
  statusEntries: number;

  @Count({ about: 'Events.', example: 2_300 })
  events: number;

  @Count({ about: 'Rate locks.', example: 1_400 })
  quotes: number;

  @Count({ about: 'Recorded transfers.', example: 1_150 })
  transfers: number;

  @Count({ about: 'Of these, those that were looked up on their chain.', example: 1_149 })
  transfersOnChain: number;

  @Count({ about: 'Deposit addresses.', example: 1_180 })
  depositAddresses: number;

  @Count({ about: 'Balances: each of one address and one asset.', example: 3_540 })
  balances: number;

  @Count({ about: 'Of these, those of addresses that have spent.', example: 310 })
  balancesSpent: number;
}

@Contract('ReconciliationDifference', 'A difference between the records and the chain.')
export class ReconciliationDifferenceContract {
  @Text({
    about: 'The kind of check that found it; docs/how-to/verify.md lists them.',
    example: 'balance',
  })
  check: string;

  @Text({ nullable: true, about: 'Its chain.' })
  chain: string | null;

  @Text({ nullable: true, about: 'Its payment.' })
  paymentId: string | null;

  @Text({ about: 'The subject, within the payment or the chain.', example: 'USDC' })
  subject: string;

  @Text({ about: 'What follows from the chain or from the recorded facts.', example: '1.500000 USDC' })
  expected: string;

  @Text({ about: 'What the records say.', example: '0.000000 USDC' })
  found: string;
}

@Contract('UnattributedDeposit', 'Funds in an asset that the payment was never quoted in.')
export class UnattributedDepositContract {
  @Text({
    about: 'The payment that the deposit address belongs to.',
    example: '0190f3c2-6d1e-7b3a-9c4f-2f1e6a7b8c9d',
  })
  paymentId: string;

  @Text({ about: 'The chain.', example: 'ethereum' })
  chain: string;

  @Text({ about: 'The deposit address.', example: '0x52908400098527886E0F7030069857D2E4169EE7' })
  address: string;

  @Text({ about: 'The transaction.', example: EXAMPLE_HASH })
  txHash: string;

  @Text({ about: 'The place in it.', example: 'log:3' })
  ordinal: string;

  @Text({
    about: '`native`, or the token contract.',
    example: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  })
  asset: string;

  @Text({ about: 'The currency.', example: 'USDC' })
  currencyCode: string;

  @Choice(TRANSFER_STATES, { about: 'Whether it has enough confirmations.', example: 'confirmed' })
  state: string;

  @Nested(() => AmountContract, {
    example: {
      ...EXAMPLE_USDC_100,
      value: 1.5,
      amount: 1_500_000,
      formatted: '1.500000 USDC',
      atomic: '1500000',
    },
  })
  amount: AmountContract;
}

/** The report of GET /api/admin/reconciliation and of `verify --json` (specification/operations.md#reconciliation). */
@Contract('Reconciliation', 'The comparison of the records with the chains.')
export class ReconciliationContract {
  @Flag({ about: 'Everything was compared, and nothing differs.', example: true })
  consistent: boolean;

  @Flag({ about: 'Everything was compared.', example: true })
  complete: boolean;

  @Instant({ about: 'When it began.' })
  startedAt: string;

  @Instant({ about: 'When it ended.', example: '2026-01-15T10:00:04Z' })
  finishedAt: string;

  @Instant({
    nullable: true,
    about:
      'Only payments that were created, could be paid or changed since then were compared, and those that differed before. Null: all.',
    example: null,
  })
  since: string | null;

  @Instant({
    nullable: true,
    about: 'When the interrupted run began that this one continues. Null: it continues none.',
    example: null,
  })
  resumedAt: string | null;

  @Instant({ nullable: true, about: 'When the last run over all payments began that reached the end.' })
  fullAt: string | null;

  @NestedList(() => ReconciledChainContract, { about: 'How far each chain was compared.' })
  chains: ReconciledChainContract[];

  @Nested(() => ReconciliationCountsContract)
  checked: ReconciliationCountsContract;

  @Count({ about: 'All differences.', example: 0 })
  differenceCount: number;

  @NestedList(() => ReconciliationDifferenceContract, { about: 'The first of them.', example: [] })
  differences: ReconciliationDifferenceContract[];

  @Count({ about: 'All unattributed deposits.', example: 1 })
  unattributedCount: number;

  @NestedList(() => UnattributedDepositContract, { about: 'The first of them.' })
  unattributed: UnattributedDepositContract[];

  @TextList({ about: 'Why something was left out.' })
  notChecked: string[];
}

/** GET and POST /api/admin/reconciliation/schedule (specification/operations.md#reconciliation). */
@Contract('ReconciliationSchedule', 'The comparison that the gateway makes by itself.')
export class ReconciliationScheduleContract {
  @Count({ about: 'Seconds from the beginning of a run to the next one; 0: never.', example: 86_400 })
  intervalSeconds: number;

  @Instant({
    nullable: true,
    about: 'When the run in progress began. Null: none is in progress.',
    example: null,
  })
  startedAt: string | null;

  @Count({ about: 'Payments that the run in progress has compared.', example: 0 })
  compared: number;

  @Flag({
    about: 'The next run compares all payments, from the first one, because an operator asked for it.',
  })
  fullRequested: boolean;

  @Instant({ nullable: true, about: 'All payments as they were then have been compared. Null: never.' })
  comparedAt: string | null;

  @Instant({ nullable: true, about: 'When the last run over all payments began that reached the end.' })
  fullAt: string | null;

  @Instant({ nullable: true, about: 'When the last run ended, by whomever it was made.' })
  finishedAt: string | null;

  @Count({ nullable: true, about: 'Differences that it found.', example: 0 })
  differenceCount: number | null;

  @Count({ nullable: true, about: 'What it could not compare.', example: 0 })
  notCheckedCount: number | null;
}
