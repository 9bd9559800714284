import { header, htmlResponse, LIMITED } from '../../platform/web/contract/headers.js';
import { titleOf } from '../../platform/web/contract/contract.js';
import { ref, text } from '../../platform/web/contract/json-schema.js';
import type { Operation, Parameter, Paths, Response } from '../../platform/web/contract/openapi-types.js';
import { OAuthErrorContract } from './oauth.contract.js';
import { OAUTH_TAG, PAGE_FAILED } from './oauth-responses.js';

const UID: Parameter = {
  name: 'uid',
  in: 'path',
  required: true,
  description: 'The current sign-in.',
  schema: { type: 'string', pattern: '^[\\w-]+$' },
  example: 'Yb3mV6c1Qf0',
};

export const REDIRECT: Response = {
  description: 'To the next page, or back to the client with `code` or `error`.',
  headers: {
    ...LIMITED,
    Location: { description: 'Where to go.', required: true, schema: { type: 'string' } },
  },
  content: { 'text/html': { schema: { type: 'string' } } },
};

/** The pages are part of the gateway: they fail like other routes. */
const FAILURES = { ...PAGE_FAILED, 500: { $ref: '#/components/responses/ServerError' } };

function page(id: string, summary: string, description: string, more: Partial<Operation> = {}): Operation {
  return {
    operationId: id,
    tags: [OAUTH_TAG],
    summary,
    description,
    security: [],
    parameters: [UID],
    responses: {
      200: htmlResponse('The page.'),
      303: REDIRECT,
      400: {
        description: 'The sign-in has ended, belongs to another browser, or the form is malformed.',
        headers: LIMITED,
        content: {
          'text/html': { schema: { type: 'string' } },
          'application/json': { schema: ref(titleOf(OAuthErrorContract)) },
        },
      },
      ...FAILURES,
    },
    'x-internal': true,
    ...more,
  };
}

const interaction = page(
  'showSignInPage',
  'The sign-in and consent pages',
  'Where `authorize` sends the browser. Not for programs.',
);

const signOut = page(
  'showSignOutPage',
  'The page to sign out on',
  'Says who is signed in in this browser. Not for programs.',
  {
    parameters: [],
    responses: { 200: htmlResponse('The page.'), ...FAILURES },
  },
);

const TOKEN: Parameter = {
  name: 'token',
  in: 'query',
  required: false,
  description: 'The token of the link. Without a good one the page says that the link has ended.',
  schema: { type: 'string' },
  example: 'Q9f0o2cS8mB3kXw1v5tLr7yHn4dEa6uJzPpTgKiVxYw',
};

const LINK_ENDED = htmlResponse('The link was used or replaced, or it has expired.');

const accessLink = page(
  'showAccessLinkPage',
  'The page of a one-time link',
  'Where the first user chooses a password, and those who were invited or have forgotten it a new one. Not for programs.',
  {
    parameters: [TOKEN],
    responses: { 200: htmlResponse('The page.'), ...FAILURES, 404: LINK_ENDED },
  },
);

/** The pages that people see in their browser. */
export const signInPaths: Paths = {
  '/api/oauth/authorize/{uid}': {
    get: page(
      'resumeAuthorization',
      'Continue after a sign-in page',
      'Sends the browser to the next page, or back to the client with a code.',
    ),
  },
  '/api/oauth/interaction/{uid}': {
    get: interaction,
    post: page('submitSignInPage', 'Sign in, or agree', 'The form of the page.', {
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              properties: {
                email: text('Who signs in.'),
                password: text('Their password.', { format: 'password' }),
                code: text(
                  'With a second factor: the code of the authenticator app, or a recovery code.',
                  {},
                ),
                decision: text('`restart`: sign in as another user, instead of with a second factor.', {
                  enum: ['allow', 'deny', 'restart'],
                }),
              },
            },
            example: { email: 'merchant@example.com', password: 'correct horse battery', decision: 'allow' },
          },
        },
      },
      responses: {
        ...interaction.responses,
        403: htmlResponse('The form was sent from another site.'),
        422: htmlResponse('Email address, password or code are not correct.'),
        429: {
          description: 'Too many requests, or too many wrong codes.',
          headers: { ...LIMITED, 'Retry-After': header('RetryAfterSometimes') },
          content: PAGE_FAILED[429].content,
        },
        503: {
          ...PAGE_FAILED[503],
          description: 'Too many sign-ins at the moment; or try again later.',
          headers: { ...LIMITED, 'Retry-After': header('RetryAfterSometimes') },
        },
      },
    }),
  },
  '/api/oauth/access-link': {
    get: accessLink,
    post: page('useAccessLink', 'Use a one-time link', 'The form of the page; the link has then ended.', {
      parameters: [TOKEN],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              properties: {
                email: text('Only for the first user of a gateway: who signs in.'),
                password: text('The new password, or that of an existing user who accepts an invitation.', {
                  format: 'password',
                }),
              },
            },
            example: { password: 'correct horse battery' },
          },
        },
      },
      responses: {
        200: htmlResponse('It is done.'),
        403: htmlResponse('The form was sent from another site.'),
        422: htmlResponse('Email address or password are refused.'),
        ...FAILURES,
        404: LINK_ENDED,
      },
    }),
  },
  '/api/oauth/forgotten-password': {
    get: page(
      'showForgottenPasswordPage',
      'The page to ask for a new password on',
      'Only where the gateway sends mail; 404 elsewhere. Not for programs.',
      {
        parameters: [],
        responses: { 200: htmlResponse('The page.'), ...FAILURES },
      },
    ),
    post: page(
      'askForPasswordLink',
      'Ask for a password link',
      'The form of the page. Answers the same for an address without an account.',
      {
        parameters: [],
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': {
              schema: { type: 'object', properties: { email: text('The address of the account.') } },
              example: { email: 'merchant@example.com' },
            },
          },
        },
        responses: {
          200: htmlResponse('A mail is sent if there is such an account.'),
          403: htmlResponse('The form was sent from another site.'),
          422: htmlResponse('That is no email address.'),
          ...FAILURES,
        },
      },
    ),
  },
  '/api/oauth/sign-out': {
    get: signOut,
    post: page('signOut', 'Sign out', 'Ends the session of this browser. Tokens of clients stay valid.', {
      parameters: [],
      responses: {
        200: htmlResponse('This browser is signed out.'),
        403: htmlResponse('The form was sent from another site.'),
        ...FAILURES,
      },
    }),
  },
};
