import type { Type } from '@nestjs/common';
import { oauthContracts, oauthPaths } from '../identity/oauth/oauth-operations.contract.js';
import { HEADERS } from '../platform/web/contract/headers.js';
import type {
  Method,
  OpenApiDocument,
  Operation,
  PathItem,
  Paths,
  Response,
  Server,
} from '../platform/web/contract/openapi-types.js';
import { ErrorContract } from '../platform/web/errors/error.contract.js';
import { type ErrorCode, ERRORS } from '../platform/kernel/errors/error-catalog.pure.js';
import { PageQuery } from '../platform/web/http/pagination.js';
import { CursorContract, PaginationContract } from '../platform/web/http/pagination.contract.js';
import { SCOPES } from '../platform/web/security/auth.js';
import { OAUTH_SCOPE_TEXTS } from '../platform/kernel/oauth-scopes.pure.js';
import { ContractSchemas } from './contract-schemas.js';
import { ControllerPaths } from './controller-paths.js';
import { defaultResponses, errorExamples, errorResponse, errorResponseName } from './errors.js';
import { INFO, TAGS } from './introduction.js';
import { SharedParameters } from './parameters.js';
import { describeWebhooks } from './webhooks.js';

/** Schemas that responses refer to, besides the contracts of their controllers. */
const GENERAL_CONTRACTS = [ErrorContract, PaginationContract, CursorContract, ...oauthContracts];

function byName<T>(members: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => a.localeCompare(b, 'en')));
}

function operations(paths: Paths): Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item));
}

/** Clients are generated with the ids. */
function checkOperationIds(paths: Paths): void {
  const ids = operations(paths).map(({ operationId }) => operationId);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new Error(`two operations have the id ${twice}`);
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

/** The error responses that operations refer to: one for each combination of codes. */
function errorResponses(paths: Paths): Record<string, Response> {
  const defaults = defaultResponses();
  const found = new Map<string, Response>();
  for (const response of operations(paths).flatMap((operation) => Object.values(operation.responses))) {
    if (!('$ref' in response)) continue;
    const name = response.$ref.slice(RESPONSE.length);
    if (Object.hasOwn(defaults, name)) continue;
    if (!found.has(name)) found.set(name, errorResponse(codesOfName(name)));
  }
  return byName({ ...Object.fromEntries(found), ...defaults });
}

/** Some codes belong to no operation, e.g. 405. */
function usedExamples(parts: unknown): Set<string | undefined> {
  const refs = JSON.stringify(parts).matchAll(/"#\/components\/examples\/(\w+)"/g);
  return new Set([...refs].map(([, name]) => name));
}

function codesOfName(name: string): ErrorCode[] {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) =>
    name.split('_').includes(errorResponseName([code])),
  );
  if (errorResponseName(codes) !== name) throw new Error(`unknown error response: ${name}`);
  return codes;
}

/** The address of the development profile, for the copy in the repository. */
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
  const schemas = new ContractSchemas();
  const parameters = new SharedParameters();
  const described = new ControllerPaths(schemas, parameters);
  for (const contract of GENERAL_CONTRACTS) schemas.add(contract, 'response');
  parameters.ofQuery(PageQuery);
  for (const controller of controllers) described.add(controller);
  const paths = sorted({ ...described.paths, ...oauthPaths });
  checkOperationIds(paths);
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
      schemas: byName(schemas.components),
      parameters: byName(parameters.components),
      headers: HEADERS,
      examples: errorExamples((code) => used.has(code)),
      responses,
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          description:
            'The objects of one user: for dashboards and for the server of the merchant. Each operation names the scope ' +
            'that it needs; `*` includes all of them, except for `wallets:write`.',
          flows: {
            authorizationCode: {
              authorizationUrl: `${baseUrl}/api/oauth/authorize`,
              tokenUrl: `${baseUrl}/api/oauth/token`,
              refreshUrl: `${baseUrl}/api/oauth/token`,
              scopes: {
                ...OAUTH_SCOPE_TEXTS,
                openid: 'Who signed in: an `id_token`, and the userinfo endpoint.',
                email: 'Their email address.',
                profile: 'Their name.',
              },
            },
            clientCredentials: { tokenUrl: `${baseUrl}/api/oauth/token`, scopes: OAUTH_SCOPE_TEXTS },
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
