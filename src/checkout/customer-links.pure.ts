import { checkoutKeyOf, verifyCheckout } from '../payments/checkout-url.pure.js';
import { receiptKeyOf, verifyReceipt } from '../payments/receipt-url.pure.js';
import { claimKeyOf, verifyClaim } from '../refunds/claim-url.pure.js';

/**
 * Whether a link is one that the gateway made for a customer: of a checkout, a receipt or a refund, ended or not. It says
 * who shares with whom, and lets nobody in.
 */
export function customerLinks(
  signingKeys: readonly string[],
): (id: string, query: Readonly<Record<string, unknown>>) => boolean {
  const [checkout, receipt, claim] = [checkoutKeyOf, receiptKeyOf, claimKeyOf].map((of) =>
    signingKeys.map(of),
  );
  return (id, query) =>
    [
      verifyCheckout(checkout ?? [], id, query['expires'], query['signature'], 0),
      verifyReceipt(receipt ?? [], id, query, 0),
      verifyClaim(claim ?? [], id, query, 0),
    ].includes('valid');
}
