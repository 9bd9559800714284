import { eitherOf } from '../platform/kernel/errors/similar-names.pure.js';
import {
  type GatewayError,
  NotFoundError,
  ServiceUnavailableError,
  ValidationError,
} from '../platform/kernel/errors/errors.pure.js';
import type { Payment } from '../payments/payment.pure.js';
import { listMethods, type MethodName, similarMethods } from './method-choice.pure.js';
import type { PaymentMethod } from './payment-method.pure.js';
import type { UnavailableReason } from './payment-methods.contract.js';

/** The reader of an error: customers do not see how the shop is configured. */
export type Reader = 'customer' | 'merchant';

const RETRY_SECONDS = 15;
const PATH_FORM =
  'The path names the provider (a blockchain) first, then the method (a currency): /provider/{provider}/method/{method}.';

export function unknownMethod(wanted: MethodName, allowed: readonly PaymentMethod[]): NotFoundError {
  const meant = similarMethods(wanted, allowed);
  const suggestion = eitherOf(meant.map((one) => listMethods([one])));
  return new NotFoundError(
    'payment_method_not_found',
    'Payment method not found',
    meant.length > 0 ? `Did you mean ${suggestion}? ${PATH_FORM}` : PATH_FORM,
    { method: [`This payment takes ${listMethods(allowed)}.`] },
  );
}

export function methodNotAllowed(allowed: readonly PaymentMethod[]): ValidationError {
  return ValidationError.of(
    'method',
    'The selected method is not available for this payment.',
    `This payment takes ${listMethods(allowed)}, as the whitelist of its application and its own blockchainSlug say.`,
  );
}

export function methodRequired(allowed: readonly PaymentMethod[]): ValidationError {
  return new ValidationError(
    {
      method: [`Select a payment method: name a provider and a method, one of ${listMethods(allowed)}.`],
    },
    'method_selection_required',
    'The path ends in /provider/{provider}/method/{method}.',
  );
}

/** The error of a method that cannot be used now (specification/checkout.md#instructions). */
export function methodUnavailable(
  reason: UnavailableReason,
  method: PaymentMethod,
  { applicationId }: Pick<Payment, 'applicationId'>,
  reader: Reader,
): GatewayError {
  const { chain, asset } = method;
  const { currencyCode } = asset;
  switch (reason) {
    case 'node_unavailable':
      return new ServiceUnavailableError(
        `The ${chain.name} network is not available at the moment`,
        RETRY_SECONDS,
      );
    case 'rate_unavailable':
      return new ServiceUnavailableError(
        'No exchange rate is available for this method at the moment',
        RETRY_SECONDS,
      );
    case 'below_minimum':
      return ValidationError.of(
        'method',
        `The amount is too small to be paid in ${currencyCode} on ${chain.name}.`,
      );
    case 'not_traceable':
      return ValidationError.of(
        'method',
        `${currencyCode} on ${chain.name} is not offered, because some payments in it would not be seen.`,
        'Choose a token of this network, or another network.',
      );
    case 'wallet_not_configured':
      return reader === 'merchant'
        ? walletMissing(applicationId, method)
        : ValidationError.of('method', `The merchant cannot receive ${currencyCode} at the moment.`);
  }
}

/** `wallet_not_configured` as the merchant sees it, with the remedy. */
function walletMissing(applicationId: string, { chain, asset }: PaymentMethod): ValidationError {
  const wallet = `/api/payment-applications/${applicationId}/wallets/${chain.family}`;
  return ValidationError.of(
    'method',
    `There is no ${chain.family} wallet, so ${asset.currencyCode} on ${chain.name} cannot be received.`,
    `Add the wallet by PUT ${wallet}, or for all applications of the account by PUT /api/account/wallets/${chain.family}.`,
  );
}
