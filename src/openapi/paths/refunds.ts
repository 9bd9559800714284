import { header, LIMITED } from '../headers.js';
import type { Operation, Paths } from '../openapi-types.js';
import { htmlPage, pageErrors, parameter } from '../operation.js';
import { text } from '../../platform/contract/json-schema.js';
import { EXAMPLE_PAYOUT_ADDRESS } from '../../refunds/refund.contract.js';

const CUSTOMERS = 'Public checkout';
const TOO_MANY = htmlPage('Too many requests.');
const LATER = htmlPage('Try again later.');
const REFUND_ID = parameter('RefundId');

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

/** The hosted pages of refunds. */
export const refundPaths: Paths = {
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
