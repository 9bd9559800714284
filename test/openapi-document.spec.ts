import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ErrorCode, ERRORS } from '../src/platform/kernel/errors/error-catalog.pure.js';
import type {
  MediaType,
  Operation,
  Parameter,
  Response,
} from '../src/platform/web/contract/openapi-types.js';
import { closed, DOCUMENT, DocumentSchemas } from './support/contract/document-schemas.js';
import { operationsOf, parametersOf, resolve } from './support/contract/operations.js';

const schemas = new DocumentSchemas(closed(DOCUMENT));
const operations = operationsOf(DOCUMENT);

type Place = string[];

/** Every object of the document with its place. */
function walk(node: unknown, place: Place = []): [Place, Record<string, unknown>][] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.entries(node).flatMap(([key, value]) => walk(value, [...place, key]));
  return Array.isArray(node) ? inside : [[place, node as Record<string, unknown>], ...inside];
}

/** Without what stands in examples, which is data. */
const OBJECTS = walk(DOCUMENT).filter(
  ([place]) =>
    !place.some((name, at) => ['example', 'value'].includes(name) && place[at - 1] !== 'properties'),
);

function find(place: Place): unknown {
  let node: unknown = DOCUMENT;
  for (const name of place) node = (node as Record<string, unknown> | undefined)?.[name];
  return node;
}

