import fc, { type Arbitrary } from 'fast-check';
import type { OpenApiDocument, Operation, Parameter } from '../../src/platform/web/contract/openapi-types.js';
import { type Located, operationsOf, resolve } from '../support/contract/operations.js';
import { JsonArbitraries, sometimes, text } from './json-arbitraries.js';
import { CONTENT_TYPES, HOSTILE_HEADERS, HOSTILE_PATHS, HOSTILE_QUERIES, HOSTILE_TEXTS } from './payloads.js';
import { placeholder, poolOf, poolOfParameter } from './pools.js';

/** A request as data, so that a failing one can be kept in a file. `{{pool:index}}` stands for what exists. */
export interface FuzzRequest {
  /** The operation it aims at, or "unrouted". */
  operation: string;
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | null;
  encoding: 'utf8' | 'utf16le' | 'latin1';
}

type Pairs = (readonly [string, string])[];

/** Operations that hash a password: a tenth of a second of one core each (argon2id), so they come rarely. */
const SLOW = new Set(['createToken', 'submitSignInPage', 'changePassword', 'introspectToken', 'revokeToken']);

/** Every operation of the document, and what is none. */
export class RequestArbitraries {
  private readonly json: JsonArbitraries;

  constructor(private readonly document: OpenApiDocument) {
    this.json = new JsonArbitraries(document);
  }

  any(): Arbitrary<FuzzRequest> {
    const operations = operationsOf(this.document).map((located) => ({
      weight: SLOW.has(located.operation.operationId) ? 1 : 20,
      arbitrary: this.of(located),
    }));
    return fc.oneof({ weight: 40, arbitrary: this.unrouted() }, ...operations);
  }

  private of({ path, method, operation }: Located): Arbitrary<FuzzRequest> {
    const parameters = (operation.parameters ?? []).map((given) =>
      resolve<Parameter>(this.document, given as Parameter),
    );
    const [inPath, inQuery] = ['path', 'query'].map((place) =>
      parameters.filter((parameter) => parameter.in === place),
    );
    return fc
      .record({
        target: this.target(path, inPath ?? [], inQuery ?? []),
        headers: this.headers(operation, method === 'post'),
        body: this.body(operation),
        method: fc.oneof(
          { weight: 30, arbitrary: fc.constant(method.toUpperCase()) },
          { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PATCH', 'DELETE', 'PUT', 'POST') },
        ),
        encoding: encoding(),
      })
      .map((request) => ({ operation: operation.operationId, ...request }));
  }

  private unrouted(): Arbitrary<FuzzRequest> {
    const known = operationsOf(this.document).map(({ path }) => path);
    const segment = fc.oneof(
      fc.constantFrom(...known.flatMap((path) => path.split('/'))),
      fc.constantFrom(...HOSTILE_TEXTS).map(escape),
      fc.string({ unit: 'binary' }).map(escape),
    );
    return fc
      .record({
        target: fc.oneof(
          fc.constantFrom(...HOSTILE_PATHS),
          fc.array(segment, { maxLength: 7 }).map((segments) => `/${segments.join('/')}`),
        ),
        headers: this.headers({ security: [] } as unknown as Operation, false),
        body: fc.option(fc.constantFrom('{}', '', 'x')),
        method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'),
        encoding: fc.constant('utf8' as const),
      })
      .map((request) => ({ operation: 'unrouted', ...request }));
  }

  /** The path with something in its places, and a query. */
  private target(path: string, inPath: Parameter[], inQuery: Parameter[]): Arbitrary<string> {
    // One index for the whole request: a payment and the signature of its own link.
    const index = fc.nat(400);
    const places = fc.tuple(...inPath.map((parameter) => pathValue(path, parameter)));
    const signed = inQuery.filter(({ required }) => required);
    const free = inQuery.filter(({ required }) => !required);
    const query = fc.oneof(
      { weight: 12, arbitrary: this.query(path, signed, free) },
      { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_QUERIES) },
    );
    return fc.tuple(index, places, query).map(([number, values, search]) => {
      let filled = path;
      inPath.forEach(({ name }, i) => (filled = filled.replace(`{${name}}`, () => values[i] ?? '')));
      return (search === '' ? filled : `${filled}?${search}`).replaceAll(':*}}', `:${number}}}`);
    });
  }

