import type { Chain } from '../chains/chain.pure.js';
import { requiredConfirmations } from '../chains/required-confirmations.pure.js';
import type { PaymentAggregate, Quote, Transfer } from './payment.pure.js';
import { isLive } from './transfer-state.pure.js';

/** What of a payment decides how deep its transfers must lie. */
export interface ConfirmationPolicy {
  quotes: readonly Pick<Quote, 'chain' | 'asset' | 'assetAmount'>[];
  transfers: readonly Pick<Transfer, 'chain' | 'asset' | 'amount' | 'state' | 'confirmationsRequired'>[];
  site: Pick<PaymentAggregate['site'], 'confirmations'>;
}

/** Transfers of one asset demand one depth. */
export interface RequiredConfirmations {
  asset: string;
  confirmations: number;
}

/**
 * What a reorganisation could take from the merchant, in the asset's smallest unit: the dearest quote, which is always
 * for the whole payment, or all that came, whichever is more. Cutting a payment into pieces changes neither.
 */
export function amountAtRisk(
  { quotes, transfers }: Omit<ConfirmationPolicy, 'site'>,
  chain: string,
  asset: string,
): bigint {
  const isSame = (other: { chain: string; asset: string }) => other.chain === chain && other.asset === asset;
  const came = transfers
    .filter((transfer) => isSame(transfer) && isLive(transfer))
    .reduce((sum, { amount }) => sum + amount, 0n);
  return quotes
    .filter(isSame)
    .reduce((most, { assetAmount }) => (assetAmount > most ? assetAmount : most), came);
}

/**
 * How deep the payment's transfers in an asset must lie: what the policy says now, and no less than what those that
 * still wait were told. So it only rises while anything waits, in whatever order the money came.
 */
export function requiredConfirmationsOf(stakes: ConfirmationPolicy, chain: Chain, asset: string): number {
  const wanted = stakes.site.confirmations[chain.slug] ?? null;
  const told = stakes.transfers
    .filter((transfer) => transfer.chain === chain.slug && transfer.asset === asset)
    .filter(({ state }) => state === 'pending')
    .map(({ confirmationsRequired }) => confirmationsRequired);
  const amount = amountAtRisk(stakes, chain.slug, asset);
  return Math.max(requiredConfirmations(chain, asset, amount, wanted), ...told);
}

/** Demands on a chain that some waiting transfer was not told yet; what already counted stays as it is. */
export function underConfirmed(stakes: ConfirmationPolicy, chain: Chain): RequiredConfirmations[] {
  const waiting = stakes.transfers.filter((each) => each.chain === chain.slug && each.state === 'pending');
  return [...new Set(waiting.map(({ asset }) => asset))]
    .map((asset) => ({ asset, confirmations: requiredConfirmationsOf(stakes, chain, asset) }))
    .filter((demand) =>
      waiting.some(
        (each) => each.asset === demand.asset && each.confirmationsRequired < demand.confirmations,
      ),
    );
}
