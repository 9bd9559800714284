import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { familyOf } from '../../chains/chain-families.pure.js';
import { ChainsService } from '../../chains/chains.service.js';
import { PaymentPresenter, priced } from '../../payments/payment-presenter.service.js';
import { awaitsRate, isLive } from '../../payments/transfers/transfer-state.pure.js';
import type { Payment, PaymentAggregate, Transfer } from '../../payments/payment.pure.js';
import type { Texts } from '../../platform/kernel/i18n/texts.js';
import { DestinationsService } from '../../wallets/destinations.service.js';
import { CheckoutStatusService } from '../checkout-status.service.js';
import { followedAsset } from '../followed-asset.pure.js';
import type { PaymentMethod } from '../payment-method.pure.js';
import { TransactionReports } from '../transaction-reports.service.js';
import { isTerminal, versionOf } from '../payment-version.pure.js';
import { unmatchedFunds } from '../unmatched-funds.pure.js';
import type { GrantedAccess } from './page-access.service.js';
import { pageLink, type PageQuery } from './page-query.js';
import { isUnderWay } from './returnable-block.js';
import { type PaymentView, withoutDetails } from './screen.js';
import { shopLink } from './shop-link.js';

/** The query of the page's URL, and its language. */
export type LocalizedQuery = PageQuery & { texts: Texts };

/** Prepares a payment for the screens of the hosted page. */
@Injectable()
export class PaymentViews {
  private readonly walletNetworks: PaymentView['walletNetworks'];

  constructor(
    private readonly status: CheckoutStatusService,
    private readonly presenter: PaymentPresenter,
    private readonly chains: ChainsService,
    private readonly reports: TransactionReports,
    private readonly destinations: DestinationsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const urlsOf = (slug: string) => config.chains.find((entry) => entry.slug === slug)?.walletRpcUrls ?? [];
    this.walletNetworks = new Map(
      chains.list().flatMap((chain) => {
        const network = familyOf(chain.family).walletNetwork(chain, urlsOf(chain.slug));
        return network ? [[chain.slug, network] as const] : [];
      }),
    );
  }

  async viewOf(
    state: PaymentAggregate,
    page: LocalizedQuery,
    { access, mayFollow, proof }: GrantedAccess,
  ): Promise<PaymentView> {
    const { payment } = state;
    const status = await this.status.describe(state);
    const inPrice = (amount: bigint | null) => (amount === null ? null : priced(payment, amount));
    const shown = new Set(status.unmatchedTransactions.map(({ id }) => id));
    if (access !== 'state') for (const id of settledFunds(status.returnable)) shown.delete(id);
    const transfers = state.transfers.filter(({ id, sumOf }) => sumOf !== null || shown.has(id));
    const isPricing = state.transfers.some(awaitsRate);
    // Only where it is needed: an address is passed on more easily than a cookie.
    const linked = { ...page, seen: access === 'look' ? proof : null };
    const view: PaymentView = {
      texts: page.texts,
      status,
      access,
      isFollowed: mayFollow && !isTerminal(status),
      proof: isTerminal(status) ? null : proof,
      version: versionOf(status),
      shop: shopLink({ redirectUrl: status.redirectUrl, siteUrl: status.merchantSettings.url }, payment),
      ...this.presenter.transactions(state),
      unmatched: unmatchedFunds(
        { transfers, quotes: state.quotes },
        (slug) => this.chains.find(slug)?.name ?? slug,
      ),
      network: this.networkOf(state),
      isShort: status.remainingAmount.amount > 0n && !isPricing,
      isTakenBack: payment.status === 'OPEN' && state.transfers.some(isGone),
      isPricing,
      overpaid: inPrice(payment.overpaidAmount),
      underpaid: inPrice(payment.underpaidAmount),
      walletApps: this.config.walletApps,
      walletNetworks: this.walletNetworks,
      pageUrl: `${this.config.baseUrl}/checkout/${payment.id}`,
      report: { networks: this.reports.networks(state), paid: page.paid },
      link: (parameters) => pageLink(linked, parameters),
    };
    return access === 'state' ? withoutDetails(view) : view;
  }

  /**
   * Whether the customer pays the merchant's own wallets and never a key of the operator.
   * @param methods that can be chosen
   * @param wasShown an address of the operator; null: not known yet
   */
  async isStraight(
    payment: Payment,
    methods: readonly PaymentMethod[],
    wasShown: boolean | null,
  ): Promise<boolean> {
    const families = new Set(methods.map(({ chain }) => chain.family));
    return !(await this.destinations.mayPayOperator(payment, families, wasShown));
  }

  private networkOf(state: PaymentAggregate): string | null {
    const followed = followedAsset(state);
    return (followed && this.chains.find(followed.chain)?.name) ?? null;
  }
}

/** The transfers whose funds were sent back, or will be: the page tells of their refunds, and asks for nothing about them. */
function settledFunds(returnable: PaymentView['status']['returnable']): string[] {
  const settled = returnable.filter((funds) => funds.status === 'COMPLETED' || isUnderWay(funds));
  return settled.flatMap(({ transferId }) => transferId ?? []);
}

/** It counted, before the chain took it back. */
function isGone(transfer: Transfer): boolean {
  return transfer.isMatched && !transfer.isDust && !isLive(transfer);
}
