import type { Principal } from '../../kernel/principal.pure.js';
import { requestSubject } from './request-subject.pure.js';

const PAYMENT = '01987a4e-0000-7000-8000-000000000001';
const APPLICATION = '01987a4e-0000-7000-8000-000000000002';
const USER = '01987a4e-0000-7000-8000-000000000003';
const token: Principal = {
  kind: 'client',
  userId: USER,
  applicationId: APPLICATION,
  tokenId: PAYMENT,
  scopes: [],
};
const signedIn: Principal = {
  kind: 'oauth',
  userId: USER,
  clientId: null,
  grantId: null,
  scopes: [],
  signIn: null,
};

describe('requestSubject', () => {
  it.each([
    [
      'a page of a customer',
      '/checkout/:paymentId',
      { paymentId: PAYMENT },
      undefined,
      { paymentId: PAYMENT },
    ],
    [
      'a client token',
      '/api/payment/:paymentId',
      { paymentId: PAYMENT },
      token,
      { paymentId: PAYMENT, applicationId: APPLICATION, userId: USER },
    ],
    [
      'a user on an application',
      '/api/payment-applications/:id/wallets',
      { id: APPLICATION },
      signedIn,
      { applicationId: APPLICATION, userId: USER },
    ],
    ['a user on something else', '/api/sites/:id', { id: APPLICATION }, signedIn, { userId: USER }],
    ['a parameter that is no id', '/checkout/:paymentId', { paymentId: 'canary' }, undefined, {}],
    ['a repeated parameter', '/checkout/:paymentId', { paymentId: [PAYMENT] }, undefined, {}],
    ['no parameters', '/', {}, undefined, {}],
  ])('names the ids of %s', (_name, route, params, user, subject) => {
    expect(requestSubject({ route, params, user })).toEqual(subject);
  });
});
