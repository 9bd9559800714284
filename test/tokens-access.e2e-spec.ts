import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { newClientToken } from '../src/tokens/client-token.pure.js';
import { ApplicationsApi } from './support/applications-api.js';
import { createClientToken } from './support/client-tokens.js';
import { createOwner, type Owner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const NOWHERE = '01890000-0000-7000-8000-000000000000';
const INVALID = 'Bearer error="invalid_token"';

let gateway: TestGateway;
let owner: Owner;
let applicationId: string;
const tokens = new Map<string, string>();

beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await createOwner(gateway);
  applicationId = (await new ApplicationsApi(gateway, owner).create()).id;
  const clientToken = async (fields: object) =>
    (await createClientToken(gateway, owner, applicationId, fields)).token;
  tokens.set('oauth', owner.accessToken);
  tokens.set('create', await clientToken({ scopes: ['payments.create'] }));
  tokens.set('get', await clientToken({ scopes: ['payments.get'] }));
  tokens.set('instructions', await clientToken({ scopes: ['payments.user-instructions.get'] }));
  tokens.set('*', await clientToken({ scopes: ['*'] }));
  tokens.set('expired', await clientToken({ expiresAt: new Date(gateway.clock.now().getTime() + 1_000) }));
  gateway.clock.advanceSeconds(1);
  tokens.set('made up', newClientToken());
  tokens.set('mistyped', `${tokens.get('*')?.slice(0, -1)}_`);
  tokens.set('garbage', 'garbage');
  tokens.set('opaque garbage', 'x'.repeat(43));
});
afterAll(() => gateway.close());

interface Outcome {
  status: number;
  code: string | undefined;
  challenge: string | null;
}

async function ask(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Outcome> {
  const response = await fetch(gateway.baseUrl + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body }),
  });
  const { code } = JSON.parse((await response.text()) || '{}') as { code?: string };
  const challenge =
    response.headers.get('www-authenticate')?.replace(/, error_description="[^"]*"$/, '') ?? null;
  return { status: response.status, code, challenge };
}

const bearer = (token = '') => ({ authorization: `Bearer ${token}` });

/** Endpoint, the scope it demands (null: OAuth2 only; 'any': any good token), and what it answers to those whom it lets in. */
const ENDPOINTS: [method: string, path: string, scope: string | null, admitted: number][] = [
  ['GET', '/api/payment-applications', null, 200],
  ['GET', `/api/payment-applications/${NOWHERE}`, null, 404],
  ['POST', '/api/payment-applications', null, 422],
  ['PUT', `/api/payment-applications/${NOWHERE}`, null, 404],
  ['DELETE', `/api/payment-applications/${NOWHERE}`, null, 404],
  ['POST', `/api/payment-applications/${NOWHERE}/restore`, null, 404],
  ['GET', `/api/payment-applications/${NOWHERE}/client-tokens`, null, 404],
  ['GET', '/api/payment', null, 200],
  ['GET', '/api/payment/by-reference?reference=x', 'payments.get', 200],
  ['POST', '/api/payment/checkout', 'payments.create', 422],
  ['GET', `/api/payment/${NOWHERE}`, 'payments.get', 404],
  ['GET', `/api/payment/${NOWHERE}/provider/ethereum/method/eth`, 'payments.user-instructions.get', 404],
  ['POST', `/api/payment/${NOWHERE}/cancel`, '*', 404],
  ['GET', '/api/currencies', 'any', 200],
  ['GET', '/api/currencies/ETH', 'any', 200],
  ['GET', '/api/blockchains', 'any', 200],
  ['GET', '/api/blockchains/ethereum', 'any', 200],
  ['GET', '/api/rates?base=ETH&quote=ETH', 'any', 200],
];
const SCOPES: Record<string, string[]> = {
  create: ['payments.create'],
  get: ['payments.get'],
  instructions: ['payments.user-instructions.get'],
  '*': ['*'],
};

describe.each(ENDPOINTS)('%s %s', (method, path, scope, admitted) => {
  const body = method === 'POST' || method === 'PUT' ? '{}' : undefined;

  it('refuses a request without a token', async () => {
    const expected = { status: 401, code: 'unauthenticated', challenge: 'Bearer' };
    expect(await ask(method, path, {}, body)).toEqual(expected);
  });

  it.each(['expired', 'made up', 'mistyped', 'garbage', 'opaque garbage'])(
    'refuses a token: %s',
    async (kind) => {
      const expected = { status: 401, code: 'unauthenticated', challenge: INVALID };
      expect(await ask(method, path, bearer(tokens.get(kind)), body)).toEqual(expected);
    },
  );

  it('accepts an OAuth2 token', async () => {
    const { status, challenge } = await ask(method, path, bearer(tokens.get('oauth')), body);
    expect([status, challenge]).toEqual([admitted, null]);
  });

  it.each(Object.keys(SCOPES))(
    'accepts a client token of scope %s only if the scope allows it',
    async (kind) => {
      const { status, code, challenge } = await ask(method, path, bearer(tokens.get(kind)), body);
      if (scope === null) {
        expect({ status, code, challenge }).toEqual({
          status: 401,
          code: 'oauth_token_required',
          challenge: INVALID,
        });
      } else if (scope === 'any' || SCOPES[kind]?.includes(scope) || kind === '*') {
        expect([status, challenge]).toEqual([admitted, null]);
      } else {
        expect({ status, code, challenge }).toEqual({
          status: 403,
          code: 'insufficient_permissions',
          challenge: `Bearer error="insufficient_scope", scope="${scope}"`,
        });
      }
    },
  );
});

