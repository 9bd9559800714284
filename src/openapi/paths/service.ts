import { header } from '../headers.js';
import type { Paths } from '../openapi-types.js';
import { data, htmlPage, operation, pageErrors, parameter } from '../operation.js';
import { ref } from '../../platform/contract/json-schema.js';

const HEALTH = 'Health';
const DOCS = 'Documentation';
const TOO_MANY = htmlPage('Too many requests.');
const LATER = htmlPage('Try again later.');
const UNCHANGED = { description: 'Nothing has changed.', headers: { ETag: header('ETag') } };
const HTML = { contents: { 'text/html': { type: 'string' } } } as const;

export const servicePaths: Paths = {
  '/api/health/live': {
    get: operation({
      id: 'getLiveness',
      tag: HEALTH,
      summary: 'Whether the process answers',
      description: 'Asks nothing of anybody; restart the process when it fails.',
      access: 'public',
      answers: { 200: data('It does.', ref('Liveness'), { status: 'ok', checks: {} }) },
    }),
  },
  '/api/health/ready': {
    get: operation({
      id: 'getReadiness',
      tag: HEALTH,
      summary: 'Whether the process can serve requests',
      description: 'Keep traffic away when it cannot. Blockchains and webhooks do not count.',
      access: 'public',
      answers: {
        200: data('It can.', ref('Readiness'), {
          status: 'ok',
          checks: { database: 'ok', migrations: 'ok', accepting: 'ok' },
        }),
        503: data('It cannot.', ref('Readiness'), {
          status: 'unavailable',
          checks: { database: 'failed', migrations: 'failed', accepting: 'ok' },
        }),
      },
    }),
  },
  '/api/openapi.json': {
    get: operation({
      id: 'getOpenApiDocument',
      tag: DOCS,
      summary: 'This document',
      description: 'As this gateway serves it: `servers` and the OAuth2 flows name its public address.',
      access: 'public',
      parameters: [parameter('IfNoneMatch')],
      answers: {
        200: {
          description: 'OpenAPI 3.1. Not wrapped in `data`.',
          schema: ref('OpenApiDocument'),
          example: {
            openapi: '3.1.0',
            info: { title: 'Crypto Payment Gateway', version: '0.1.0' },
            paths: {},
          },
          headers: { ETag: header('ETag') },
        },
        304: UNCHANGED,
      },
    }),
  },
  '/api/docs': {
    get: {
      ...operation({
        id: 'showDocumentation',
        tag: DOCS,
        summary: 'This document as an interactive page',
        description: 'For people: every operation, to be tried out with a token of yours.',
        access: 'public',
        parameters: [parameter('IfNoneMatch')],
        answers: {
          200: { ...HTML, description: 'The page.', headers: { ETag: header('ETag') } },
          304: UNCHANGED,
        },
      }),
      'x-internal': true,
    },
  },
  '/api/docs/{asset}': {
    get: {
      ...operation({
        id: 'getDocumentationAsset',
        tag: DOCS,
        summary: 'A part of that page',
        description: 'Scripts and style sheets of the page, from this gateway.',
        access: 'public',
        parameters: [
          {
            name: 'asset',
            in: 'path',
            required: true,
            description: 'The name of a script or a style sheet.',
            schema: { type: 'string' },
            example: 'start.js',
          },
          parameter('IfNoneMatch'),
        ],
        answers: {
          200: {
            description: 'The part.',
            contents: { 'text/javascript': { type: 'string' }, 'text/css': { type: 'string' } },
            headers: { ETag: header('ETag') },
          },
          304: UNCHANGED,
        },
      }),
      'x-internal': true,
    },
  },
  '/': {
    get: {
      ...operation({
        id: 'showFrontPage',
        tag: DOCS,
        summary: 'What this is, and where to go',
        description: 'For browsers; 404 to programs that take only JSON.',
        access: 'public',
        answers: { 200: { ...HTML, description: 'The page.' } },
        errors: ['not_found'],
      }),
      'x-internal': true,
    },
  },
  '/dashboard': {
    get: {
      ...operation({
        id: 'showDashboard',
        tag: DOCS,
        summary: 'The same, until there is a dashboard',
        description: 'For browsers; programs use the API.',
        access: 'public',
        answers: { 200: { ...HTML, description: 'The page.' } },
        errors: ['not_found'],
      }),
      'x-internal': true,
    },
  },
  '/checkout/{paymentId}': {
    get: {
      'x-internal': true,
      operationId: 'showCheckoutPage',
      tags: ['Public checkout'],
      summary: 'The hosted checkout page',
      description: 'Where `checkoutUrl` leads; for browsers. Errors are pages, too.',
      security: [],
      parameters: [
        parameter('PaymentId'),
        parameter('Expires'),
        parameter('Signature'),
        {
          name: 'provider',
          in: 'query',
          description: 'The blockchain that the customer picked.',
          schema: { type: 'string' },
          example: 'ethereum',
        },
        {
          name: 'method',
          in: 'query',
          description: 'The cryptocurrency that the customer picked.',
          schema: { type: 'string' },
          example: 'usdc',
        },
        {
          name: 'choose',
          in: 'query',
          description: 'Anything: show the list of ways to pay, although one is selected.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: htmlPage('The page.'),
        403: htmlPage('The link has ended, or its signature is wrong.'),
        ...pageErrors(),
        429: { ...TOO_MANY, headers: { ...TOO_MANY.headers, 'Retry-After': header('RetryAfter') } },
        503: { ...LATER, headers: { ...LATER.headers, 'Retry-After': header('RetryAfterSometimes') } },
      },
    },
  },
};
