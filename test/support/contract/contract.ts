import { JsonError, parseExact } from '../../../src/platform/kernel/exact-json.pure.js';
import type { MediaType, Parameter, Response } from '../../../src/platform/web/contract/openapi-types.js';
import { type ErrorCode, ERRORS } from '../../../src/platform/kernel/errors/error-catalog.pure.js';
import { closed, DOCUMENT, DocumentSchemas } from './document-schemas.js';
import { type Located, operationsOf, resolve } from './operations.js';

/** One answered request. */
export interface Exchange {
  method: string;
  /** As the client sent it. */
  target: string;
  requestType: string | undefined;
  /** Null: none, or not read. */
  requestBody: Buffer | null;
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/** One webhook as it arrived. */
export interface SentWebhook {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Headers that mean something: where they come, the document says so. */
const MEANINGFUL_HEADERS = [
  'etag',
  'location',
  'retry-after',
  'www-authenticate',
  'idempotency-replayed',
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'deprecation',
  'sunset',
];

/** Refusals before an operation is known. */
const UNROUTED = [400, 404, 405, 406, 408, 413, 414, 415, 429, 431, 500, 503];

/** Holds answers against the document. */
export class Contract {
  private static built: Contract | null = null;

  /** The one of this process: its schemas take a second to compile. */
  static get(): Contract {
    return (this.built ??= new Contract());
  }

  private readonly answers = new DocumentSchemas(closed(DOCUMENT));
  private readonly requests = new DocumentSchemas(DOCUMENT);
  private readonly operations = operationsOf(DOCUMENT);

  /** What is wrong with an exchange, by the document; empty: nothing. */
  check(exchange: Exchange): string[] {
    const path = pathOf(exchange.target);
    // The most literal address decides which methods there are: no payment has the id "checkout".
    const [first, ...others] = this.operations.filter(({ pattern }) => pattern.test(path));
    const served = first ? [first, ...others.filter(({ names }) => names.length === first.names.length)] : [];
    const method = exchange.method === 'HEAD' ? 'get' : exchange.method.toLowerCase();
    const found = served.find((candidate) => candidate.method === method);
    const problems = found
      ? [...this.checkAnswer(found, exchange), ...this.checkRequest(found, exchange)]
      : this.checkUnrouted(exchange);
    const name = found?.name ?? `${exchange.method} ${path} (no operation)`;
    return problems.map((problem) => `${name}, ${exchange.status}: ${problem}`);
  }

  /** What is wrong with a webhook, by the document; empty: nothing. */
  checkWebhook({ headers, body }: SentWebhook): string[] {
    const event = String(headers['x-paymentservice-event']);
    const operation = DOCUMENT.webhooks[event]?.post;
    if (!operation) return [`webhook ${event}: it is not documented`];
    const place = ['webhooks', event, 'post'];
    const problems = (operation.parameters ?? []).flatMap((parameter, at) => {
      const { name, required = false } = resolve<Parameter>(DOCUMENT, parameter);
      const value = headers[name.toLowerCase()];
      if (value === undefined) return required ? [`the header ${name} is missing`] : [];
      const wrong = this.answers.at(...place, 'parameters', String(at), 'schema')(value);
      return wrong.map((problem) => `the header ${name}: ${problem}`);
    });
    const read = readJson(body);
    if ('problem' in read) problems.push(read.problem);
    else {
      const check = this.answers.at(...place, 'requestBody', 'content', 'application/json', 'schema');
      problems.push(...check(read.value), ...wrongTwins(read.value, '$'));
    }
    return problems.map((problem) => `webhook ${event}: ${problem}`);
  }

  private checkAnswer({ path, method, operation }: Located, exchange: Exchange): string[] {
    const status = String(exchange.status);
    const key = status in operation.responses || exchange.status < 400 ? status : 'default';
    const documented = operation.responses[key];
    if (!documented) return [`the status is not documented${codeOf(exchange)}`];
    const response = resolve<Response>(DOCUMENT, documented);
    const place =
      '$ref' in documented
        ? documented.$ref.replace('#/', '').split('/')
        : ['paths', path, method, 'responses', key];
    return [
      ...(key === 'default' ? checkCode(exchange) : []),
      ...this.checkHeaders(response, place, exchange),
      ...this.checkContent(response.content ?? {}, [...place, 'content'], exchange),
    ];
  }

  private checkHeaders({ headers = {} }: Response, place: string[], exchange: Exchange): string[] {
    const problems: string[] = [];
    const documented = new Map(
      Object.entries(headers).map(([name, header]) => [name.toLowerCase(), { name, header }]),
    );
    for (const [lower, { name, header }] of documented) {
      const value = exchange.headers[lower];
      if (value === undefined) {
        if (resolve(DOCUMENT, header).required) problems.push(`the header ${name} is missing`);
        continue;
      }
      const schema =
        '$ref' in header ? header.$ref.replace('#/', '').split('/') : [...place, 'headers', name];
      const wrong = this.answers.at(...schema, 'schema')(value);
      problems.push(...wrong.map((problem) => `the header ${name}: ${problem}`));
    }
    for (const name of MEANINGFUL_HEADERS)
      if (exchange.headers[name] !== undefined && !documented.has(name))
        problems.push(`the header ${name} is not documented`);
    return problems;
  }

