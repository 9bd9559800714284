import type { OpenApiDocument, Operation } from '../src/platform/web/contract/openapi-types.js';
import type { Schema } from '../src/platform/web/contract/json-schema.js';
import { breakingChanges } from './support/contract/breaking-changes.js';
import { DOCUMENT } from './support/contract/document-schemas.js';

/** A small API with one of everything. */
function api(change: (document: OpenApiDocument, operation: Operation) => void = () => {}): OpenApiDocument {
  const operation: Operation = {
    operationId: 'createThing',
    tags: ['Things'],
    summary: 'Create a thing',
    security: [{ oauth2: ['*'] }, { clientToken: ['things.create'] }],
    parameters: [
      { name: 'id', in: 'path', required: true, description: '', schema: { type: 'string' } },
      { name: 'sort', in: 'query', description: '', schema: { type: 'string', enum: ['date', '-date'] } },
    ],
    requestBody: {
      required: false,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/New' } } },
    },
    responses: {
      200: {
        description: '',
        headers: { ETag: { description: '', schema: { type: 'string' } } },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
      },
      404: { description: '' },
    },
    'x-also-served-at': ['/api/stuff/{id}'],
  };
  const event: Operation = {
    operationId: 'onThing',
    tags: ['Things'],
    summary: 'A thing happened',
    security: [],
    parameters: [
      { name: 'webhook-id', in: 'header', required: true, description: '', schema: { type: 'string' } },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
    },
    responses: {},
  };
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [],
    tags: [],
    paths: { '/api/things/{id}': { post: operation } },
    webhooks: { 'thing.made': { post: event } },
    components: {
      schemas: {
        New: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', minLength: 1, maxLength: 255 },
            kind: { type: 'string', enum: ['a', 'b'] },
            note: { type: ['string', 'null'] },
            amount: { type: 'integer', minimum: 1, maximum: 100 },
            tags: { type: 'array', items: { type: 'string' }, maxItems: 10 },
            labels: {
              type: 'object',
              additionalProperties: { type: 'string' },
              propertyNames: { maxLength: 10 },
            },
          },
        },
        Thing: {
          type: 'object',
          required: ['id', 'status', 'parent'],
          properties: {
            id: { type: 'string', format: 'uuid' },
            status: { type: 'string', enum: ['OPEN', 'DONE'] },
            ratio: { type: 'number' },
            parent: { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] },
          },
        },
      },
      parameters: {},
      headers: {},
      examples: {},
      responses: {},
      securitySchemes: { oauth2: {}, clientToken: {} },
    },
  };
  change(document, operation);
  return document;
}

type Change = (document: OpenApiDocument, operation: Operation) => void;

/** The schema of a property, to be changed. */
function property(document: OpenApiDocument, schema: string, name: string): Schema {
  const found = document.components.schemas[schema]?.properties?.[name];
  if (!found) throw new Error(`no ${schema}.${name}`);
  return found;
}

function setProperty(schema: string, name: string, value: Schema): Change {
  return (document) => {
    const { properties = {} } = document.components.schemas[schema] ?? {};
    properties[name] = value;
  };
}

const change =
  (schema: string, name: string, values: Partial<Schema>): Change =>
  (document) =>
    void Object.assign(property(document, schema, name), values);

const BODY = 'POST /api/things/{id}, body: $';
const ANSWER = 'POST /api/things/{id}, 200: $';
const EVENT = 'webhook thing.made: $';

