import type { Operations } from './api-types.js';
import type { CallOptions, Http } from './http.js';
import { segment } from './payments.js';

export type CheckoutStatus = Operations['getCheckoutStatus']['answer']['data'];

/** What the checkout page shows, by its signed link alone: no token, so also from a browser. */
export class Checkout {
  constructor(private readonly http: Http) {}

  /**
   * How the payment stands, as the customer may see it.
   * @param checkoutUrl of `payments.create`
   */
  async status(checkoutUrl: string | URL, { signal }: CallOptions = {}): Promise<CheckoutStatus> {
    const { paymentId, query } = readLink(checkoutUrl);
    const { data } = await this.http.call<Operations['getCheckoutStatus']['answer']>({
      method: 'GET',
      path: `/api/checkout/payment/${paymentId}`,
      query,
      isPublic: true,
      ...(signal && { signal }),
    });
    return data;
  }
}

/** The id and the signature in a link `…/checkout/<id>?expires=…&signature=…`. */
function readLink(link: string | URL): { paymentId: string; query: Record<string, string> } {
  const url = URL.canParse(String(link)) ? new URL(link) : null;
  const [, paymentId] = /\/checkout\/([^/]+)$/.exec(url?.pathname ?? '') ?? [];
  const expires = url?.searchParams.get('expires');
  const signature = url?.searchParams.get('signature');
  if (!paymentId || !expires || !signature)
    throw new TypeError('checkoutUrl: a link /checkout/<id>?expires=…&signature=…');
  return { paymentId: segment('checkoutUrl', paymentId), query: { expires, signature } };
}
