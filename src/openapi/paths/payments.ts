import { PAYMENT_STATUSES } from '../../payments/payment-status.pure.js';
import type { Parameter, Paths } from '../openapi-types.js';
import { data, operation, page, PAGE, parameter } from '../operation.js';
import { EXAMPLE_APPLICATION_ID, EXAMPLE_PAYMENT_ID } from '../parameters.js';
import { ref, type Schema } from '../../platform/contract/json-schema.js';
import { EXAMPLE_APPLICATION } from '../schemas/applications.js';
import { EXAMPLE_INSTRUCTIONS } from '../schemas/checkout.js';
import {
  EXAMPLE_CHECKOUT_URL,
  EXAMPLE_LIST_ITEM,
  EXAMPLE_OPEN_PAYMENT,
  EXAMPLE_PAYMENT,
  EXAMPLE_TRANSFER_ID,
} from '../schemas/payments.js';

const tag = 'Payments';
const ID = parameter('PaymentId');

function filter(name: string, description: string, schema: Schema, more: Partial<Parameter> = {}): Parameter {
  return { name, in: 'query', description, schema, ...more };
}

export const paymentPaths: Paths = {
  '/api/payment/checkout': {
    post: operation({
      id: 'createCheckout',
      tag,
      summary: 'Create a payment',
      description:
        'Answers a signed link to the hosted checkout page. Client tokens create payments of their own application ' +
        'only. A payment that could never be paid is refused with `no_payment_method`: without a wallet for any network ' +
        'that it may be paid on, or with nothing of the whitelist enabled on this gateway.',
      access: 'payments.create',
      isIdempotent: true,
      body: {
        schema: ref('CreateCheckout'),
        example: {
          amount: 10000,
          currencyCode: 'USD',
          reference: 'ORDER-123',
          referenceLabel: 'Order #123',
          clientId: EXAMPLE_APPLICATION.clientId,
          redirectUrl: 'https://mystore.example/thanks',
        },
      },
      answers: {
        201: data('The new payment.', ref('Checkout'), {
          id: EXAMPLE_PAYMENT_ID,
          checkoutUrl: EXAMPLE_CHECKOUT_URL,
        }),
      },
      errors: ['no_payment_method'],
    }),
  },
  '/api/payment': {
    get: operation({
      id: 'listPayments',
      tag,
      summary: 'List payments',
      description: 'All of your applications, deleted ones included; newest first, unless sorted otherwise.',
      access: 'oauth',
      parameters: [
        filter(
          'paymentApplicationId',
          'Of this application only; an unknown one has none.',
          { type: 'string', format: 'uuid' },
          { example: EXAMPLE_APPLICATION_ID },
        ),
        filter(
          'status',
          'With one of these statuses, separated by commas.',
          { type: 'array', items: { type: 'string', enum: PAYMENT_STATUSES }, minItems: 1 },
          { style: 'form', explode: false, example: ['RECEIVED', 'CONFIRMED'] },
        ),
        filter('reference', 'With exactly this reference.', { type: 'string', minLength: 1, maxLength: 255 }),
        filter(
          'currencyCode',
          'In this currency.',
          { type: 'string', minLength: 1, maxLength: 32 },
          { example: 'USD' },
        ),
        filter('dateFrom', 'Created at this time or later; with a time zone.', {
          type: 'string',
          format: 'date-time',
        }),
        filter('dateTo', 'Created at this time or earlier; with a time zone.', {
          type: 'string',
          format: 'date-time',
        }),
        filter('search', 'Part of reference or label, or a whole payment id, transaction hash or address.', {
          type: 'string',
          minLength: 1,
          maxLength: 255,
        }),
        filter(
          'unmatchedFunds',
          'Only those with (`true`) or without (`false`) funds that came on another network or in another coin than ' +
            'was asked for, and which you have not accepted.',
          { type: 'boolean' },
        ),
        filter('sort', 'A leading minus is descending.', {
          type: 'string',
          enum: ['date', '-date', 'amount', '-amount', 'status', '-status'],
          default: '-date',
        }),
        ...PAGE,
      ],
      answers: { 200: page('One page of payments.', 'PaymentListItem', EXAMPLE_LIST_ITEM) },
    }),
  },
  '/api/payment/by-reference': {
    get: operation({
      id: 'listPaymentsByReference',
      tag,
      summary: 'Find payments by your reference',
      description:
        'Newest first; a reference need not be unique. A client token finds those of its own application, an OAuth2 ' +
        'token those of all applications of its user. Nothing found is an empty page.',
      access: 'payments.get',
      parameters: [
        filter(
          'reference',
          'Exactly as it was given, percent-encoded.',
          { type: 'string', minLength: 1, maxLength: 255 },
          { required: true, example: 'ORDER-123' },
        ),
        ...PAGE,
      ],
      answers: { 200: page('One page of payments.', 'PaymentListItem', EXAMPLE_LIST_ITEM) },
    }),
  },
  '/api/payment/{paymentId}': {
    get: operation({
      id: 'getPayment',
      tag,
      summary: 'Get a payment',
      description: 'Poll no more often than every 5 seconds, until CONFIRMED, CANCELLED, ERROR or REFUND.',
      access: 'payments.get',
      parameters: [ID],
      answers: { 200: data('The payment.', ref('Payment'), EXAMPLE_PAYMENT) },
      errors: ['payment_not_found'],
    }),
  },
  '/api/payment/{paymentId}/cancel': {
    post: operation({
      id: 'cancelPayment',
      tag,
      summary: 'Cancel a payment',
      description:
        'While it is OPEN and nothing was seen, on any network and in any coin. Cancelling again answers the same. No ' +
        'webhook is sent.',
      access: '*',
      parameters: [ID],
      body: {
        schema: ref('CancelPayment'),
        required: false,
        example: { reason: 'The customer changed her mind' },
      },
      answers: {
        200: data('The payment, cancelled.', ref('Payment'), {
          ...EXAMPLE_OPEN_PAYMENT,
          status: 'CANCELLED',
          cancelledAt: '2026-01-15T10:12:00Z',
          cancelReason: 'The customer changed her mind',
        }),
      },
      errors: ['payment_not_found', 'invalid_state_transition'],
    }),
  },
  '/api/payment/{paymentId}/accept': {
    post: operation({
      id: 'acceptPayment',
      tag,
      summary: 'Accept a payment as it is',
      description:
        'One that is UNDERPAID, one that waits because more came than was asked, or one that is RECEIVED and whose ' +
        'webhook could not be delivered.\n\nWith `transferId`: a transfer that came on another network or in another coin than ' +
        'was asked for, and which you take all the same. It counts from now on, at the rate of now, and the payment ' +
        'moves as after any other transfer; one that is not confirmed yet counts once it is. Accepting it again ' +
        'answers the same. To a CONFIRMED payment it is an overpayment, which you can refund; one that is CANCELLED, ' +
        'ERROR or REFUND stays so, and you can refund what came. 409 when the network took the transfer back; 503 ' +
        'while no rate is known.',
      access: '*',
      isIdempotent: true,
      parameters: [ID],
      body: {
        schema: ref('AcceptPayment'),
        required: false,
        example: { transferId: EXAMPLE_TRANSFER_ID },
      },
      answers: { 200: data('The payment, accepted.', ref('Payment'), EXAMPLE_PAYMENT) },
      errors: ['payment_not_found', 'invalid_state_transition'],
    }),
  },
  '/api/payment/{paymentId}/provider/{provider}/method/{method}': {
    get: operation({
      id: 'getPaymentInstructions',
      tag,
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