  private checkContent(content: Record<string, MediaType>, place: string[], exchange: Exchange): string[] {
    const type = mediaType(exchange.headers['content-type']);
    const types = Object.keys(content);
    if (exchange.body.length === 0) {
      // What a redirect says beside its address is for people whose browser stays.
      const isRedirect = exchange.status >= 300 && exchange.status < 400;
      // An export without a row has no line.
      const isEmptyExport = type === 'application/jsonl';
      const isBodiless = exchange.method === 'HEAD' || types.length === 0 || isRedirect || isEmptyExport;
      return isBodiless ? [] : [`the body is empty, documented are ${types.join(', ')}`];
    }
    const media = content[type];
    if (!media) return [`the content type ${type || '(none)'} is not documented`];
    if (!type.endsWith('json')) return [];
    const body = readJson(exchange.body);
    if ('problem' in body) return [body.problem];
    const problems = [
      ...this.answers.at(...place, type, 'schema')(body.value),
      ...wrongTwins(body.value, '$'),
    ];
    const { code } = Object(body.value) as { code?: unknown };
    if (media.examples && typeof code === 'string' && !Object.hasOwn(media.examples, code))
      problems.push(`the code ${code} is not documented`);
    return problems;
  }

  /** Accepted requests must match the document; fields that are not read may be anything. */
  private checkRequest({ path, method, operation }: Located, exchange: Exchange): string[] {
    const type = mediaType(exchange.requestType);
    if (exchange.status >= 300 || !exchange.requestBody?.length || !operation.requestBody) return [];
    if (!operation.requestBody.content[type] || !type.endsWith('json')) return [];
    const body = readJson(exchange.requestBody);
    if ('problem' in body) return [];
    const check = this.requests.at('paths', path, method, 'requestBody', 'content', type, 'schema');
    return check(body.value).map((problem) => `accepted a body that is documented as wrong: ${problem}`);
  }

  /** An unknown path, or a method that the path does not take. */
  private checkUnrouted(exchange: Exchange): string[] {
    if (exchange.method === 'OPTIONS' && exchange.status === 204) return [];
    if (!UNROUTED.includes(exchange.status)) return ['the route is not documented'];
    if (exchange.status === 405 && !exchange.headers['allow']) return ['the header Allow is missing'];
    if (exchange.body.length === 0) return exchange.method === 'HEAD' ? [] : ['the body is empty'];
    if (mediaType(exchange.headers['content-type']) !== 'application/json')
      return pathOf(exchange.target).startsWith('/api/') ? ['the content type is not documented'] : [];
    const body = readJson(exchange.body);
    if ('problem' in body) return [body.problem];
    const isOAuth =
      /^(\/\.well-known\/oauth-authorization-server)?\/api\/oauth\b/i.test(pathOf(exchange.target)) &&
      Object.hasOwn(Object(body.value) as object, 'error');
    return this.answers.at('components', 'schemas', isOAuth ? 'OAuthError' : 'Error')(body.value);
  }
}

/** Also of the absolute form (RFC 9112, section 3.2.2). */
function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0] || '/';
}

function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function readJson(bytes: Buffer): { value: unknown } | { problem: string } {
  try {
    return { value: parseExact(bytes.toString('utf8')) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { problem: `the body is no JSON: ${error.message}` };
  }
}

/** Under `default` no status is written; each code has one. */
function checkCode(exchange: Exchange): string[] {
  const [, code = ''] = /"code":"(\w+)"/.exec(exchange.body.toString('utf8')) ?? [];
  const status = ERRORS[code as ErrorCode]?.status;
  return status === undefined || status === exchange.status ? [] : [`the status of ${code} is ${status}`];
}

function codeOf({ body }: Exchange): string {
  const [, code] = /"code":"(\w+)"/.exec(body.toString('utf8')) ?? [];
  return code ? ` (code ${code})` : '';
}

/** `amount` and `atomic` of one object, digit for digit. */
function wrongTwins(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { amount, atomic } = value as { amount?: unknown; atomic?: unknown };
  const wrong =
    typeof atomic === 'string' && String(amount as bigint) !== atomic
      ? [`${at} has amount ${String(amount as bigint)} and atomic ${atomic}`]
      : [];
  return [...wrong, ...Object.entries(value).flatMap(([key, item]) => wrongTwins(item, `${at}.${key}`))];
}
