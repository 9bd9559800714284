import type { AddressFamily } from './chain.pure.js';
import { familyOf } from './chain-families.pure.js';
import type { PaymentRequest } from './chain-family.pure.js';

/**
 * The link that opens a wallet with the exact amount (specification/checkout.md#payment-uri-and-qr-code): null where wallets of the
 * family agree on none. Wallets let people change what it says, and some ignore parts of it, so it proves nothing.
 */
export function paymentUri(request: PaymentRequest): string | null {
  if (request.amount <= 0n) throw new Error('a payment URI needs an amount above zero');
  return familyOf(request.chain.family).paymentUri(request);
}

/**
 * Text of the QR code of an instruction.
 * @param uri from {@link paymentUri}; null when no amount may be requested
 */
export function qrContent(
  { family }: { family: AddressFamily },
  address: string,
  uri: string | null,
): string {
  return familyOf(family).qrContent(address, uri);
}
