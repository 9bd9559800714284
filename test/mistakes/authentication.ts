import { bearer, type Mistake } from './mistake.js';
import { type MistakesHarness, orderOf } from './mistakes-harness.js';

const read = ({ payments: { open } }: MistakesHarness) => ({
  method: 'GET',
  path: `/api/payment/${open.id}`,
});

export const AUTHENTICATION: Mistake[] = [
  {
    title: 'no Authorization header',
    request: (harness) => read(harness),
  },
  {
    title: 'the token alone, without the word Bearer',
    request: (harness) => ({ ...read(harness), headers: { authorization: harness.application.clientToken } }),
  },
  {
    title: 'the word Token in place of Bearer',
    request: (harness) => ({
      ...read(harness),
      headers: { authorization: `Token ${harness.application.clientToken}` },
    }),
  },
  {
    title: 'the token as the user name of basic authentication',
    request: (harness) => ({
      ...read(harness),
      headers: {
        authorization: `Basic ${Buffer.from(`${harness.application.clientToken}:`).toString('base64')}`,
      },
    }),
  },
  {
    title: 'the token in an X-Api-Key header',
    request: (harness) => ({ ...read(harness), headers: { 'x-api-key': harness.application.clientToken } }),
  },
  {
    title: 'the token in an X-Auth-Token header',
    request: (harness) => ({
      ...read(harness),
      headers: { 'x-auth-token': harness.application.clientToken },
    }),
  },
  {
    title: 'the token in the query',
    request: (harness) => ({
      method: 'GET',
      path: `/api/payment/${harness.payments.open.id}?access_token=${harness.application.clientToken}`,
    }),
  },
  {
    title: 'an empty token, because a variable is not set',
    request: (harness) => ({ ...read(harness), headers: { authorization: 'Bearer ' } }),
  },
  {
    title: 'the word undefined in place of the token',
    request: (harness) => ({ ...read(harness), headers: bearer('undefined') }),
  },
  {
    title: 'the placeholder of the documentation in place of the token',
    request: (harness) => ({ ...read(harness), headers: bearer('<CLIENT_TOKEN>') }),
  },
  {
    title: 'the word Bearer twice',
    request: (harness) => ({
      ...read(harness),
      headers: bearer(`Bearer ${harness.application.clientToken}`),
    }),
  },
  {
    title: 'the token in quotation marks',
    request: (harness) => ({ ...read(harness), headers: bearer(`"${harness.application.clientToken}"`) }),
  },
  {
    title: 'a colon after the word Bearer',
    request: (harness) => ({
      ...read(harness),
      headers: { authorization: `Bearer: ${harness.application.clientToken}` },
    }),
  },
  {
    title: 'a token that ends in the two characters of a line feed',
    request: (harness) => ({ ...read(harness), headers: bearer(`${harness.application.clientToken}\\n`) }),
  },
  {
    title: 'a token that was cut off when it was copied',
    request: (harness) => ({
      ...read(harness),
      headers: bearer(harness.application.clientToken.slice(0, -3)),
    }),
  },
  {
    title: 'a token with one wrong character',
    request: (harness) => {
      const { clientToken } = harness.application;
      const wrong = clientToken.at(10) === 'x' ? 'y' : 'x';
      return { ...read(harness), headers: bearer(clientToken.slice(0, 10) + wrong + clientToken.slice(11)) };
    },
  },
  {
    title: 'the beginning of the token that the list shows',
    request: (harness) => ({ ...read(harness), headers: bearer(harness.tokens.tokenPrefix) }),
  },
  {
    title: 'the id of the token in place of the token',
    request: (harness) => ({ ...read(harness), headers: bearer(harness.tokens.tokenId) }),
  },
  {
    title: 'the clientId of the application in place of a token',
    request: (harness) => ({ ...read(harness), headers: bearer(harness.application.clientId) }),
  },
  {
    title: 'the webhook secret in place of a token',
    request: (harness) => ({ ...read(harness), headers: bearer(harness.webhookSecret) }),
  },
  {
    title: 'the secret of the OAuth client in place of an access token',
    request: (harness) => ({ ...read(harness), headers: bearer(harness.owner.clientSecret) }),
  },
  {
    title: 'id and secret of the OAuth client as basic authentication',
    request: ({ owner, ...harness }) => ({
      ...read(harness as MistakesHarness),
      headers: {
        authorization: `Basic ${Buffer.from(`${owner.clientId}:${owner.clientSecret}`).toString('base64')}`,
      },
    }),
  },
  {
    title: 'a JWT of an identity provider that this gateway does not know',
    request: (harness) => ({
      ...read(harness),
      headers: bearer(
        ['{"alg":"RS256","kid":"1"}', '{"iss":"https://login.example.com","sub":"42"}', 'signature']
          .map((part) => Buffer.from(part).toString('base64url'))
          .join('.'),
      ),
    }),
  },
  {
    title: 'an OAuth2 access token of another gateway',
    request: (harness) => ({
      ...read(harness),
      headers: bearer('Zm9yZWlnbi1nYXRld2F5LXRva2VuLW9mLXN0YWdpbmc'),
    }),
  },
  {
    title: 'a refresh token in place of an access token',
    request: (harness) => ({ ...read(harness), headers: bearer(harness.tokens.refresh) }),
  },
  {
    title: 'an OAuth2 access token that is older than an hour',
    request: (harness) => ({ ...read(harness), headers: bearer(harness.tokens.oauthExpired) }),
  },
  {
    title: 'a client token that has expired',
    request: (harness) => ({ ...read(harness), headers: bearer(harness.tokens.expired) }),
  },
  {
    title: 'a client token that was revoked',
    request: (harness) => ({ ...read(harness), headers: bearer(harness.tokens.revoked) }),
  },
  {
    title: 'a client token whose application is deleted',
    request: (harness) => ({ ...read(harness), headers: bearer(harness.tokens.ofDeletedApplication) }),
  },
  {
    title: 'a client token for the list of payments',
    request: ({ application }) => ({
      method: 'GET',
      path: '/api/payment',
      headers: bearer(application.clientToken),
    }),
  },
  {
    title: 'a client token for the payment applications',
    request: ({ application }) => ({
      method: 'GET',
      path: '/api/payment-applications',
      headers: bearer(application.clientToken),
    }),
  },
];

export const SCOPES: Mistake[] = [
  {
    title: 'a payment is read with a token for creating',
    request: (harness) => ({ ...read(harness), headers: bearer(harness.tokens.createOnly) }),
  },
  {
    title: 'a payment is created with a token for reading',
    request: ({ application, tokens }) => ({
      method: 'POST',
      path: '/api/payment/checkout',
      headers: bearer(tokens.getOnly),
      body: orderOf(application),
    }),
  },
  {
    title: 'instructions are requested with a token for reading payments',
    request: ({ payments, tokens }) => ({
      method: 'GET',
      path: `/api/payment/${payments.open.id}/provider/ethereum/method/eth`,
      headers: bearer(tokens.getOnly),
    }),
  },
  {
    title: 'a payment is cancelled with a token for creating',
    request: ({ payments, tokens }) => ({
      method: 'POST',
      path: `/api/payment/${payments.open.id}/cancel`,
      headers: bearer(tokens.createOnly),
    }),
  },
  {
    title: "an operator's view is requested by a user without operator rights",
    request: ({ owner }) => ({
      method: 'GET',
      path: '/api/admin/chains',
      headers: bearer(owner.accessToken),
    }),
  },
];