const fromPointer = (ref: string) => ref.replace(/^#\//, '').split('/');

/** Every `content` of a request or an answer. */
const MEDIA = OBJECTS.filter(([place]) => place.at(-2) === 'content') as [
  Place,
  Record<string, unknown> & MediaType,
][];

/** Webhooks included. */
const ALL: [string, Operation][] = [
  ...Object.entries(DOCUMENT.paths),
  ...Object.entries(DOCUMENT.webhooks),
].flatMap(([name, item]) =>
  Object.entries(item).map(([method, operation]): [string, Operation] => [`${method} ${name}`, operation]),
);

describe('the OpenAPI document', () => {
  it('has no dangling references', () => {
    const refs = OBJECTS.map(([, node]) => node['$ref']).filter((ref) => typeof ref === 'string');
    expect(refs.length).toBeGreaterThan(500);
    expect(refs.filter((ref) => find(fromPointer(ref)) === undefined)).toEqual([]);
  });

  it('has no component that nothing refers to', () => {
    const used = new Set(OBJECTS.map(([, node]) => node['$ref']));
    const { securitySchemes: _named, examples: _catalog, ...components } = DOCUMENT.components;
    const pointers = Object.entries(components).flatMap(([kind, members]) =>
      Object.keys(members).map((name) => `#/components/${kind}/${name}`),
    );
    expect(pointers.filter((pointer) => !used.has(pointer))).toEqual([]);
  });

  it('names components in a way that every generator accepts', () => {
    const names = Object.values(DOCUMENT.components).flatMap((members) => Object.keys(members as object));
    expect(names.filter((name) => !/^[a-zA-Z0-9._-]+$/.test(name))).toEqual([]);
  });

  it('has unique operation ids that generators can use', () => {
    const ids = ALL.map(([, { operationId }]) => operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes every operation, under a described tag', () => {
    const tags = DOCUMENT.tags.map(({ name }) => name);
    const poor = ALL.filter(
      ([, { summary, tags: own }]) => summary === '' || !own.every((tag) => tags.includes(tag)),
    );
    expect(poor).toEqual([]);
    expect(tags.filter((tag) => !ALL.some(([, { tags: own }]) => own.includes(tag)))).toEqual([]);
  });

  it('describes exactly the parameters of each path', () => {
    const shown = operations.map(({ path: template, operation }) => [
      template,
      parametersOf(DOCUMENT, operation, 'path')
        .map(({ name }) => name)
        .sort(),
    ]);
    const real = operations.map(({ path: template }) => [
      template,
      [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort(),
    ]);
    expect(shown).toEqual(real);
    const optional = operations.flatMap(({ operation }) =>
      parametersOf(DOCUMENT, operation, 'path').filter(({ required }) => !required),
    );
    expect(optional).toEqual([]);
  });

  it('uses only defined security schemes and scopes', () => {
    const schemes = Object.keys(DOCUMENT.components.securitySchemes);
    const used = ALL.flatMap(([, { security }]) =>
      security.flatMap((alternative) => Object.keys(alternative)),
    );
    expect([...new Set(used)].filter((name) => !schemes.includes(name))).toEqual([]);
  });

  it('describes every property, parameter and header', () => {
    const properties = OBJECTS.filter(([place]) => place.at(-2) === 'properties');
    const silent = properties.filter(
      ([, node]) => !node['description'] && !node['$ref'] && !hasReferences(node),
    );
    // The envelope says nothing itself: its `data` does, and the answer around it.
    expect(
      silent.map(([place]) => place.join('/')).filter((at) => !/\/properties\/(data|meta)$/.test(at)),
    ).toEqual([]);
    const parameters = ALL.flatMap(([, { parameters: own = [] }]) =>
      own.map((p) => resolve<Parameter>(DOCUMENT, p)),
    );
    expect(parameters.filter(({ description }) => description === '')).toEqual([]);
  });

  it('has an example of every JSON body', () => {
    const bare = MEDIA.filter(
      ([place, media]) => place.at(-1)?.endsWith('json') && !media.example && !media.examples,
    );
    // The authorization server's errors on its pages are the library's.
    expect(bare.map(([place]) => place.join(' ')).filter((at) => !at.includes('/api/oauth/'))).toEqual([]);
  });

  it('has examples of bodies that match their schema', () => {
    const wrong = MEDIA.flatMap(([place, { example, examples = {} }]) => {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map(
          (named) => resolve<{ summary: string; value: unknown }>(DOCUMENT, named).value,
        ),
      ];
      const check = schemas.at(...place, 'schema');
      return values.flatMap((value) => check(value).map((problem) => `${place.join(' ')}: ${problem}`));
    });
    expect(wrong).toEqual([]);
  });

  it('has examples of parameters and headers that match their schema', () => {
    const wrong = OBJECTS.filter(([, node]) => node['schema'] !== undefined && node['content'] === undefined)
      .filter(([place, node]) => node['example'] !== undefined && place.at(-2) !== 'content')
      .flatMap(([place, node]) =>
        schemas
          .at(
            ...place,
            'schema',
          )(node['example'])
          .map((p) => `${place.join(' ')}: ${p}`),
      );
    expect(wrong).toEqual([]);
  });

  it('lists errors with codes of the error catalog, each under its own status', () => {
    const answers = operations.flatMap(({ name, operation }) =>
      Object.entries(operation.responses).flatMap(([status, answer]) => {
        const { content = {} } = resolve<Response>(DOCUMENT, answer);
        return Object.keys(content['application/json']?.examples ?? {}).map((code) => ({
          name,
          status,
          code,
        }));
      }),
    );
    expect(answers.length).toBeGreaterThan(300);
    const wrong = answers.filter(
      ({ status, code }) => status !== 'default' && String(ERRORS[code as ErrorCode]?.status) !== status,
    );
    expect(wrong).toEqual([]);
  });

  it('lists the possible codes of every error', () => {
    const silent = operations.flatMap(({ name, operation }) =>
      Object.entries(operation.responses)
        .filter(([status]) => /^[45]|default/.test(status))
        .map(([status, answer]) => ({
          name,
          status,
          media: resolve<Response>(DOCUMENT, answer).content?.['application/json'],
        }))
        .filter(({ media }) => media?.schema.$ref === '#/components/schemas/Error' && !media.examples)
        .map(({ status }) => `${name} ${status}`),
    );
    expect(silent).toEqual([]);
  });

  it('lists every code of the error catalog that an operation can return', () => {
    const shown = new Set(
      Object.values(DOCUMENT.components.responses).flatMap(({ content = {} }) =>
        Object.keys(content['application/json']?.examples ?? {}),
      ),
    );
    // Refused before an operation is known.
    expect(Object.keys(ERRORS).filter((code) => !shown.has(code))).toEqual(['method_not_allowed']);
  });

  it('lists for each operation what can stop a request before it is reached', () => {
    const before = ['414', '429', '431', '500', '503'];
    const lacking = Object.entries(DOCUMENT.paths).flatMap(([name, item]) =>
      Object.entries(item).flatMap(([method, { responses }]: [string, Operation]) =>
        before
          .filter((status) => !(status in responses) && !('default' in responses))
          .map((status) => `${method} ${name} ${status}`),
      ),
    );
    expect(lacking).toEqual([]);
  });

  it('refers to files that exist', () => {
    const root = path.resolve(import.meta.dirname, '..');
    const named = [...new Set(JSON.stringify(DOCUMENT).match(/docs\/[\w-]+\.(md|json)/g))];
    const docs = readdirSync(path.join(root, 'docs')).map((file) => `docs/${file}`);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((file) => !docs.includes(file))).toEqual([]);
    expect(readFileSync(path.join(root, 'docs/errors.md'), 'utf8')).toContain('requestId');
  });
});

function hasReferences(node: Record<string, unknown>): boolean {
  return node['anyOf'] !== undefined;
}
