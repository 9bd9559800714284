import { Injectable } from '@nestjs/common';
import { ChainsService } from '../../chains/chains.service.js';
import { ConflictError, ValidationError } from '../../platform/kernel/errors/errors.pure.js';
import {
  languageLinkOf,
  type PageRequest,
  textsOfRequest,
} from '../../platform/kernel/i18n/request-texts.js';
import type { RenderedPage } from '../../platform/web/html/page-document.js';
import { secretProblem } from '../../wallets/pasted-secret.pure.js';
import { PayoutAddressError } from '../payout-address.pure.js';
import { RefundClaims } from '../refund-claims.service.js';
import { claimPage } from './claim-document.js';
import { paymentLink } from './payment-link.pure.js';
import { addressScreen, type ClaimPageView, confirmScreen, stateScreen } from './claim-screens.js';

/** The submitted form; anything but single strings counts as empty. */
export interface ClaimForm {
  address: string;
  isConfirmed: boolean;
}

/** The hosted page of a refund: its state, and the form for the payout address, in two steps. */
@Injectable()
export class ClaimPageService {
  constructor(
    private readonly claims: RefundClaims,
    private readonly chains: ChainsService,
  ) {}

  /** @param request whose URL has a verified signature */
  async show(refundId: string, request: PageRequest): Promise<RenderedPage> {
    const view = await this.viewOf(refundId, request);
    return claimPage(view, stateScreen(view));
  }

  /**
   * Without confirmation, returns the page that asks for it; with confirmation, stores the address.
   * @returns null when no address is needed any more: the page must be reloaded
   */
  async submit(
    refundId: string,
    request: PageRequest,
    { address, isConfirmed }: ClaimForm,
  ): Promise<RenderedPage | null> {
    const view = await this.viewOf(refundId, request);
    if (view.refund.status !== 'AWAITING_ADDRESS') return null;
    try {
      if (!isConfirmed) {
        const read = await this.claims.readAddress(refundId, address);
        return claimPage(view, confirmScreen(view, read.address));
      }
      await this.claims.claim(refundId, address);
      return null;
    } catch (error) {
      // Another claim, or the merchant, was faster: the page shows the current state.
      if (error instanceof ConflictError) return null;
      if (!(error instanceof ValidationError)) throw error;
      return claimPage(view, this.refusal(view, address, error), error.status);
    }
  }

  /** A pasted private key or recovery phrase is not shown again. */
  private refusal(view: ClaimPageView, entered: string, error: ValidationError) {
    const problem = error instanceof PayoutAddressError ? error.problem : 'malformed';
    return addressScreen(view, secretProblem(entered) === null ? entered.slice(0, 255) : '', problem);
  }

  private async viewOf(refundId: string, request: PageRequest): Promise<ClaimPageView> {
    const refund = await this.claims.describe(refundId);
    const { expires, signature, lang, payment } = request.query;
    const self = new URLSearchParams({
      expires: String(expires),
      signature: String(signature),
      ...(typeof lang === 'string' && { lang }),
      ...(typeof payment === 'string' && { payment }),
    });
    return {
      refund,
      self: `?${self.toString()}`,
      paymentUrl: paymentLink(payment, typeof lang === 'string' ? lang : null),
      hasBrowserWallets: (this.chains.find(refund.blockchain.slug)?.chainId ?? null) !== null,
      texts: textsOfRequest(request),
      languageLink: languageLinkOf(request),
    };
  }
}
