import type { CheckoutStatusContract } from '../../src/checkout/checkout.contract.js';
import type { RefundClaimContract } from '../../src/refunds/refund.contract.js';
import type { ReturnableFundsContract } from '../../src/refunds/refund-request.contract.js';
import { pageUrl } from './chromium.js';
import type { Answer, CreatedPayment, Shop } from './shop.js';

/** A customer with the link of a payment who asks for money back: by JSON, or by the form of the page. */
export class RefundRequestsApi {
  constructor(private readonly shop: Shop) {}

  async status(payment: CreatedPayment): Promise<CheckoutStatusContract> {
    return (await this.shop.checkout<CheckoutStatusContract>(payment, `payment/${payment.id}`)).body.data;
  }

  async returnable(payment: CreatedPayment): Promise<ReturnableFundsContract[]> {
    return (await this.status(payment)).returnable;
  }

  ask(
    payment: CreatedPayment,
    body: unknown = { type: 'OVERPAYMENT' },
    search = new URL(payment.checkoutUrl).search,
  ): Promise<Answer<ReturnableFundsContract>> {
    const path = `/api/checkout/payment/${payment.id}/refund-request${search}`;
    return this.shop.call<ReturnableFundsContract>('POST', path, null, body);
  }

  /** Sends the form. @param more parameters of the page's own address */
  submit(
    payment: CreatedPayment,
    form: Record<string, string>,
    more: Record<string, string> = {},
  ): Promise<Response> {
    const url = new URL(pageUrl(this.shop, payment, more));
    url.pathname += '/refund-request';
    return fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  }

  /** Enters the address at the link of a refund. */
  claim(claimUrl: string | null, address: string): Promise<Answer<RefundClaimContract>> {
    const { pathname, search } = new URL(claimUrl ?? '');
    const path = `/api/checkout${pathname}${search}`;
    return this.shop.call<RefundClaimContract>('POST', path, null, { address });
  }

  /** Asks, and enters the address. @returns the id of the refund */
  async askAndClaim(payment: CreatedPayment, body: unknown, address: string): Promise<string> {
    const { claimUrl } = (await this.ask(payment, body)).body.data;
    const claimed = await this.claim(claimUrl, address);
    if (claimed.status !== 200) throw new Error(`not claimed: ${JSON.stringify(claimed.body)}`);
    return claimed.body.data.id;
  }
}
