import { header } from '../headers.js';
import type { OperationSpec } from '../operation.js';
import type { Paths } from '../openapi-types.js';
import { data, operation, parameter } from '../operation.js';
import { list, ref } from '../../platform/contract/json-schema.js';
import { EXAMPLE_INSTRUCTIONS, EXAMPLE_METHOD, EXAMPLE_STATUS } from '../schemas/checkout.js';

const tag = 'Public checkout';
const ID = parameter('PaymentId');
const INSTRUCTIONS = '/api/checkout/payment/{paymentId}/provider';

function instructions(
  id: string,
  summary: string,
  description: string,
  parameters: readonly string[],
  alsoServedAt: readonly string[] = [],
) {
  const spec: OperationSpec = {
    id,
    tag,
    summary,
    description,
    access: 'signed-link',
    parameters: [ID, ...parameters.map(parameter)],
    answers: { 200: data('The instructions.', ref('PaymentInstructions'), EXAMPLE_INSTRUCTIONS) },
    errors: [
      'payment_method_not_found',
      'payment_not_payable',
      ...(parameters.length < 2 ? (['method_selection_required'] as const) : []),
    ],
  };
  return { get: operation(alsoServedAt.length > 0 ? { ...spec, alsoServedAt } : spec) };
}

export const checkoutPaths: Paths = {
  '/api/checkout/payment/{paymentId}': {
    get: operation({
      id: 'getCheckoutStatus',
      tag,
      summary: 'Get the status of a payment',
      description: 'Poll every 5 seconds with `If-None-Match`.',
      access: 'signed-link',
      parameters: [ID, parameter('IfNoneMatch')],
      answers: {
        200: {
          ...data('What a customer may know of the payment.', ref('CheckoutStatus'), EXAMPLE_STATUS),
          headers: { ETag: header('ETag') },
        },
        304: { description: 'Nothing has changed.', headers: { ETag: header('ETag') } },
      },
    }),
  },
  '/api/checkout/{paymentId}/payment-methods': {
    get: operation({
      id: 'listPaymentMethods',
      tag,
      summary: 'List the ways to pay',
      description: 'One entry for each cryptocurrency and blockchain. Estimates lock nothing.',
      access: 'signed-link',
      parameters: [ID],
      answers: {
        200: data('The ways to pay.', list('The ways to pay.', ref('PaymentMethod')), [EXAMPLE_METHOD]),
      },
    }),
  },
  [`${INSTRUCTIONS}/{provider}/method/{method}`]: instructions(
    'getCheckoutInstructions',
    'Get payment instructions',
    'The address, the exact amount and the locked rate for one way to pay.',
    ['Provider', 'Method'],
  ),
  [`${INSTRUCTIONS}/{provider}`]: instructions(
    'getCheckoutInstructionsOfProvider',
    'Get payment instructions of a blockchain',
    'Without a method: the one that was selected, or the only one there is.',
    ['Provider'],
    [`${INSTRUCTIONS}/{provider}/method`],
  ),
  [`${INSTRUCTIONS}/method/{method}`]: instructions(
    'getCheckoutInstructionsOfMethod',
    'Get payment instructions of a cryptocurrency',
    'Without a provider: the one that was selected, that of the payment, or the only one there is.',
    ['Method'],
    [`${INSTRUCTIONS}//method/{method}`],
  ),
  [INSTRUCTIONS]: instructions(
    'getSelectedCheckoutInstructions',
    'Get payment instructions as selected',
    'Without provider and method: what was selected, or the only way to pay.',
    [],
    [`${INSTRUCTIONS}/method`, `${INSTRUCTIONS}//method`],
  ),
  '/api/payment/{paymentId}/provider/{provider}/method/{method}': {
    get: operation({
      id: 'getPaymentInstructions',
      tag: 'Payments',
      summary: 'Get payment instructions',
      description:
        'The address, the exact amount and the locked rate for one way to pay. The first call derives the address and ' +
        'locks the rate; later ones answer the same until the lock ends, then a new rate at the same address.',
      access: 'payments.user-instructions.get',
      parameters: [ID, parameter('Provider'), parameter('Method')],
      answers: { 200: data('The instructions.', ref('PaymentInstructions'), EXAMPLE_INSTRUCTIONS) },
      errors: ['payment_not_found', 'payment_method_not_found', 'payment_not_payable'],
    }),
  },
};