const BREAKS: [string, Change, string[]][] = [
  ['a path is gone', (d) => void (d.paths = {}), ['POST /api/things/{id}: the operation is gone']],
  [
    'an operation is gone',
    (d) => void (d.paths['/api/things/{id}'] = {}),
    ['POST /api/things/{id}: the operation is gone'],
  ],
  [
    'another id',
    (_, o) => void (o.operationId = 'makeThing'),
    ['POST /api/things/{id}: its id createThing is now makeThing'],
  ],
  [
    'a spelling of the path is gone',
    (_, o) => void delete o['x-also-served-at'],
    ['POST /api/things/{id}: it is no longer served at /api/stuff/{id}'],
  ],
  [
    'a status is gone',
    (_, o) => void delete o.responses['404'],
    ['POST /api/things/{id}: the answer 404 is gone'],
  ],
  [
    'a header is gone',
    (_, o) => void Object.assign(o.responses['200'] ?? {}, { headers: {} }),
    ['POST /api/things/{id}, 200: the header ETag is gone'],
  ],
  [
    'a content type is gone',
    (_, o) => void Object.assign(o.responses['200'] ?? {}, { content: {} }),
    ['POST /api/things/{id}, 200: the content type application/json is gone'],
  ],
  [
    'a scheme is gone from an operation',
    (_, o) => void o.security.pop(),
    ['POST /api/things/{id}: clientToken things.create is no longer enough'],
  ],
  [
    'another scope',
    (_, o) => void (o.security[1] = { clientToken: ['*'] }),
    ['POST /api/things/{id}: clientToken things.create is no longer enough'],
  ],
  [
    'a scheme is gone',
    (d) => void delete d.components.securitySchemes['oauth2'],
    ['the security scheme oauth2 is gone'],
  ],
  [
    'a parameter is gone',
    (_, o) => void o.parameters?.pop(),
    ['POST /api/things/{id}: the parameter sort (query) is gone'],
  ],
  [
    'a parameter becomes required',
    (_, o) => void Object.assign(o.parameters?.[1] ?? {}, { required: true }),
    ['POST /api/things/{id}: the parameter sort (query) is now required'],
  ],
  [
    'a new parameter is required',
    (_, o) =>
      void o.parameters?.push({ name: 'x', in: 'query', required: true, description: '', schema: {} }),
    ['POST /api/things/{id}: the parameter x (query) is new and required'],
  ],
  [
    'a parameter takes fewer values',
    (_, o) => void Object.assign(o.parameters?.[1] ?? {}, { schema: { type: 'string', enum: ['date'] } }),
    ['POST /api/things/{id}, sort (query): $ no longer takes -date'],
  ],
  [
    'a body becomes required',
    (_, o) => void Object.assign(o.requestBody ?? {}, { required: true }),
    ['POST /api/things/{id}: a body is now required'],
  ],
  [
    'a body is not read',
    (_, o) => void delete o.requestBody,
    ['POST /api/things/{id}: the body is no longer read'],
  ],
  [
    'a new field is required',
    (d) => void Object.assign(d.components.schemas['New'] ?? {}, { required: ['name', 'size'] }),
    [`${BODY}.size is now required`],
  ],
  [
    'a field becomes required',
    (d) => void Object.assign(d.components.schemas['New'] ?? {}, { required: ['name', 'kind'] }),
    [`${BODY}.kind is now required`],
  ],
  [
    'a sent field is gone',
    (d) => void delete d.components.schemas['New']?.properties?.['note'],
    [`${BODY}.note is gone`],
  ],
  ['fewer values', change('New', 'kind', { enum: ['a'] }), [`${BODY}.kind no longer takes b`]],
  [
    'values where all were taken',
    change('New', 'name', { enum: ['x'] }),
    [`${BODY}.name no longer takes every other value`],
  ],
  ['no null', change('New', 'note', { type: 'string' }), [`${BODY}.note is no longer taken as null`]],
  [
    'another type',
    change('New', 'amount', { type: 'string' }),
    [`${BODY}.amount is no longer taken as integer`],
  ],
  ['a higher minimum', change('New', 'amount', { minimum: 2 }), [`${BODY}.amount has a tighter minimum: 2`]],
  ['a lower maximum', change('New', 'amount', { maximum: 99 }), [`${BODY}.amount has a tighter maximum: 99`]],
  ['a longer minimum', change('New', 'name', { minLength: 3 }), [`${BODY}.name has a tighter minLength: 3`]],
  [
    'a shorter maximum',
    change('New', 'name', { maxLength: 99 }),
    [`${BODY}.name has a tighter maxLength: 99`],
  ],
  [
    'shorter names',
    change('New', 'labels', { propertyNames: { maxLength: 9 } }),
    [`${BODY}.labels.<name> has a tighter maxLength: 9`],
  ],
  ['fewer items', change('New', 'tags', { maxItems: 9 }), [`${BODY}.tags has a tighter maxItems: 9`]],
  ['unique items', change('New', 'tags', { uniqueItems: true }), [`${BODY}.tags must now have unique items`]],
  [
    'narrower items',
    change('New', 'tags', { items: { type: 'string', maxLength: 3 } }),
    [`${BODY}.tags[] has a tighter maxLength: 3`],
  ],
  ['a pattern', change('New', 'name', { pattern: '^x' }), [`${BODY}.name has a new pattern ^x`]],
  [
    'a format',
    change('New', 'name', { format: 'uri' }),
    [`${BODY}.name changes its format from none to uri`],
  ],
  [
    'a read field is gone',
    (d) => void delete d.components.schemas['Thing']?.properties?.['status'],
    [`${ANSWER}.status is gone`, `${EVENT}.status is gone`],
  ],
  [
    'a read field may be absent',
    (d) => void Object.assign(d.components.schemas['Thing'] ?? {}, { required: ['id', 'parent'] }),
    [`${ANSWER}.status may now be absent`, `${EVENT}.status may now be absent`],
  ],
  [
    'a read field may be null',
    change('Thing', 'status', { type: ['string', 'null'] }),
    [`${ANSWER}.status may now be null`, `${EVENT}.status may now be null`],
  ],
  [
    'an integer becomes any number',
    (d) => setProperty('Thing', 'ratio', { type: ['number', 'string'] })(d, {} as Operation),
    [`${ANSWER}.ratio may now be string`, `${EVENT}.ratio may now be string`],
  ],
  [
    'another format',
    change('Thing', 'id', { format: 'uri' }),
    [`${ANSWER}.id changes its format from uuid to uri`, `${EVENT}.id changes its format from uuid to uri`],
  ],
  ['an event is gone', (d) => void (d.webhooks = {}), ['webhook thing.made: it is gone']],
  [
    'a header of an event is gone',
    (d) => void Object.assign(d.webhooks['thing.made']?.post ?? {}, { parameters: [] }),
    ['webhook thing.made: the parameter webhook-id (header) is gone'],
  ],
];

