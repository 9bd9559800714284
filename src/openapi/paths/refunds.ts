import { header, LIMITED } from '../headers.js';
import type { Operation, Paths } from '../openapi-types.js';
import {
  data,
  htmlPage,
  operation,
  type OperationSpec,
  page,
  PAGE,
  pageErrors,
  parameter,
} from '../operation.js';
import { ref, text } from '../../platform/contract/json-schema.js';
import {
  EXAMPLE_ADDRESSED_REFUND,
  EXAMPLE_CLAIM,
  EXAMPLE_PAYOUT_ADDRESS,
  EXAMPLE_PROCESSING_REFUND,
  EXAMPLE_REFUND,
} from '../schemas/refunds.js';
import { EXAMPLE_TX_HASH } from '../schemas/payments.js';

const tag = 'Refunds';
const CUSTOMERS = 'Public checkout';
const TOO_MANY = htmlPage('Too many requests.');
const LATER = htmlPage('Try again later.');
const PAYMENT_ID = parameter('PaymentId');
const REFUND_ID = parameter('RefundId');
const REFUNDS = '/api/payment/{paymentId}/refunds';
const ADDRESS = { schema: ref('RefundAddress'), example: { address: EXAMPLE_PAYOUT_ADDRESS } };

/** A step of one refund. */
function step(spec: Pick<OperationSpec, 'id' | 'summary' | 'description' | 'body' | 'answers'>) {
  return {
    post: operation({
      ...spec,
      tag,
      access: '*',
      isIdempotent: true,
      parameters: [PAYMENT_ID, REFUND_ID],
      errors: ['payment_not_found', 'refund_not_found', 'invalid_state_transition'],
    }),
  };
}

/** The page at the claim link: for browsers, errors included. */
function claimPage(
  id: string,
  summary: string,
  description: string,
  responses: Operation['responses'],
): Operation {
  return {
    'x-internal': true,
    operationId: id,
    tags: [CUSTOMERS],
    summary,
    description,
    security: [],
    parameters: [REFUND_ID, parameter('Expires'), parameter('Signature')],
    responses: {
      ...pageErrors(),
      403: htmlPage('The link has ended, or its signature is wrong.'),
      429: { ...TOO_MANY, headers: { ...TOO_MANY.headers, 'Retry-After': header('RetryAfter') } },
      503: { ...LATER, headers: { ...LATER.headers, 'Retry-After': header('RetryAfterSometimes') } },
      ...responses,
    },
  };
}

