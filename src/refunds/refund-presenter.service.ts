import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Chain, ChainAsset } from '../chains/chain.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { tokenOf } from '../chains/contract-address.pure.js';
import { paymentUri } from '../chains/payment-uri.pure.js';
import { toIsoSeconds, toIsoSecondsOrNull } from '../platform/kernel/clock.pure.js';
import { CONFIG, type Config } from '../config.js';
import type { AmountContract } from '../money/amount.contract.js';
import { presentAmount } from '../money/present-amount.js';
import { getCurrency } from '../money/currencies.js';
import { claimKeyOf, claimUrl } from './claim-url.pure.js';
import { readPayoutAddress } from './payout-address.pure.js';
import type { PayoutPlan } from './payout-planner.service.js';
import type { ReturnableFundsContract } from './refund-request.contract.js';
import type { RequestSubject } from './refund-requests.pure.js';
import type { RefundBlockchainContract, RefundContract, RefundRateContract } from './refund.contract.js';
import type { Refund } from './refund.pure.js';

/** Converts refunds into their response (specification/refunds.md#routes), which is also part of `payment.refund`. */
@Injectable()
export class RefundPresenter {
  private readonly claimKey: KeyObject;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly chains: ChainsService,
  ) {
    const [key] = config.checkoutSigningKeys;
    if (!key) throw new Error('no checkout signing key');
    this.claimKey = claimKeyOf(key);
  }

  /** For the merchant. */
  refund(refund: Refund): RefundContract {
    const chain = this.chains.find(refund.chain);
    const asset = chain?.assets.find((one) => one.asset === refund.asset) ?? null;
    return {
      id: refund.id,
      paymentId: refund.paymentId,
      reference: refund.reference,
      paymentApplicationId: refund.applicationId,
      type: refund.type,
      status: refund.status,
      transferId: refund.transferId,
      amount: this.amount(refund),
      payoutAmount: this.payoutAmount(refund),
      rate: rateOf(refund),
      blockchain: refund.chain,
      token: chain && asset && tokenOf(chain.family, asset),
      address: refund.address,
      addressSetBy: refund.addressSetBy,
      memo: null,
      claimUrl: this.claimUrl(refund),
      // For the merchant's wallet, while the refund has to be sent.
      paymentUri: chain && asset && uriFor(chain, asset, refund),
      txHash: refund.txHash,
      explorerUrl: this.explorerUrl(refund),
      confirmations: { seen: refund.confirmations, required: refund.confirmationsRequired },
      reason: refund.reason,
      note: refund.note,
      createdBy: refund.requestedBy === null ? 'customer' : 'merchant',
      requestedBy: refund.requestedBy ?? 'customer',
      createdAt: toIsoSeconds(refund.createdAt),
      completedAt: toIsoSecondsOrNull(refund.completedAt),
      expiresAt: toIsoSeconds(refund.expiresAt),
      failureReason: refund.failureReason,
    };
  }

  /** Funds that the customer can ask back. */
  returnable({ type, transferId }: RequestSubject, plan: PayoutPlan): ReturnableFundsContract {
    const { chain, asset, payoutAmount } = plan;
    const currency = { ...getCurrency(asset.currencyCode), decimals: asset.decimals };
    return {
      type,
      transferId,
      payoutAmount: presentAmount(payoutAmount, currency),
      blockchain: this.blockchain(chain.slug),
      status: null,
      claimUrl: null,
    };
  }

  /** Funds that are given back; the link is the customer's only if the customer asked for them. */
  requested({ type, transferId }: RequestSubject, refund: Refund): ReturnableFundsContract {
    return {
      type,
      transferId,
      payoutAmount: this.payoutAmount(refund),
      blockchain: this.blockchain(refund.chain),
      status: refund.status,
      claimUrl: refund.requestedBy === null ? this.claimUrl(refund) : null,
    };
  }

  /** A chain that is no longer configured has only its slug. */
  blockchain(slug: string): RefundBlockchainContract {
    const chain = this.chains.find(slug);
    return { slug, name: chain?.name ?? slug, testnet: chain?.testnet ?? false };
  }

  claimUrl(refund: Pick<Refund, 'id' | 'expiresAt'>): string {
    return claimUrl(this.config.baseUrl, this.claimKey, refund.id, expiresUnix(refund));
  }

  amount({ amount, currencyCode }: Refund): AmountContract {
    return presentAmount(amount, getCurrency(currencyCode));
  }

  /** In the coin, with the decimals of its network. */
  payoutAmount({ payoutAmount, payoutCurrencyCode, payoutDecimals }: Refund): AmountContract {
    return presentAmount(payoutAmount, { ...getCurrency(payoutCurrencyCode), decimals: payoutDecimals });
  }

  explorerUrl({ chain, txHash }: Refund): string | null {
    const template = this.chains.find(chain)?.explorerTxUrl ?? null;
    return txHash === null ? null : (template?.replace('{txHash}', txHash) ?? null);
  }
}

export function expiresUnix({ expiresAt }: Pick<Refund, 'expiresAt'>): number {
  return Math.floor(expiresAt.getTime() / 1000);
}

function rateOf({ rate, rateLockedAt, payoutCurrencyCode, currencyCode }: Refund): RefundRateContract | null {
  if (rate === null || rateLockedAt === null) return null;
  return { base: payoutCurrencyCode, quote: currencyCode, value: rate, lockedAt: toIsoSeconds(rateLockedAt) };
}

function uriFor(chain: Chain, asset: ChainAsset, { status, address, payoutAmount }: Refund): string | null {
  const isToBeSent = status === 'AWAITING_PAYMENT' || status === 'FAILED';
  if (!isToBeSent || address === null || payoutAmount <= 0n) return null;
  // An address that somebody wrote into the database must not make the whole list unreadable.
  const read = readPayoutAddress(chain, address);
  return 'problem' in read ? null : paymentUri({ chain, asset, address, amount: payoutAmount });
}
