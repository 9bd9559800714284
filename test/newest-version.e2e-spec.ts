/**
 * @inOrder One source that is asked by days, then another.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import type { OperatorHealthContract } from '../src/operations/condition/operator-health.contract.js';
import { NewestVersions } from '../src/operations/doctor/newest-versions.service.js';
import type { FindingContract } from '../src/operations/doctor/finding.contract.js';
import { Sql } from '../src/platform/database/sql.js';
import { VERSION } from '../src/platform/kernel/version.js';
import { createOwner, type Owner } from './support/principals.js';
import { Shop } from './support/shop.js';

const DAY = 86_400;
const SECRET = 'an-address-may-hold-one';

let source: Server;
let url: string;
let answer: RequestListener;
let asked: IncomingMessage[];
let shop: Shop;
let operator: Owner;

beforeAll(async () => {
  source = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/releases/latest?key=${SECRET}`;
  shop = await Shop.open({ UPDATE_CHECK_URL: url });
  operator = await createOwner(shop.gateway);
  await shop.gateway.get(UsersService).setOperator(operator.userId, true);
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await shop.close();
  source.closeAllConnections();
  source.close();
});

const says =
  (body: string, status = 200, headers = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);

async function newest(): Promise<OperatorHealthContract['newestVersion']> {
  const { body } = await shop.call<OperatorHealthContract>('GET', '/api/admin/health', operator.accessToken);
  expect(JSON.stringify(body)).not.toContain(SECRET);
  return body.data.newestVersion;
}

/** What the next day brings. */
async function ask(listener: RequestListener): Promise<OperatorHealthContract['newestVersion']> {
  answer = listener;
  await shop.wait(DAY);
  await shop.gateway.get(NewestVersions).runOnce();
  return newest();
}

async function doctor(): Promise<FindingContract | undefined> {
  const { body } = await shop.call<FindingContract[]>(
    'POST',
    '/api/admin/health/checks',
    operator.accessToken,
  );
  return body.data.find(({ subject }) => subject === 'version');
}

it('says that nobody was asked yet, and that opening the screen asks nobody', async () => {
  expect(await newest()).toEqual({
    version: null,
    since: null,
    isNewer: null,
    askedAt: null,
    unknown: 'never',
  });
  expect(asked).toEqual([]);
});

it('asks once a day, for all processes, and tells nothing about itself', async () => {
  answer = says(`{"tag_name": "v${VERSION}"}`);
  const versions = shop.gateway.get(NewestVersions);
  await Promise.all([versions.runOnce(), versions.runOnce()]);
  await versions.runOnce();
  await shop.wait(DAY - 60);
  await versions.runOnce();
  expect(asked).toHaveLength(1);
  const [{ method, url: path, headers, rawHeaders }] = asked as [IncomingMessage];
  expect([method, path]).toEqual(['GET', `/releases/latest?key=${SECRET}`]);
  expect(Object.keys(headers).toSorted()).toEqual([
    'accept',
    'accept-encoding',
    'accept-language',
    'connection',
    'host',
    'sec-fetch-mode',
    'user-agent',
  ]);
  expect(rawHeaders.join()).not.toContain(VERSION);
  expect(headers['user-agent']).toBe('node');
  expect(await newest()).toMatchObject({ version: VERSION, isNewer: false, unknown: null });
  expect(await doctor()).toMatchObject({
    severity: 'ok',
    found: `${VERSION} is up to date, asked 23 hours ago`,
  });
});

it('names a newer version, and since when, and goes on when it is not answered', async () => {
  const first = await ask(says('{"version": "99.0.0"}'));
  expect(first).toMatchObject({ version: '99.0.0', isNewer: true, unknown: null });
  expect(first.since).toBe(first.askedAt);
  const second = await ask(says('{"version": "99.0.0"}'));
  expect(second).toMatchObject({ since: first.since, isNewer: true });
  expect(second.askedAt).not.toBe(first.askedAt);
  for (const _day of [1, 2, 3]) await ask((_request, response) => response.destroy());
  const { version, since, askedAt } = second;
  expect(await newest()).toEqual({ version, since, askedAt, isNewer: true, unknown: 'failing' });
  expect(await doctor()).toMatchObject({
    severity: 'warning',
    found: `${VERSION}; newest 99.0.0, since ${first.since!.slice(0, 10)}`,
  });
});

it.each<[string, RequestListener, string, string]>([
  ['hangs up', (_request, response) => response.destroy(), 'failing', 'other side closed'],
  ['has counted too many questions', says('{"message":"API rate limit"}', 403), 'refused', 'HTTP 403'],
  ['redirects', says('', 302, { location: 'http://127.0.0.1:1/' }), 'refused', 'HTTP 302'],
  ['sends a page', says('<title>0.2.0</title>'), 'unusable', 'the answer names no version'],
  [
    'sends too much',
    says(`{"version":"99.0.0","x":"${'x'.repeat(2 ** 20)}"}`),
    'unusable',
    'the response is too long',
  ],
])('does not take it for up to date when the source %s', async (_what, listener, unknown, found) => {
  await ask(says(`{"version": "${VERSION}"}`));
  await ask(listener);
  expect(await newest()).toMatchObject({ isNewer: false, unknown: null });
  await ask(listener);
  // More than two days after the answer.
  await shop.wait(60);
  expect(await newest()).toMatchObject({ version: VERSION, isNewer: null, unknown });
  expect(await doctor()).toMatchObject({
    severity: 'warning',
    found: `${VERSION}; whether there is a newer one is not known: ${found}`,
  });
});

it('asks another address at once, and forgets what the one before has said', async () => {
  await ask(says('{"version": "99.0.0"}'));
  asked = [];
  const other = new NewestVersions(shop.gateway.get(Sql), shop.gateway.clock, {
    ...shop.gateway.config,
    updateCheckUrl: `${url}&other`,
  });
  expect(await other.find()).toMatchObject({ version: null, unknown: 'never' });
  answer = says('', 404);
  await other.runOnce();
  expect(asked).toHaveLength(1);
  expect(await other.find()).toMatchObject({ version: null, unknown: 'refused', failure: 'HTTP 404' });
});
