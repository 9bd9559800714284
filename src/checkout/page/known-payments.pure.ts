import type { ApplicationView } from '../../applications/application-view.pure.js';
import type { Payment } from '../../payments/payment.pure.js';
import { type ShopLink, shopLink } from './shop-link.js';

/** What an error page may tell of a payment to who has its link. */
export interface KnownPayment {
  id: string;
  status: {
    reference: string;
    referenceLabel: string;
    merchantSettings: { title: string; url: string | null };
  };
  shop: ShopLink | null;
}

export function knownPayment(
  payment: Pick<Payment, 'id' | 'reference' | 'referenceLabel' | 'redirectUrl'>,
  { site, isSiteAuthentic }: Pick<ApplicationView, 'site' | 'isSiteAuthentic'>,
): KnownPayment {
  const { id, reference, referenceLabel, redirectUrl } = payment;
  const url = isSiteAuthentic ? site.url : null;
  return {
    id,
    status: { reference, referenceLabel, merchantSettings: { title: site.title, url } },
    shop: shopLink({ redirectUrl, siteUrl: url }, payment),
  };
}

/**
 * The payments whose pages were shown last, so that an error page can name shop and reference without the database,
 * which may be what has failed.
 */
export class KnownPayments {
  private readonly payments = new Map<string, KnownPayment>();

  constructor(private readonly capacity: number) {}

  remember(payment: KnownPayment): void {
    this.payments.delete(payment.id);
    this.payments.set(payment.id, payment);
    const [oldest] = this.payments.keys();
    if (this.payments.size > this.capacity && oldest !== undefined) this.payments.delete(oldest);
  }

  find(id: string): KnownPayment | null {
    return this.payments.get(id) ?? null;
  }
}
