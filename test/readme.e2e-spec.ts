import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

/** What the README promises: routes that exist, rooms that exist. Its commands and links are tried by harness/docs.mjs. */
const root = path.resolve(import.meta.dirname, '..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

/** `GET /api/payment/{}` for every cell of the table of routes. */
const listed = readme
  .split('\n')
  .map((line) => /^\| ([A-Z, ]+?) +\| `(\/[^`]*)`/.exec(line))
  .flatMap((row) => (row?.[1] ?? '').split(', ').map((method) => `${method} ${normalize(row?.[2] ?? '')}`))
  .filter((route) => route !== ' ');

/** Names of path parameters do not matter. */
function normalize(route: string): string {
  return route.replaceAll(/:\w+|\{\w+\}/g, '{}');
}

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

function registeredRoutes(gateway: TestGateway): string[] {
  const express = gateway.app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  return express.router.stack.flatMap(({ route }) =>
    route
      ? Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${normalize(route.path)}`)
      : [],
  );
}

/**
 * Forms of the instructions' path with a part left out (specification/checkout.md#instructions-path); the table says
 * "both optional".
 */
const isShortForm = (route: string): boolean =>
  route.includes('/api/checkout/payment/{}/provider') && !route.endsWith('/provider/{}/method/{}');

const isOauth = (route: string): boolean => /oauth/.test(route);

describe('the README', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  it('lists every route, and no other', () => {
    const registered = registeredRoutes(gateway).filter((route) => !isShortForm(route) && !isOauth(route));
    expect(registered.length).toBeGreaterThan(25);
    expect(listed.filter((route) => !isOauth(route)).sort()).toEqual(registered.sort());
  });

  it.each(listed.filter(isOauth))('lists %s, which answers', async (route) => {
    const [method = '', address = ''] = route.split(' ');
    const { status } = await fetch(gateway.baseUrl + address, { method, redirect: 'manual' });
    expect([404, 405, 500]).not.toContain(status);
  });

  it('shows every room of src/, and no other', () => {
    const shown = [...readme.matchAll(/^ {2}([a-z-]+)\/ /gm)].map(([, room = '']) => room);
    const rooms = readdirSync(path.join(root, 'src'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(shown.sort()).toEqual(rooms.map(({ name }) => name).sort());
  });
});