const ADDITIONS: [string, Change][] = [
  ['nothing', () => {}],
  ['a path', (d) => void (d.paths['/api/more'] = {})],
  ['an event', (d) => void (d.webhooks['thing.broken'] = {})],
  ['a status', (_, o) => void (o.responses['409'] = { description: '' })],
  [
    'an optional parameter',
    (_, o) => void o.parameters?.push({ name: 'x', in: 'query', description: '', schema: {} }),
  ],
  ['an optional field', setProperty('New', 'size', { type: 'integer' })],
  ['a read field', setProperty('Thing', 'size', { type: 'integer' })],
  ['a value that is read', change('Thing', 'status', { enum: ['OPEN', 'DONE', 'LOST'] })],
  ['a value that is sent', change('New', 'kind', { enum: ['a', 'b', 'c'] })],
  ['wider bounds', change('New', 'name', { minLength: 0, maxLength: 300 })],
  ['no pattern', change('New', 'name', { pattern: undefined as never })],
  ['one more type that is sent', change('New', 'amount', { type: ['integer', 'string'] })],
  ['any number where an integer was sent', change('New', 'amount', { type: 'number' })],
  ['an integer where any number was read', change('Thing', 'ratio', { type: 'integer' })],
  ['one type less that is read', setProperty('Thing', 'parent', { type: 'null' })],
  ['one more way in', (_, o) => void o.security.push({ other: [] })],
  ['open to all', (_, o) => void (o.security = [])],
  ['a body that may be left out', (_, o) => void Object.assign(o.requestBody ?? {}, { required: false })],
];

describe('a breaking change', () => {
  it.each(BREAKS)('is that %s', (_name, make, changes) => {
    expect(breakingChanges(api(), api(make))).toEqual(changes);
  });
});

describe('no breaking change', () => {
  it('is an object or null, written as an alternative instead of two types', () => {
    const inline: Schema = {
      type: ['object', 'null'],
      properties: { a: { type: 'string' } },
      required: ['a'],
    };
    const object: Schema = { ...inline, type: 'object' };
    const before = setProperty('Thing', 'parent', inline);
    const after = setProperty('Thing', 'parent', { anyOf: [object, { type: 'null' }] });
    expect(breakingChanges(api(before), api(after))).toEqual([]);
    const without = setProperty('Thing', 'parent', { anyOf: [{ type: 'object' }, { type: 'null' }] });
    expect(breakingChanges(api(before), api(without))).toEqual([
      `${ANSWER}.parent.a is gone`,
      `${EVENT}.parent.a is gone`,
    ]);
  });

  it.each(ADDITIONS)('is %s', (_name, make) => {
    expect(breakingChanges(api(), api(make))).toEqual([]);
  });

  it('is a changed response of a page', () => {
    const page = api((_, operation) => void (operation['x-internal'] = true));
    const changed = api(
      (_, operation) => void Object.assign(operation, { responses: {}, 'x-internal': true }),
    );
    expect(breakingChanges(page, changed)).toEqual([]);
    expect(breakingChanges(api(), changed)).not.toEqual([]);
  });

  it('is reported between the document and itself', () => {
    expect(breakingChanges(DOCUMENT, DOCUMENT)).toEqual([]);
  });
});
