import { Injectable } from '@nestjs/common';
import { ChainsService } from '../chains/chains.service.js';
import type { PaymentAggregate } from '../payments/payment.pure.js';
import { MAX_REPORTED } from '../payments/transfers/reported-transaction.pure.js';
import {
  type ReportedTransaction,
  ReportedTransactions,
} from '../payments/transfers/reported-transactions.service.js';
import { type FieldErrors, ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { toIsoSeconds } from '../platform/kernel/clock.pure.js';
import type { ReportedTransactionContract } from './checkout.contract.js';
import {
  networksOf,
  readReport,
  type ReportNetwork,
  type ReportProblem,
  type WantedReport,
} from './transaction-report.pure.js';

/** 422; never repeats the entered text, which may be a secret. */
export class ReportError extends ValidationError {
  constructor(
    readonly problem: ReportProblem,
    errors: FieldErrors,
  ) {
    super(errors);
  }
}

/** Takes transactions that customers name because the page does not show their payment (specification/checkout.md#already-paid). */
@Injectable()
export class TransactionReports {
  constructor(
    private readonly chains: ChainsService,
    private readonly reported: ReportedTransactions,
  ) {}

  /** On which the payment can have been paid, the likeliest first; none before it has an address. */
  networks({ payment, quotes }: PaymentAggregate): ReportNetwork[] {
    return networksOf(this.chains.list(), quotes, payment.selectedProvider);
  }

  /** @throws ReportError */
  async report(state: PaymentAggregate, wanted: WantedReport): Promise<ReportedTransactionContract> {
    const networks = this.networks(state);
    const read = readReport(wanted, networks, state.transfers);
    if (typeof read === 'string') throw new ReportError(read, describe(read, networks));
    const { network, txHash } = read;
    const reported = await this.reported.report(state.payment, { chain: network.slug, txHash });
    if (!reported) throw new ReportError('too_many', describe('too_many', networks));
    return toContract(reported);
  }

  /** Oldest first. */
  async list(paymentId: string): Promise<ReportedTransactionContract[]> {
    return (await this.reported.listOfPayment(paymentId)).map(toContract);
  }
}

function toContract({ chain, txHash, state, reportedAt }: ReportedTransaction): ReportedTransactionContract {
  return { provider: chain, txHash, state, reportedAt: toIsoSeconds(reportedAt) };
}

function describe(problem: ReportProblem, networks: readonly ReportNetwork[]): FieldErrors {
  switch (problem) {
    case 'malformed':
      return {
        txHash: [
          'The txHash field must be the id of a transaction, 64 hexadecimal digits, or a link with one in it.',
        ],
      };
    case 'unknown_network': {
      const slugs = networks.map(({ slug }) => slug).join(', ');
      return {
        provider: [`The provider field must be a blockchain on which this payment has an address: ${slugs}.`],
      };
    }
    case 'no_address':
      return {
        txHash: [
          'The txHash field cannot be looked for: this payment has no address yet, so nothing can have paid it.',
        ],
      };
    case 'too_many':
      return {
        txHash: [`The txHash field is one too many: this payment has ${MAX_REPORTED} reported transactions.`],
      };
  }
}
