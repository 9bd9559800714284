import type { AddressFamily } from '../chains/chain.pure.js';
import { ValidationError } from '../platform/kernel/errors/errors.pure.js';

/** The application of the refused payment, and the field of the body that names it. */
interface RequestedBy {
  applicationId: string;
  currencyWhitelist: readonly string[];
  field: 'clientId' | 'siteId';
}

const NEVER = 'This payment could never be paid';

/** No currency that the application accepts is enabled. @param enabled codes of the currencies that are */
export function nothingEnabled(requestedBy: RequestedBy, enabled: readonly string[]): ValidationError {
  const { applicationId, currencyWhitelist, field } = requestedBy;
  if (enabled.length === 0)
    return noPaymentMethod(
      field,
      `${NEVER}: this gateway watches no network.`,
      'The operator of the gateway enables a network with CHAIN_<SLUG>_RPC_URL.',
    );
  return noPaymentMethod(
    field,
    `${NEVER}: the application accepts only ${currencyWhitelist.join(', ')}, which is not enabled on this gateway.`,
    `Set a currencyWhitelist with at least one of ${enabled.join(', ')} by PUT /api/payment-applications/${applicationId}.`,
  );
}

/** Neither the application nor its account has a wallet of these families, and no key of the operator serves it. */
export function noWallet(
  { applicationId, field }: RequestedBy,
  families: readonly AddressFamily[],
): ValidationError {
  const [first = '', ...others] = families;
  const one = others.length === 0;
  const wallets = `/api/payment-applications/${applicationId}/wallets`;
  return noPaymentMethod(
    field,
    `${NEVER}: no wallet is configured for ${one ? 'the network' : 'any of the networks'} that it may be paid on.`,
    one
      ? `Add a wallet of the family ${first} by PUT ${wallets}/${first}.`
      : `Add a wallet by PUT ${wallets}/{family}, where {family} is one of ${families.join(', ')}.`,
  );
}

function noPaymentMethod(field: RequestedBy['field'], message: string, hint: string): ValidationError {
  return new ValidationError({ [field]: [message] }, 'no_payment_method', hint);
}
