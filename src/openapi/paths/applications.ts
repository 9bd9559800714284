import type { Paths } from '../openapi-types.js';
import { data, listOrPage, operation, PAGE, parameter } from '../operation.js';
import { ref, uuid } from '../../platform/contract/json-schema.js';
import { EXAMPLE_APPLICATION, EXAMPLE_SITE } from '../schemas/applications.js';

const tag = 'Payment applications';
const ID = parameter('ApplicationId');
const application = (description: string, example: unknown = EXAMPLE_APPLICATION) =>
  data(description, ref('PaymentApplication'), example);
const EXAMPLE_DELETED = { ...EXAMPLE_APPLICATION, deletedAt: '2026-02-01T09:30:00Z' };
const EXAMPLE_SITE_OF_APPLICATION = { ...EXAMPLE_SITE, paymentApplicationId: EXAMPLE_APPLICATION.id };
const WHOLE = 'Whole, unless `page` or `per_page` is sent. Newest first.';

export const applicationPaths: Paths = {
  '/api/payment-applications': {
    get: operation({
      id: 'listPaymentApplications',
      tag,
      summary: 'List payment applications',
      description: WHOLE,
      access: 'oauth',
      parameters: [parameter('Trashed'), ...PAGE],
      answers: { 200: listOrPage('Your payment applications.', 'PaymentApplication', EXAMPLE_APPLICATION) },
    }),
    post: operation({
      id: 'createPaymentApplication',
      tag,
      summary: 'Create a payment application',
      description:
        'The application and its site belong to you. `clientId` of the answer is what payments are created with; `secret` signs the webhooks and is never answered.',
      access: 'oauth',
      isIdempotent: true,
      body: {
        schema: ref('CreatePaymentApplication'),
        example: {
          name: 'My Store',
          secret: 'whsec_dGhpcnR5LXR3by1yYW5kb20tYnl0ZXMtYXJlLWdvb2Q=',
          url: 'https://mystore.example',
          callbackUrl: 'https://mystore.example/webhooks/payments',
          currencyWhitelist: ['ETH', 'USDC'],
          allowUnderpay: false,
          allowOverpay: true,
        },
      },
      answers: { 201: application('The new payment application.') },
    }),
  },
  '/api/payment-applications/{id}': {
    get: operation({
      id: 'getPaymentApplication',
      tag,
      summary: 'Get a payment application',
      description: 'Also a soft-deleted one, so that you can see what to restore.',
      access: 'oauth',
      parameters: [ID],
      answers: { 200: application('The payment application.') },
      errors: ['payment_application_not_found'],
    }),
    put: operation({
      id: 'updatePaymentApplication',
      tag,
      summary: 'Update a payment application',
      description: 'Only the fields that are sent change.',
      access: 'oauth',
      parameters: [ID],
      body: {
        schema: ref('UpdatePaymentApplication'),
        example: { callbackUrl: 'https://mystore.example/webhooks/payments', allowUnderpay: true },
      },
      answers: {
        200: application('The payment application as it is now.', {
          ...EXAMPLE_APPLICATION,
          site: { ...EXAMPLE_SITE, setting: { ...EXAMPLE_SITE.setting, allowUnderpay: true } },
        }),
      },
      errors: ['payment_application_not_found', 'application_deleted'],
    }),
    delete: operation({
      id: 'deletePaymentApplication',
      tag,
      summary: 'Soft-delete a payment application',
      description: 'New payments stop; those that exist are tracked on. Deleting again answers the same.',
      access: 'oauth',
      parameters: [ID],
      answers: { 200: application('The payment application, deleted.', EXAMPLE_DELETED) },
      errors: ['payment_application_not_found'],
    }),
  },
  '/api/payment-applications/{id}/restore': {
    post: operation({
      id: 'restorePaymentApplication',
      tag,
      summary: 'Restore a payment application',
      description: 'Restoring an active one answers the same.',
      access: 'oauth',
      parameters: [ID],
      answers: { 200: application('The payment application, active.') },
      errors: ['payment_application_not_found'],
    }),
  },
  '/api/sites': {
    get: operation({
      id: 'listSites',
      tag,
      summary: 'List sites',
      description: `${WHOLE} Sites are written through their payment application.`,
      access: 'oauth',
      parameters: [parameter('Trashed'), ...PAGE],
      answers: { 200: listOrPage('Your sites.', 'SiteWithApplication', EXAMPLE_SITE_OF_APPLICATION) },
    }),
  },
  '/api/sites/{siteId}': {
    get: operation({
      id: 'getSite',
      tag,
      summary: 'Get a site',
      description:
        "A site is created with its application: the shop's title and addresses, and its settings.",
      access: 'oauth',
      parameters: [
        {
          name: 'siteId',
          in: 'path',
          required: true,
          description: 'The site.',
          schema: uuid('Of the site, not of the application.'),
          example: EXAMPLE_SITE.id,
        },
      ],
      answers: { 200: data('The site.', ref('SiteWithApplication'), EXAMPLE_SITE_OF_APPLICATION) },
    }),
  },
};