export const refundPaths: Paths = {
  [REFUNDS]: {
    post: operation({
      id: 'createRefund',
      tag,
      summary: 'Promise a refund',
      description:
        'Of a payment that is UNDERPAID, RECEIVED or CONFIRMED, or of funds that came to a closed one. The refunds of a ' +
        'payment that are neither CANCELLED nor EXPIRED give back what was received and no more. You pay from your own ' +
        'wallet: the gateway holds no key. The payment becomes REFUND when completed refunds cover all that was received.',
      access: '*',
      isIdempotent: true,
      parameters: [PAYMENT_ID],
      body: {
        schema: ref('CreateRefund'),
        required: false,
        example: { amount: 10000, currencyCode: 'USD', reason: 'customer_request' },
      },
      answers: { 201: data('The new refund.', ref('Refund'), EXAMPLE_REFUND) },
      errors: ['payment_not_found', 'invalid_state_transition'],
    }),
    get: operation({
      id: 'listRefunds',
      tag,
      summary: 'List the refunds of a payment',
      description: 'Newest first.',
      access: '*',
      parameters: [PAYMENT_ID, ...PAGE],
      answers: { 200: page('One page of refunds.', 'Refund', EXAMPLE_REFUND) },
      errors: ['payment_not_found'],
    }),
  },
  [`${REFUNDS}/{refundId}`]: {
    get: operation({
      id: 'getRefund',
      tag,
      summary: 'Get a refund',
      description:
        'Its status, what is to be paid to which address, the claim link, and the transaction with its confirmations so far.',
      access: '*',
      parameters: [PAYMENT_ID, REFUND_ID],
      answers: { 200: data('The refund.', ref('Refund'), EXAMPLE_REFUND) },
      errors: ['payment_not_found', 'refund_not_found'],
    }),
  },
  [`${REFUNDS}/{refundId}/address`]: step({
    id: 'setRefundAddress',
    summary: 'Set or correct the address of a refund',
    description:
      'While it is AWAITING_ADDRESS, AWAITING_PAYMENT or FAILED. The same address again is no change.',
    body: ADDRESS,
    answers: {
      200: data('The refund, to be paid.', ref('Refund'), {
        ...EXAMPLE_ADDRESSED_REFUND,
        addressSetBy: 'merchant',
      }),
    },
  }),
  [`${REFUNDS}/{refundId}/complete`]: step({
    id: 'completeRefund',
    summary: 'Name the transaction that has paid a refund',
    description:
      'While it is AWAITING_PAYMENT, PROCESSING (a sped-up transaction has another hash) or FAILED. The gateway verifies ' +
      'on chain that it paid at least `payoutAmount` of the right coin to `address`, with enough confirmations: the ' +
      'refund becomes COMPLETED or FAILED. A transaction pays one refund only.',
    body: { schema: ref('CompleteRefund'), example: { txHash: EXAMPLE_TX_HASH } },
    answers: { 200: data('The refund, being verified.', ref('Refund'), EXAMPLE_PROCESSING_REFUND) },
  }),
  [`${REFUNDS}/{refundId}/cancel`]: step({
    id: 'cancelRefund',
    summary: 'Cancel a refund',
    description:
      'Before a transaction is named, or after it turned out to have paid nothing. Cancelling again answers the same.',
    answers: {
      200: data('The refund, cancelled.', ref('Refund'), { ...EXAMPLE_REFUND, status: 'CANCELLED' }),
    },
  }),
  '/api/checkout/refund/{refundId}': {
    get: operation({
      id: 'getRefundClaim',
      tag: CUSTOMERS,
      summary: 'Get what a claim link is about',
      description:
        'What the claim page shows: the amount, the network, the address once there is one, and how far the refund is.',
      access: 'claim-link',
      parameters: [REFUND_ID],
      answers: { 200: data('What a customer may know of the refund.', ref('RefundClaim'), EXAMPLE_CLAIM) },
    }),
    post: operation({
      id: 'claimRefund',
      tag: CUSTOMERS,
      summary: 'Name the address of a refund',
      description: 'Once: the same address again changes nothing, another one is refused.',
      access: 'claim-link',
      parameters: [REFUND_ID],
      body: ADDRESS,
      answers: {
        200: data('The refund with its address.', ref('RefundClaim'), {
          ...EXAMPLE_CLAIM,
          status: 'AWAITING_PAYMENT',
          address: EXAMPLE_PAYOUT_ADDRESS,
        }),
      },
      errors: ['invalid_state_transition'],
    }),
  },
  '/refund/{refundId}': {
    get: claimPage(
      'showRefundPage',
      'The hosted page of a refund',
      'Where `claimUrl` leads; for browsers. Errors are pages, too.',
      { 200: htmlPage('The page.') },
    ),
    post: {
      ...claimPage(
        'submitRefundPage',
        'Name the address on the hosted page',
        'The form of that page: first the address is shown back, then it is recorded.',
        {
          200: htmlPage('The address, to be confirmed.'),
          303: {
            description: 'Recorded, or there is nothing to ask any more: back to the page.',
            headers: {
              ...LIMITED,
              Location: { description: 'Where to go.', required: true, schema: { type: 'string' } },
            },
          },
        },
      ),
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              properties: {
                address: text('Where to.'),
                confirm: text('The address was shown back and is right.', { enum: ['yes'] }),
              },
            },
            example: { address: EXAMPLE_PAYOUT_ADDRESS, confirm: 'yes' },
          },
        },
      },
    },
  },
};
