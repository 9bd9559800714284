import { Injectable } from '@nestjs/common';
import { groupedBy } from '../chains/chain-auditor.pure.js';
import { familyOf } from '../chains/chain-families.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import type { OutputReader } from '../chains/output-reader.pure.js';
import { type PaidOutput, toPsbt } from '../collections/psbt.pure.js';
import {
  estimatedFeeRate,
  type SpendableInput,
  SpendableOutputs,
} from '../collections/spendable-outputs.service.js';
import { getCurrency } from '../money/currencies.js';
import { presentAmount } from '../money/present-amount.js';
import { ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { type PsbtPlan, type PsbtTerms, planPayout } from './payout-psbt.pure.js';
import type { PayoutContract, PreparePayoutContract } from './payout.contract.js';

/** What a PSBT was asked for with, and whom its outputs are read from. */
export interface PsbtRequest extends PsbtTerms {
  reader: OutputReader;
}

type Prepared = Pick<PayoutContract, 'psbt' | 'missing'>;
type Plan = PsbtPlan<SpendableInput>;

/**
 * Prepares one transaction that pays refunds from what the deposit addresses of the application have received, for the
 * wallet that has their key (docs/decisions/0909-pay-refunds-from-what-came-in.md).
 */
@Injectable()
export class PayoutPsbts {
  constructor(
    private readonly chains: ChainsService,
    private readonly spendable: SpendableOutputs,
  ) {}

  /** Null: none was asked for. @throws ValidationError */
  async readRequest(
    chain: Chain,
    { change, feeRate }: Pick<Partial<PreparePayoutContract>, 'change' | 'feeRate'>,
  ): Promise<PsbtRequest | null> {
    if (change === undefined && feeRate === undefined) return null;
    const reader = this.chains.findOutputs(chain.slug);
    if (!reader || familyOf(chain.family).gatheringProblem(chain) !== null) {
      const field = change === undefined ? 'feeRate' : 'change';
      throw ValidationError.of(
        field,
        `The ${field} field does not apply on ${chain.name}: it is for a PSBT, of which there is none there.`,
      );
    }
    if (change === undefined)
      throw ValidationError.of('change', 'The change field is required beside feeRate.');
    return {
      change: await this.spendable.readTarget(chain, change, 'change'),
      feeRate: feeRate ?? (await estimatedFeeRate(chain, reader)),
      dustLimit: chain.dustLimit ?? 0n,
      reader,
    };
  }

  /** @throws ValidationError where the change would go to a customer */
  async prepare(
    owner: { userId: string; applicationId: string },
    chain: Chain,
    { reader, ...terms }: PsbtRequest,
    payments: readonly PaidOutput[],
  ): Promise<Prepared> {
    // It would count for the refund, whose customer has no claim to it.
    if (payments.some(({ script }) => script.equals(terms.change)))
      throw ValidationError.of('change', 'The change field must not be the address of a refund.');
    if (payments.length === 0) return { psbt: null, missing: null };
    const inputs = await this.spendable.newestInputs(owner, chain, reader);
    // One signature of one wallet: outputs of two keys are in no transaction together.
    const groups = [...groupedBy(inputs, ({ found }) => found.place.walletId).values()];
    const plans = (groups.length > 0 ? groups : [[]]).map((group): Plan =>
      planPayout(group, payments, terms),
    );
    const [best] = plans.toSorted(compare);
    if (!best) throw new Error('a payout has a plan');
    return present(chain, best, payments, terms);
  }
}

/** What pays before what lacks something; the merchant's own key before one of the operator; the lower fee. */
function compare(a: Plan, b: Plan): number {
  if (a.missing !== null || b.missing !== null) {
    if (a.missing === null || b.missing === null) return a.missing === null ? -1 : 1;
    return Number(a.missing > b.missing) - Number(a.missing < b.missing);
  }
  const ofOperator = (plan: typeof a) => Number(plan.inputs[0]?.found.place.keyOwner === 'operator');
  return ofOperator(a) - ofOperator(b) || Number(a.fee > b.fee) - Number(a.fee < b.fee);
}

function present(
  chain: Chain,
  plan: Plan,
  payments: readonly PaidOutput[],
  { change, feeRate }: PsbtTerms,
): Prepared {
  const [asset] = chain.assets;
  if (!asset) throw new Error(`${chain.slug} has no coin`);
  const currency = { ...getCurrency(asset.currencyCode), decimals: asset.decimals };
  const amount = (units: bigint) => presentAmount(units, currency);
  if (plan.missing !== null) return { psbt: null, missing: amount(plan.missing) };
  const [first] = plan.inputs;
  if (!first) throw new Error('a payout spends something');
  const { keyFingerprint, masterFingerprint, accountPath, keyOwner } = first.found.place;
  const outputs = plan.change > 0n ? [...payments, { script: change, amount: plan.change }] : payments;
  return {
    psbt: {
      psbt: toPsbt(plan.inputs, outputs),
      keyFingerprint,
      masterFingerprint,
      accountPath,
      keyOwner,
      inputs: plan.inputs.length,
      amount: amount(plan.paid),
      change: plan.change > 0n ? amount(plan.change) : null,
      fee: amount(plan.fee),
      feeRate: Number(feeRate),
      weight: plan.weight,
    },
    missing: null,
  };
}