  private query(path: string, signed: readonly Parameter[], free: readonly Parameter[]): Arbitrary<string> {
    const required = signed.map((parameter) =>
      fc.oneof(
        { weight: 12, arbitrary: fc.constant(requiredValue(path, parameter)) },
        { weight: 1, arbitrary: fc.constantFrom('', ...HOSTILE_TEXTS).map(escape) },
      ),
    );
    const optional = free.map((parameter) =>
      sometimes(this.queryValue(parameter), 3).map((value) => [parameter.name, value] as const),
    );
    const noise = sometimes(fc.constantFrom(...HOSTILE_QUERIES), 12);
    return fc
      .tuple(fc.tuple(...required), fc.tuple(...optional), noise)
      .map(([first, rest, junk]) =>
        [
          ...signed.map(({ name }, i) => `${name}=${first[i] ?? ''}`),
          ...rest.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`])),
          ...(junk === null ? [] : [junk]),
        ].join('&'),
      );
  }

  private queryValue({ name, schema, example }: Parameter): Arbitrary<string> {
    const pool = poolOf(name);
    const made = this.json.value(schema).map((json) => escape(json.replace(/^"|"$/g, '')));
    const right = pool
      ? fc.nat(50).map((index) => placeholder(pool, index))
      : typeof example === 'string'
        ? fc.oneof({ weight: 4, arbitrary: fc.constant(escape(example)) }, { weight: 1, arbitrary: made })
        : made;
    return fc.oneof(
      { weight: 9, arbitrary: right },
      { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_TEXTS).map(escape) },
    );
  }

  private headers(operation: Operation, isPost: boolean): Arbitrary<Record<string, string>> {
    const isPublic = operation.security.length === 0;
    const bearer = fc.oneof(
      { weight: 12, arbitrary: fc.constant(0) },
      { weight: 4, arbitrary: fc.nat(20) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
    const type = fc.oneof(
      { weight: 15, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: fc.constantFrom(...CONTENT_TYPES) },
    );
    const key = fc.oneof(
      fc.uuid(),
      fc.constantFrom('one', 'two', '"three"'),
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 }),
    );
    return fc
      .record({
        bearer: isPublic ? fc.constant(null) : bearer,
        type,
        key: isPost ? sometimes(key, 2) : fc.constant(null),
        noise: sometimes(fc.constantFrom(...HOSTILE_HEADERS), 8),
      })
      .map((choice) => {
        const pairs: Pairs = [
          ...(choice.bearer === null
            ? []
            : [['authorization', `Bearer ${placeholder('bearer', choice.bearer)}`] as const]),
          ['content-type', choice.type],
          ...(choice.key === null ? [] : [['idempotency-key', choice.key.trim()] as const]),
          ...(choice.noise === null ? [] : [choice.noise]),
        ];
        return Object.fromEntries(pairs);
      });
  }

  private body({ requestBody }: Operation): Arbitrary<string | null> {
    if (!requestBody) return fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constantFrom('', '{}'));
    const [media] = Object.entries(requestBody.content)
      .filter(([type]) => type === 'application/json')
      .map(([, content]) => content);
    if (!media) return fc.constantFrom('', 'a=b', 'email=a%40b.test&password=x', '%', 'a=1&a=2');
    return fc.oneof(
      { weight: 20, arbitrary: this.json.body(media.schema, media.example) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
  }
}

/** Mostly something that exists, under the index that the request gets (`*`). */
function pathValue(path: string, { name, schema, example }: Parameter): Arbitrary<string> {
  const pool = poolOfParameter(path, name);
  const known = schema.enum ?? (typeof example === 'string' ? [example] : []);
  const right = pool
    ? fc.constant(`{{${pool}:*}}`)
    : known.length > 0
      ? fc.constantFrom(...known.map(String))
      : text(schema).map(escape);
  return fc.oneof(
    { weight: 12, arbitrary: right },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_TEXTS).map(escape) },
  );
}

function requiredValue(path: string, { name, example }: Parameter): string {
  const pool = poolOfParameter(path, name);
  return pool ? `{{${pool}:*}}` : escape(typeof example === 'string' ? example : '');
}

function encoding(): Arbitrary<FuzzRequest['encoding']> {
  return fc.oneof(
    { weight: 60, arbitrary: fc.constant('utf8' as const) },
    { weight: 1, arbitrary: fc.constantFrom('utf16le' as const, 'latin1' as const) },
  );
}

/** Percent-encodes; lone surrogates go as the replacement character, as from a careless client. */
function escape(value: string): string {
  return encodeURIComponent(Buffer.from(value).toString()).slice(0, 9_000);
}
