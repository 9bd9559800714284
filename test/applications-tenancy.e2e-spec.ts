import { randomUUID } from 'node:crypto';
import { APPLICATIONS, ApplicationsApi } from './support/applications-api.js';
import { createOwner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

describe('tenancy of payment applications', () => {
  let gateway: TestGateway;
  let mine: ApplicationsApi;
  let theirs: ApplicationsApi;

  beforeAll(async () => {
    gateway = await startTestGateway();
    mine = new ApplicationsApi(gateway, await createOwner(gateway));
    theirs = new ApplicationsApi(gateway, await createOwner(gateway));
  });

  afterAll(() => gateway.close());

  const ways: [string, string, unknown?][] = [
    ['GET', ''],
    ['PUT', '', { name: 'Stolen' }],
    ['DELETE', ''],
    ['POST', '/restore'],
  ];
  const ids: [string, () => Promise<string> | string][] = [
    ['of another user', async () => (await theirs.create()).id],
    ['unknown', () => randomUUID()],
    ['not a UUID', () => 'abc'],
    ['half a UUID', () => randomUUID().slice(0, 18)],
    ['in upper case', async () => (await mine.create()).id.toUpperCase()],
    ['with SQL', () => encodeURIComponent(`' or 1=1 --`)],
  ];
  const cases = ways.flatMap(([method, rest, body]) =>
    ids.map(([what, makeId]) => ({ what, method, rest, body, makeId })),
  );

  it.each(cases)('$what: $method {id}$rest is 404', async ({ method, rest, body, makeId }) => {
    const id = await makeId();
    expect(await mine.call(method, `${APPLICATIONS}/${id}${rest}`, body)).toMatchObject({
      status: 404,
      error: { code: 'payment_application_not_found', message: 'Payment application not found' },
    });
  });

  it('an id with a NUL character is 404', async () => {
    for (const [method, rest, body] of ways)
      expect((await mine.call(method, `${APPLICATIONS}/%00${rest}`, body)).status).toBe(404);
  });

  it('the application is unchanged for its owner', async () => {
    const target = await theirs.create({ name: 'Theirs' });
    for (const [method, rest, body] of ways)
      await mine.call(method, `${APPLICATIONS}/${target.id}${rest}`, body);
    expect((await theirs.get(target.id)).data).toEqual(target);
    expect(await mine.names('?trashed=with')).not.toContain('Theirs');
  });

  it.each([
    ['GET', APPLICATIONS],
    ['POST', APPLICATIONS],
    ['GET', `${APPLICATIONS}/${randomUUID()}`],
    ['PUT', `${APPLICATIONS}/${randomUUID()}`],
    ['DELETE', `${APPLICATIONS}/${randomUUID()}`],
    ['POST', `${APPLICATIONS}/${randomUUID()}/restore`],
    ['GET', '/api/sites'],
    ['GET', `/api/sites/${randomUUID()}`],
  ])('requires a token: %s %s', async (method, path) => {
    for (const token of [null, { userId: '', accessToken: 'wrong' }])
      expect(await new ApplicationsApi(gateway, token).call(method, path)).toMatchObject({
        status: 401,
        error: { code: 'unauthenticated', message: 'Unauthenticated' },
      });
  });
});
