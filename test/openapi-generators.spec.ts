import { isDeepStrictEqual } from 'node:util';
import { fieldsOf } from '../src/platform/web/contract/field.js';
import type { Schema } from '../src/platform/web/contract/json-schema.js';
import type { Parameter, Response } from '../src/platform/web/contract/openapi-types.js';
import { validateQuery } from '../src/platform/web/contract/read-contract.js';
import { DOCUMENT } from './support/contract/document-schemas.js';
import { operationsOf, parametersOf, resolve } from './support/contract/operations.js';
import { queryClasses } from './support/contract/registered-routes.js';

/* What code generators need of the document, beyond that it is valid (decision 0838). */

/** Every schema with its place; nothing of examples. */
function walk(node: unknown, place = ''): [string, Schema][] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.entries(node).flatMap(([key, value]) =>
    ['example', 'examples', 'value'].includes(key) && !place.endsWith('/properties')
      ? []
      : walk(value, `${place}/${key}`),
  );
  return [[place, node as Schema], ...inside];
}

const OBJECTS = walk(DOCUMENT);
const operations = operationsOf(DOCUMENT);
const api = operations.filter(({ operation }) => !operation['x-internal']);

/** As a language without `_`, `-` and cases would write it. */
const plain = (name: string) => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

/** Names that would become one. */
function clashes(names: readonly string[]): string[] {
  return names.filter((name, at) =>
    names.some((other, index) => index !== at && plain(other) === plain(name)),
  );
}

describe('a number', () => {
  const integers = OBJECTS.filter(([, { type }]) => [type].flat().includes('integer'));

  it('of bounded size states what holds it', () => {
    const unsized = integers.filter(
      ([, schema]) => !/^int(32|64)$/.test(schema.format ?? '') && !('x-go-type' in schema),
    );
    expect(integers.length).toBeGreaterThan(100);
    expect(unsized.map(([place]) => place)).toEqual([]);
  });

  it('fits into the format that it states', () => {
    const wrong = integers.filter(
      ([, { format, maximum, minimum = 0 }]) =>
        format === 'int32' && (maximum === undefined || maximum >= 2 ** 31 || minimum < -(2 ** 31)),
    );
    expect(wrong).toEqual([]);
  });

  it('of any size is held by Go, and stands beside the same digits in a string', () => {
    const sizeless = OBJECTS.flatMap(([place, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, schema]) => [schema.type].flat().includes('integer') && schema.format === undefined)
        .map(([name, schema]) => ({ at: `${place}/${name}`, name, schema, twins: Object.keys(properties) })),
    );
    expect(sizeless.length).toBeGreaterThan(2);
    expect(sizeless.filter(({ schema }) => schema['x-go-type'] !== 'json.Number')).toEqual([]);
    const alone = sizeless.filter(
      ({ name, twins }) => !twins.includes('atomic') && !twins.includes(`${name}Atomic`),
    );
    expect(alone.map(({ at }) => at)).toEqual([
      // Of a refund the caller already has the amounts, as strings.
      '/components/schemas/CreateRefund/amount',
      '/components/schemas/CreateRefund/payoutAmount',
      '/components/schemas/KeepPayment/amount',
    ]);
  });
});

describe('a schema', () => {
  it('of one value is an enumeration: of `const` openapi-python-client makes a syntax error', () => {
    expect(OBJECTS.filter(([place, node]) => 'const' in node && !place.endsWith('/properties'))).toEqual([]);
  });

  it('belongs to an operation: oapi-codegen drops what only webhooks refer to', () => {
    const reached = new Set<string>();
    const reach = (node: unknown): void => {
      for (const [, { $ref }] of walk(node)) {
        if ($ref === undefined || reached.has($ref)) continue;
        reached.add($ref);
        reach(resolve<object>(DOCUMENT, { $ref }));
      }
    };
    reach(DOCUMENT.paths);
    const names = Object.keys(DOCUMENT.components.schemas);
    expect(names.filter((name) => !reached.has(`#/components/schemas/${name}`))).toEqual([]);
  });
});

