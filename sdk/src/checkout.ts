import type {
  CheckoutStatus,
  Operations,
  PaymentInstructions,
  PaymentMethod,
  ReportedTransaction,
} from './api-types.js';
import { type CallOptions, type Http, parseUrl, segment } from './http.js';

/** What the checkout page shows, by its signed link alone: it needs no token, so it also works in a browser. */
export class Checkout {
  constructor(private readonly http: Http) {}

  /**
   * The status of the payment, as the customer may see it.
   * @param checkoutUrl of `payments.create`
   */
  async status(checkoutUrl: string | URL, options: CallOptions = {}): Promise<CheckoutStatus> {
    const link = readLink(checkoutUrl);
    const path = `/api/checkout/payment/${link.paymentId}`;
    return (await this.read<Operations['getCheckoutStatus']['response']>(link, path, options)).data;
  }

  /** The methods that the customer can pay with, with estimates that lock no rate. */
  async methods(checkoutUrl: string | URL, options: CallOptions = {}): Promise<PaymentMethod[]> {
    const link = readLink(checkoutUrl);
    const path = `/api/checkout/${link.paymentId}/payment-methods`;
    return (await this.read<Operations['listPaymentMethods']['response']>(link, path, options)).data;
  }

  /** Where to send how much. Locks a rate for 15 minutes. */
  async instructions(
    checkoutUrl: string | URL,
    { provider, method }: Pick<PaymentMethod, 'provider' | 'method'>,
    options: CallOptions = {},
  ): Promise<PaymentInstructions> {
    const link = readLink(checkoutUrl);
    const choice = `provider/${segment('provider', provider)}/method/${segment('method', method)}`;
    const path = `/api/checkout/payment/${link.paymentId}/${choice}`;
    return (await this.read<Operations['getCheckoutInstructions']['response']>(link, path, options)).data;
  }

  /**
   * Has the gateway look for a transaction that the customer has sent and the payment does not show. The result is in
   * `reportedTransactions` of {@link status}.
   * @param transaction its id, or a link to it; `provider` where the customer names the network
   */
  async reportTransaction(
    checkoutUrl: string | URL,
    transaction: Operations['reportTransaction']['body'],
    { signal }: CallOptions = {},
  ): Promise<ReportedTransaction> {
    const { paymentId, query } = readLink(checkoutUrl);
    const path = `/api/checkout/payment/${paymentId}/transaction`;
    const call = { method: 'POST', path, query, body: transaction, isPublic: true, signal } as const;
    return (await this.http.call<Operations['reportTransaction']['response']>(call)).data;
  }

  private read<T>({ query }: Link, path: string, { signal }: CallOptions): Promise<T> {
    return this.http.call<T>({ method: 'GET', path, query, isPublic: true, signal });
  }
}

interface Link {
  paymentId: string;
  query: { expires: string; signature: string };
}

/** The id and the signature in a link `…/checkout/<id>?expires=…&signature=…`. */
function readLink(link: string | URL): Link {
  const url = parseUrl(String(link));
  const [, paymentId] = /\/checkout\/([^/]+)$/.exec(url?.pathname ?? '') ?? [];
  const expires = url?.searchParams.get('expires');
  const signature = url?.searchParams.get('signature');
  if (!paymentId || !expires || !signature)
    throw new TypeError('checkoutUrl: a link /checkout/<id>?expires=…&signature=…');
  return { paymentId: segment('checkoutUrl', paymentId), query: { expires, signature } };
}