describe('the fixed texts of 401 and 403', () => {
  it.each([
    ['/api/payment-applications', '', 401, 'Unauthenticated'],
    ['/api/payment-applications', '*', 401, 'Unauthenticated'],
    [`/api/payment/${NOWHERE}`, 'create', 403, 'Insufficient permissions'],
  ])('%s with "%s": %s %s', async (path, kind, status, message) => {
    const response = await fetch(gateway.baseUrl + path, { headers: bearer(tokens.get(kind) ?? '') });
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      status,
      message,
    ]);
  });
});

describe('a token', () => {
  const path = `/api/payment/${NOWHERE}`;

  it.each<[string, () => Record<string, string>]>([
    ['another scheme', () => ({ authorization: `Basic ${tokens.get('oauth')}` })],
    ['no scheme', () => ({ authorization: tokens.get('oauth') ?? '' })],
    ['no token', () => ({ authorization: 'Bearer' })],
    ['two tokens', () => ({ authorization: `Bearer ${tokens.get('oauth')} ${tokens.get('oauth')}` })],
    ['a list of tokens', () => ({ authorization: `Bearer ${tokens.get('oauth')},Bearer x` })],
    ['another header', () => ({ 'x-access-token': tokens.get('oauth') ?? '' })],
    ['a cookie', () => ({ cookie: `access_token=${tokens.get('oauth')}` })],
  ])('is not accepted in the header as %s', async (_how, headers) => {
    const { status, challenge } = await ask('GET', path, headers());
    expect(status).toBe(401);
    expect(challenge).toMatch(/^Bearer/);
  });

  it('is not accepted in the query or the body', async () => {
    const token = tokens.get('oauth') ?? '';
    expect((await ask('GET', `${path}?access_token=${token}`, {})).status).toBe(401);
    const body = JSON.stringify({ access_token: token });
    expect((await ask('POST', '/api/payment/checkout', {}, body)).status).toBe(401);
  });

  it('is accepted in the header with its scheme in any case', async () => {
    expect((await ask('GET', path, { authorization: `bEARER ${tokens.get('oauth')}` })).status).toBe(404);
  });
});

describe('every route', () => {
  /**
   * The only ones that need no token: a signature protects checkout and claims, health is for load balancers,
   * documentation for all, and metrics have a token of their own.
   */
  const PUBLIC =
    /^\/($|dashboard(\/|$)|api\/health\/|api\/instruction-keys$|api\/openapi\.json$|api\/docs|api\/checkout\/|checkout\/|receipt\/|refund\/|(collector|verify-address)$|metrics$|assets\/)/;

  function routes(): [method: string, path: string][] {
    const { router } = gateway.app.getHttpAdapter().getInstance() as {
      router: { stack: { route?: { path: string; methods: Record<string, boolean> } }[] };
    };
    return router.stack.flatMap(({ route }) =>
      Object.keys(route?.methods ?? {}).map((method): [string, string] => [
        method.toUpperCase(),
        route?.path.replace(/:\w+/g, NOWHERE) ?? '',
      ]),
    );
  }

  it('except the public ones requires a token', async () => {
    const guarded = routes().filter(([, path]) => !PUBLIC.test(path));
    expect(guarded.length).toBeGreaterThan(15);
    for (const [method, path] of guarded) {
      const { status } = await ask(method, path, {});
      expect([method, path, status]).toEqual([method, path, 401]);
    }
  });

  it('that does not exist is 404, with and without a token', async () => {
    for (const headers of [{}, bearer('garbage'), bearer(tokens.get('oauth'))])
      expect(await ask('GET', '/api/nothing', headers)).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('that is public ignores any token', async () => {
    expect((await ask('GET', '/api/health/live', bearer('garbage'))).status).toBe(200);
  });
});

describe('many requests at once', () => {
  it('each get the response for their own token', async () => {
    const owners = await Promise.all(Array.from({ length: 4 }, () => createOwner(gateway)));
    await Promise.all(
      owners.map((one, i) => new ApplicationsApi(gateway, one).create({ name: `Store ${i}` })),
    );
    const asked = Array.from({ length: 80 }, (_, i) => i % owners.length);
    const answers = await Promise.all(
      asked.map(async (i) => {
        const response = await fetch(`${gateway.baseUrl}/api/payment-applications`, {
          headers: bearer(owners[i]?.accessToken),
        });
        return ((await response.json()) as { data: { name: string }[] }).data.map(({ name }) => name);
      }),
    );
    expect(answers).toEqual(asked.map((i) => [`Store ${i}`]));
  });

  it('to two gateways in one process do not interfere', async () => {
    const second = await startTestGateway();
    expect((await ask('GET', '/api/payment-applications', bearer(owner.accessToken))).status).toBe(200);
    const foreign = await fetch(`${second.baseUrl}/api/payment-applications`, {
      headers: bearer(owner.accessToken),
    });
    expect(foreign.status).toBe(401);
    await second.close();
    expect((await ask('GET', '/api/payment-applications', bearer(owner.accessToken))).status).toBe(200);
  });
});

describe('a disabled user', () => {
  it('has no valid client tokens of their applications', async () => {
    const leaver = await createOwner(gateway);
    const { id } = await new ApplicationsApi(gateway, leaver).create();
    const { token } = await createClientToken(gateway, leaver, id);
    expect((await ask('GET', `/api/payment/${NOWHERE}`, bearer(token))).status).toBe(404);
    await gateway.get(UsersService).disable(leaver.userId);
    expect((await ask('GET', `/api/payment/${NOWHERE}`, bearer(token))).status).toBe(401);
  });
});
