import type { Type } from '@nestjs/common';
import { SCOPES } from '../platform/security/auth.js';
import type { ErrorCode } from '../platform/errors/error-catalog.pure.js';
import { ERRORS } from '../platform/errors/error-catalog.pure.js';
import { PageQuery } from '../platform/http/pagination.js';
import { contractSchemas, describeControllers, sharedParameters } from './controller-paths.js';
import { errorExamples, errorResponse, errorResponseName } from './errors.js';
import { HEADERS } from './headers.js';
import { INFO, TAGS } from './introduction.js';
import type {
  Method,
  OpenApiDocument,
  Operation,
  PathItem,
  Paths,
  Response,
  Server,
} from './openapi-types.js';
import { PARAMETERS } from './parameters.js';
import { oauthPaths } from './paths/oauth.js';
import type { Schemas } from '../platform/contract/json-schema.js';
import { commonSchemas } from './schemas/common.js';
import { serviceSchemas } from './schemas/service.js';
import { describeWebhooks } from './webhooks.js';

/** The operations of modules that are not described by their contracts yet. */
const PATHS: readonly Paths[] = [oauthPaths];

const SCHEMAS: readonly Schemas[] = [commonSchemas, serviceSchemas];

/** One object of several, where no key may come twice. */
function join<T>(parts: readonly Record<string, T>[]): Record<string, T> {
  const joined: Record<string, T> = {};
  for (const [key, value] of parts.flatMap((part) => Object.entries(part))) {
    if (Object.hasOwn(joined, key)) throw new Error(`documented twice: ${key}`);
    joined[key] = value;
  }
  return joined;
}

function byName<T>(members: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => a.localeCompare(b, 'en')));
}

function operations(paths: Paths): Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item));
}

/** In the order of the tags; below one tag in that of the controllers. */
function sorted(paths: Paths): Paths {
  const order = TAGS.map(({ name }) => name);
  const rank = (path: string) => order.indexOf(Object.values(paths[path] ?? {})[0]?.tags[0] ?? '');
  return Object.fromEntries(
    Object.entries(paths)
      .sort(([a], [b]) => rank(a) - rank(b))
      .map(([path, item]) => [path, inOrder(item)]),
  );
}

function inOrder(item: PathItem): PathItem {
  const methods: Method[] = ['get', 'post', 'put', 'delete'];
  return Object.fromEntries(methods.flatMap((method) => (item[method] ? [[method, item[method]]] : [])));
}

const RESPONSE = '#/components/responses/';

/** The answers that operations refer to: one for each set of codes that some operation can have. */
function errorResponses(paths: Paths): Record<string, Response> {
  const byName = new Map<string, Response>();
  for (const response of operations(paths).flatMap((operation) => Object.values(operation.responses))) {
    if (!('$ref' in response)) continue;
    const name = response.$ref.slice(RESPONSE.length);
    if (!byName.has(name)) byName.set(name, errorResponse(codesOfName(name)));
  }
  return Object.fromEntries([...byName].sort(([a], [b]) => a.localeCompare(b, 'en')));
}

/** Not every code is an answer of some operation: 405 comes where there is none. */
function usedExamples(parts: unknown): Set<string | undefined> {
  const refs = JSON.stringify(parts).matchAll(/"#\/components\/examples\/(\w+)"/g);
  return new Set([...refs].map(([, name]) => name));
}

function codesOfName(name: string): ErrorCode[] {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) =>
    name.split('_').includes(errorResponseName([code])),
  );
  if (errorResponseName(codes) !== name) throw new Error(`no such answer: ${name}`);
  return codes;
}

/** Of what `npm start` brings up: what the copy in the repository, which belongs to no gateway, is filled in with. */
const DEVELOPMENT_BASE_URL = 'http://localhost:3000';
const ANY_SERVER: Server = {
  url: '{baseUrl}',
  description: 'Your gateway.',
  variables: {
    baseUrl: {
      default: DEVELOPMENT_BASE_URL,
      description: 'Its public address (`BASE_URL`); the default is that of the development profile.',
    },
  },
};

/**
 * The whole API (OpenAPI 3.1.0).
 * @param controllers whose routes and contracts it describes
 * @param publicUrl of the gateway that serves the document; none for the copy in the repository
 */
export function createDocument(
  controllers: readonly Type<object>[],
  version: string,
  publicUrl?: string,
): OpenApiDocument {
  const described = describeControllers(controllers);
  const paths = sorted(join([...PATHS, described.paths]));
  const responses = errorResponses(paths);
  const used = usedExamples([paths, responses]);
  const baseUrl = publicUrl ?? DEVELOPMENT_BASE_URL;
  return {
    openapi: '3.1.0',
    info: { ...INFO, contact: { name: 'The operator of this gateway', url: baseUrl }, version },
    servers: [publicUrl ? { url: publicUrl, description: 'This gateway.' } : ANY_SERVER],
    tags: TAGS,
    paths,
    webhooks: describeWebhooks(),
    components: {
      schemas: byName(join([...SCHEMAS, contractSchemas(described)])),
      parameters: byName({ ...PARAMETERS, ...sharedParameters(PageQuery), ...described.parameters }),
      headers: HEADERS,
      examples: errorExamples((code) => used.has(code)),
      responses,
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          description:
            'Full access to the objects of one user: for dashboards and for the server of the merchant.',
          flows: {
            authorizationCode: {
              authorizationUrl: `${baseUrl}/api/oauth/authorize`,
              tokenUrl: `${baseUrl}/api/oauth/token`,
              refreshUrl: `${baseUrl}/api/oauth/token`,
              scopes: {
                '*': 'Everything.',
                openid: 'Who signed in: an `id_token`, and the userinfo endpoint.',
                email: 'Their email address.',
                profile: 'Their name.',
              },
            },
            clientCredentials: { tokenUrl: `${baseUrl}/api/oauth/token`, scopes: { '*': 'Everything.' } },
          },
        },
        clientToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A client token of one payment application (`pct_…`), sent as `Authorization: Bearer <token>`. Each ' +
            `operation names the scope that it needs, of ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}; \`*\` is all.`,
        },
        oauthClient: {
          type: 'http',
          scheme: 'basic',
          description: 'Id and secret of an OAuth2 client (RFC 6749, section 2.3.1).',
        },
      },
    },
  };
}
