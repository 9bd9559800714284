import { describeUnknownRoute, describeWrongMethod, type RouteName } from './near-route.pure.js';

const ROUTES: RouteName[] = [
  'GET /api/payment',
  'POST /api/payment/checkout',
  'GET /api/payment/:paymentId',
  'POST /api/payment/:paymentId/cancel',
  'POST /api/payment/:paymentId/accept',
  'POST /api/payment/:paymentId/refunds',
  'GET /api/payment/:paymentId/refunds',
  'GET /api/payment-applications',
  'POST /api/payment-applications',
  'PUT /api/payment-applications/:id',
  'GET /api/payment-applications/:id',
  'POST /api/payment-applications/:id/client-tokens',
  'GET /api/payment-applications/:id/client-tokens/:tokenId',
  'DELETE /api/payment-applications/:id/client-tokens/:tokenId',
  'GET /api/checkout/payment/:paymentId',
  'GET /api/checkout/:paymentId/payment-methods',
  'GET /checkout/:paymentId',
  'POST /api/oauth/token',
].map((route) => {
  const [method = '', template = ''] = route.split(' ');
  return { method, template };
});
const ID = '550e8400-e29b-41d4-a716-446655440000';

describe('describeUnknownRoute', () => {
  it.each([
    ['POST /api/payments/checkout', 'POST /api/payment/checkout'],
    ['GET /api/payments', 'GET /api/payment'],
    ['GET /api/payment_applications', 'GET /api/payment-applications'],
    ['GET /api/paymentApplications', 'GET /api/payment-applications'],
    [`GET /api/payment-application/${ID}`, 'GET /api/payment-applications/{id}'],
    [`PUT /api/payment-application/${ID}`, 'PUT /api/payment-applications/{id}'],
    ['POST /api/checkout', 'POST /api/payment/checkout'],
    [`GET /api/payment/${ID}/status`, 'GET /api/payment/{paymentId}'],
    [`POST /api/payment/${ID}/refund`, 'POST /api/payment/{paymentId}/refunds'],
    [`POST /api/payment/${ID}/cancle`, 'POST /api/payment/{paymentId}/cancel'],
    [`GET /api/checkout/payment/${ID}/payment-methods`, 'GET /api/checkout/{paymentId}/payment-methods'],
    [`GET /api/checkout/${ID}`, 'GET /api/checkout/payment/{paymentId}'],
    [`GET /checkouts/${ID}`, 'GET /checkout/{paymentId}'],
    ['POST /oauth/token', 'POST /api/oauth/token'],
    ['POST /api/token', 'POST /api/oauth/token'],
  ])('%s: did you mean %s?', (request, near) => {
    const [method = '', path = ''] = request.split(' ');
    expect(describeUnknownRoute(ROUTES, method, path)).toContain(`Did you mean ${near}?`);
  });

  it.each([
    ['/api/v1/payment/checkout', 'Paths have no version segment.'],
    ['/v2/payment/checkout', 'Paths have no version segment.'],
    ['/payment/checkout', 'The paths of the API begin with /api/.'],
    ['//api/payment/checkout', 'The path has an empty segment'],
    ['/api//payment/checkout', 'The path has an empty segment'],
    ['/api/api/payment/checkout', '/api appears twice'],
  ])('explains POST %s and names the right route', (path, why) => {
    expect(describeUnknownRoute(ROUTES, 'POST', path)).toContain(why);
    expect(describeUnknownRoute(ROUTES, 'POST', path)).toContain('Did you mean POST /api/payment/checkout?');
  });

  it.each(['/api/invoices', '/', '/wp-login.php', `/api/${'x'.repeat(6_000)}`, '/a'.repeat(400)])(
    'refers to the list of routes when no route is similar: %.20s',
    (path) => {
      expect(describeUnknownRoute(ROUTES, 'GET', path)).toContain('GET /api/openapi.json lists every route');
      expect(describeUnknownRoute(ROUTES, 'GET', path)).not.toContain('Did you mean');
    },
  );

  it('never repeats the request', () =>
    expect(describeUnknownRoute(ROUTES, 'GET', '/api/payments/pct_secret')).not.toContain('secret'));
});

describe('describeWrongMethod', () => {
  it.each<[method: string, path: string, allowed: string[], says: string]>([
    [
      'POST',
      '/api/payment',
      ['GET', 'HEAD', 'OPTIONS'],
      'takes GET only. Did you mean POST /api/payment/checkout?',
    ],
    [
      'PATCH',
      `/api/payment-applications/${ID}`,
      ['GET', 'PUT', 'HEAD'],
      'takes GET, PUT only. PUT changes the fields that are sent, and no others.',
    ],
    [
      'DELETE',
      `/api/payment/${ID}`,
      ['GET', 'HEAD'],
      'Did you mean POST /api/payment/{paymentId}/cancel, POST /api/payment/{paymentId}/accept or POST /api/payment/{paymentId}/refunds?',
    ],
    ['GET', `/api/payment/${ID}/cancel`, ['POST', 'OPTIONS'], 'This address takes POST only.'],
    [
      'PUT',
      `/api/payment-applications/${ID}/client-tokens/${ID}`,
      ['GET', 'DELETE', 'HEAD'],
      'delete it, and create another one by POST /api/payment-applications/{id}/client-tokens.',
    ],
  ])('%s %s', (method, path, allowed, says) =>
    expect(describeWrongMethod(ROUTES, method, path, allowed)).toContain(says),
  );
});
