import type { Chain, Requirement } from '../chains/chain.pure.js';
import { isMet, requirementFor, strictest } from '../chains/required-confirmations.pure.js';
import type { PaymentAggregate, Quote, Transfer } from './payment.pure.js';
import { isLive } from './transfers/transfer-state.pure.js';

/** The parts of a payment that decide what its transfers wait for. */
export interface PolicyInput {
  quotes: readonly Pick<Quote, 'chain' | 'asset' | 'assetAmount'>[];
  transfers: readonly Pick<
    Transfer,
    'chain' | 'asset' | 'amount' | 'state' | 'confirmationsRequired' | 'finalityRequired' | 'isCoinbase'
  >[];
  site: Pick<PaymentAggregate['site'], 'confirmations'>;
}

/** All transfers of an asset wait for the same. */
export interface RequirementOfAsset extends Requirement {
  asset: string;
}

/**
 * What the merchant could lose to a reorg, in the asset's smallest unit: the highest quote, which is always for the
 * whole payment, or everything received, whichever is more. Splitting a payment changes neither.
 */
export function amountAtRisk(
  { quotes, transfers }: Omit<PolicyInput, 'site'>,
  chain: string,
  asset: string,
): bigint {
  const isSame = (other: { chain: string; asset: string }) => other.chain === chain && other.asset === asset;
  const received = transfers
    .filter((transfer) => isSame(transfer) && isLive(transfer))
    .reduce((sum, { amount }) => sum + amount, 0n);
  return quotes
    .filter(isSame)
    .reduce((most, { assetAmount }) => (assetAmount > most ? assetAmount : most), received);
}

/**
 * What the payment's transfers of an asset wait for: what the chain requires for the amount at risk, and no less than
 * pending transfers wait for already, so that it never falls while any is pending, in whatever order the funds arrived.
 * A coinbase waits alone: a miner's dust must not delay the customer's payment by a hundred blocks.
 */
export function requirementOf(input: PolicyInput, chain: Chain, asset: string): Requirement {
  const override = input.site.confirmations[chain.slug] ?? null;
  const recorded = input.transfers
    .filter((transfer) => transfer.chain === chain.slug && transfer.asset === asset)
    .filter(({ state, isCoinbase }) => state === 'pending' && !isCoinbase)
    .map(recordedRequirement);
  const amount = amountAtRisk(input, chain.slug, asset);
  return strictest([requirementFor(chain, asset, amount, override), ...recorded]);
}

/**
 * What a new transfer waits for.
 * @param isCoinbase then also for the blocks after which it can be spent
 */
export function requirementOfNew(
  input: PolicyInput,
  chain: Chain,
  asset: string,
  isCoinbase: boolean,
): Requirement {
  const required = requirementOf(input, chain, asset);
  const { coinbaseConfirmations } = chain;
  if (!isCoinbase || coinbaseConfirmations === undefined) return required;
  return strictest([required, { confirmations: coinbaseConfirmations, finality: null }]);
}

/** Assets whose pending transfers on a chain must wait for more than is recorded; confirmed ones are left alone. */
export function underConfirmed(input: PolicyInput, chain: Chain): RequirementOfAsset[] {
  const waiting = input.transfers.filter((each) => each.chain === chain.slug && each.state === 'pending');
  return [...new Set(waiting.map(({ asset }) => asset))]
    .map((asset) => ({ asset, ...requirementOf(input, chain, asset) }))
    .filter((required) =>
      waiting.some((each) => each.asset === required.asset && !isMet(required, recordedRequirement(each))),
    );
}

/** What was recorded with a transfer. */
export function recordedRequirement({
  confirmationsRequired,
  finalityRequired,
}: Pick<Transfer, 'confirmationsRequired' | 'finalityRequired'>): Requirement {
  return { confirmations: confirmationsRequired, finality: finalityRequired };
}
