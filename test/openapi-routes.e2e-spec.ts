import type { AccessRule } from '../src/platform/web/security/auth.js';
import type { Operation } from '../src/platform/web/contract/openapi-types.js';
import type { Schema } from '../src/platform/web/contract/json-schema.js';
import { DOCUMENT } from './support/contract/document-schemas.js';
import { type Located, operationsOf, parametersOf, resolve } from './support/contract/operations.js';
import {
  type DtoField,
  type Handler,
  handlers,
  registeredRoutes,
  routeKey,
} from './support/contract/registered-routes.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

let gateway: TestGateway;
const documented = new Map<string, Located>();

beforeAll(async () => {
  gateway = await startTestGateway();
  for (const located of operationsOf(DOCUMENT)) {
    const { path, method, operation } = located;
    for (const served of [path, ...(operation['x-also-served-at'] ?? [])])
      documented.set(routeKey(method, served), located);
  }
});

afterAll(async () => {
  await gateway.close();
});

function documentedHandlers(): [Handler, Operation][] {
  return handlers(gateway).map((handler) => {
    const located = documented.get(handler.key);
    if (!located) throw new Error(`${handler.name} is not documented: ${handler.key}`);
    return [handler, located.operation];
  });
}

describe('the document', () => {
  it('has every route that is served, and no others', () => {
    expect([...documented.keys()].sort()).toEqual(registeredRoutes(gateway));
  });

  it('has every handler of a controller', () => {
    const found = documentedHandlers();
    expect(found.length).toBeGreaterThan(35);
  });

  it('lists all methods of each address in Allow, and those of no other address', async () => {
    const methods = new Map<string, Set<string>>();
    for (const key of documented.keys()) {
      const [method = '', form = ''] = key.split(' ');
      const path = form.replaceAll('{}', '0190a000-0000-7000-8000-000000000000');
      // The authorization server's routes are its own.
      if (!path.includes('/api/oauth')) methods.set(path, (methods.get(path) ?? new Set()).add(method));
    }
    expect(methods.size).toBeGreaterThan(90);
    const wrong: string[] = [];
    for (const [path, known] of methods) {
      const response = await fetch(gateway.baseUrl + path, { method: 'PATCH' });
      const allowed = (response.headers.get('allow') ?? '').split(', ');
      const shown = allowed.filter((method) => method !== 'HEAD' && method !== 'OPTIONS').sort();
      if (response.status !== 405 || shown.join() !== [...known].sort().join())
        wrong.push(`${path}: ${response.status}, ${shown.join()}, not ${[...known].join()}`);
    }
    expect(wrong).toEqual([]);
  });

  it('states for each operation who can call it', () => {
    const shown = documentedHandlers().map(([{ name }, { security }]) => [name, security]);
    const real = handlers(gateway).map(({ name, access, key }) => [name, securityOf(access, key)]);
    expect(shown).toEqual(real);
  });

  it('states for each operation whether it accepts an Idempotency-Key', () => {
    const shown = documentedHandlers().map(([{ name }, operation]) => [
      name,
      parametersOf(DOCUMENT, operation, 'header').some((parameter) => parameter.name === 'Idempotency-Key'),
    ]);
    const real = handlers(gateway).map(({ name, takesKey }) => [name, takesKey]);
    expect(shown).toEqual(real);
  });

  it('has the fields of every body, and which of them are required or nullable', () => {
    const shown = documentedHandlers().map(([{ name }, operation]) => [name, bodyFields(operation)]);
    const real = handlers(gateway).map(({ name, body }) => [name, body]);
    expect(shown).toEqual(real);
  });

  it('has every query parameter, and which of them are required', () => {
    const found = documentedHandlers().filter(([{ query }]) => query);
    expect(found.length).toBeGreaterThan(4);
    const shown = found.map(([{ name }, operation]) => [name, queryFields(operation)]);
    const real = found.map(([{ name, query }]) => [
      name,
      query?.map((field) => ({ name: field.name, isRequired: field.isRequired })),
    ]);
    expect(shown).toEqual(real);
  });
});

/** @param key begins with the method */
function securityOf(access: AccessRule | undefined, key: string): Operation['security'] {
  if (access?.kind === 'public') return [];
  if (access?.kind === 'any-token') return [{ oauth2: [] }, { clientToken: [] }];
  const onlyReads = access?.kind === 'oauth' && access.onlyReads === true;
  const verb = onlyReads || key.startsWith('GET ') ? 'read' : 'write';
  const scope = access && 'area' in access ? `${access.area}:${verb}` : '*';
  const oauth = [...new Set(['*', scope])].filter((one) => one === scope || scope !== 'wallets:write');
  const alternatives = oauth.map((one) => ({ oauth2: [one] }));
  return access?.kind === 'scope' ? [...alternatives, { clientToken: [access.scope] }] : alternatives;
}

function bodyFields({ requestBody }: Operation): DtoField[] | null {
  const media = requestBody?.content['application/json'];
  if (!media) return null;
  const { properties = {}, required = [] } = resolve<Schema>(
    DOCUMENT,
    media.schema as Schema & { $ref: string },
  );
  return Object.entries(properties)
    .map(([name, schema]) => ({ name, isRequired: required.includes(name), isNullable: isNullable(schema) }))
    .sort(byName);
}

function isNullable({ type, anyOf = [] }: Schema): boolean {
  return [type].flat().includes('null') || anyOf.some((schema) => schema.type === 'null');
}

function queryFields(operation: Operation): { name: string; isRequired: boolean }[] {
  return parametersOf(DOCUMENT, operation, 'query')
    .map(({ name, required = false }) => ({ name, isRequired: required }))
    .sort(byName);
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}