describe('a body', () => {
  it('has one media type in requests: openapi-python-client fails to load a module with two', () => {
    const several = operations.filter(
      ({ operation }) => Object.keys(operation.requestBody?.content ?? {}).length > 1,
    );
    expect(several.map(({ name }) => name)).toEqual([]);
  });

  it('that is required and missing is refused for a missing field, unless the gateway refuses it as a whole', () => {
    const without = operations.filter(({ operation: { requestBody } }) => {
      const [media] = Object.values(requestBody?.content ?? {});
      if (!requestBody?.required || !media) return false;
      return !resolve<Schema>(DOCUMENT, media.schema as Schema & { $ref: string }).required?.length;
    });
    expect(without.map(({ name }) => name).sort()).toEqual([
      // The form asks for one thing after the other.
      'POST /api/oauth/access-link (useAccessLink)',
      'POST /api/oauth/forgotten-password (askForPasswordLink)',
      'POST /api/oauth/interaction/{uid} (submitSignInPage)',
      // test/unknown-input.e2e-spec.ts
      'PUT /api/account (updateAccount)',
      // One of two fields: test/treasury-wallets.e2e-spec.ts
      'PUT /api/account/wallets/{family} (putAccountWallet)',
      // test/unknown-input.e2e-spec.ts
      'PUT /api/payment-applications/{id} (updatePaymentApplication)',
      'PUT /api/payment-applications/{id}/wallets/{family} (putWallet)',
    ]);
  });

  it('of a successful response has a name, which all operations with the same body share', () => {
    const unnamed = api.flatMap(({ name, operation }) =>
      Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([, response]) => resolve<Response>(DOCUMENT, response).content?.['application/json']?.schema)
        .filter((schema) => schema?.properties !== undefined && Object.keys(schema.properties).length > 0)
        .map(() => name),
    );
    expect(unnamed).toEqual([]);
  });

  it('of an error is spelled out in no operation of ours', () => {
    const inline = operations
      .filter(({ path }) => !/\/api\/oauth(\/|$)/.test(path))
      .flatMap(({ name, operation }) =>
        Object.entries(operation.responses)
          .filter(([status, response]) => /^[45]|default/.test(status) && !('$ref' in response))
          .filter(([, response]) => 'content' in response && response.content?.['application/json'])
          // Its data, not an error.
          .filter(([status]) => name !== 'GET /api/health/ready (getReadiness)' || status !== '503')
          .map(([status]) => `${name} ${status}`),
      );
    expect(inline).toEqual([]);
  });
});

describe('a name', () => {
  it('is that of one component, also where generators write their own beside it', () => {
    const { schemas, parameters, responses } = DOCUMENT.components;
    const ids = operations.map(({ operation: { operationId } }) => operationId);
    const made = [...new Set(ids)].flatMap((id) =>
      ['Params', 'Response', 'JSONBody', 'JSONRequestBody', 'FormdataBody'].map((suffix) => id + suffix),
    );
    const names = [...Object.keys(schemas), ...Object.keys(parameters), ...Object.keys(responses), ...made];
    expect(clashes(names)).toEqual([]);
  });

  it('of a parameter is the only one of its operation', () => {
    const found = api.flatMap(({ name, operation }) =>
      clashes(
        (operation.parameters ?? []).map((parameter) => resolve<Parameter>(DOCUMENT, parameter).name),
      ).map((parameter) => `${name}: ${parameter}`),
    );
    expect(found).toEqual([]);
  });

  it('of a property is the only one of its object', () => {
    const found = OBJECTS.flatMap(([place, { properties = {} }]) =>
      clashes(Object.keys(properties)).map((name) => `${place}: ${name}`),
    );
    expect(found).toEqual([]);
  });
});

describe('a default', () => {
  it('of a query does what the absent parameter does, because some clients send it', async () => {
    let tried = 0;
    for (const query of queryClasses()) {
      const absent = await validateQuery(query, {}).catch(() => null);
      for (const [name, { default: initial }] of fieldsOf(query)) {
        if (initial === undefined) continue;
        tried += 1;
        if (absent === null) continue;
        const sent = await validateQuery(query, { [name]: `${initial as string | number | boolean}` });
        expect([query.name, name, isDeepStrictEqual(sent, absent)]).toEqual([query.name, name, true]);
      }
    }
    expect(tried).toBeGreaterThan(5);
  });

  it('is not stated for lists that come whole unless a page is asked for', () => {
    const wholes = api.filter(({ operation }) => /ListOrPage"/.test(JSON.stringify(operation.responses)));
    expect(wholes.length).toBeGreaterThan(1);
    const stated = wholes.flatMap(({ name, operation }) =>
      parametersOf(DOCUMENT, operation, 'query')
        .filter(({ schema }) => schema.default !== undefined)
        .map((parameter) => `${name}: ${parameter.name}`),
    );
    expect(stated).toEqual([]);
  });

  it('is stated in no body: a change would reset what it does not name', () => {
    const bodies = operations.flatMap(({ operation }) =>
      Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema),
    );
    const stated = bodies.flatMap((schema) =>
      walk(resolve<Schema>(DOCUMENT, schema as Schema & { $ref: string }))
        .filter(([, node]) => node.default !== undefined)
        .map(([place]) => `${schema.$ref}${place}`),
    );
    expect(stated).toEqual([]);
  });
});
