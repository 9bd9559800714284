import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { ACCESS_RULE, type AccessRule } from '../../../src/platform/web/security/auth.js';
import { IDEMPOTENT } from '../../../src/platform/web/idempotency/idempotency.js';
import { fieldsOf as declaredFields } from '../../../src/platform/web/contract/field.js';
import { DraftPipe } from '../../../src/platform/web/contract/read-contract.js';
import { OAUTH_ROUTES } from '../../../src/identity/oauth/oidc-provider.js';
import type { TestGateway } from '../test-gateway.js';
import { CONTROLLERS } from './document-schemas.js';

/** A route with its names left out: `GET /api/payment/{}`. */
export type RouteKey = string;

export function routeKey(method: string, path: string): RouteKey {
  return `${method.toUpperCase()} ${path.replace(/:\w+|\{\w+\}/g, '{}')}`;
}

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

/** What Express would answer, and what the authorization server in front of it takes. */
export function registeredRoutes({ app }: TestGateway): RouteKey[] {
  const { router } = app.getHttpAdapter().getInstance() as unknown as { router: { stack: Layer[] } };
  const nest = router.stack.flatMap(({ route }) =>
    route ? Object.keys(route.methods).map((method) => routeKey(method, route.path)) : [],
  );
  const oauth = Object.entries(OAUTH_ROUTES).flatMap(([path, methods]) =>
    methods
      .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
      .map((method) => routeKey(method, `/api/oauth${path}`)),
  );
  return [...nest, ...oauth, ...BY_PATTERN].sort();
}

/** What oauth-server.ts knows by pattern, and by a mount of its own. */
const BY_PATTERN = [
  'GET /api/oauth/authorize/{}',
  'GET /api/oauth/interaction/{}',
  'POST /api/oauth/interaction/{}',
  'GET /.well-known/oauth-authorization-server/api/oauth',
];

/** A field of a DTO. */
export interface DtoField {
  name: string;
  isRequired: boolean;
  isNullable: boolean;
}

/** What the decorators of one handler say. */
export interface Handler {
  key: RouteKey;
  name: string;
  access: AccessRule | undefined;
  takesKey: boolean;
  /** Null: no DTO. */
  body: DtoField[] | null;
  query: DtoField[] | null;
}

/** Nest's numbers for `@Body()` and `@Query()` (RouteParamtypes, which is a const enum). */
const BODY = 3;
const QUERY = 4;

/** Every handler, once for each of its paths. */
export function handlers({ app }: TestGateway): Handler[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as Type<object>),
  );
  return controllers.flatMap((controller) =>
    Object.entries(Object.getOwnPropertyDescriptors(controller.prototype as object))
      .filter(
        ([, { value }]) =>
          typeof value === 'function' && Reflect.hasMetadata(METHOD_METADATA, value as object),
      )
      .flatMap(([name, { value }]) => describe(controller, name, value as object)),
  );
}

function describe(controller: Type<object>, name: string, handler: object): Handler[] {
  const paths = [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat();
  const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] ?? '';
  const metadata = (key: string) =>
    (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller)) as unknown;
  return paths.map((path) => ({
    key: routeKey(method, `/${base}/${path}`.replaceAll(/\/+/g, '/').replace(/(?<=.)\/$/, '')),
    name: `${controller.name}.${name}`,
    access: metadata(ACCESS_RULE) as AccessRule | undefined,
    takesKey: metadata(IDEMPOTENT) === true,
    body: fieldsOf(dtoOf(controller, name, BODY)),
    query: fieldsOf(dtoOf(controller, name, QUERY)),
  }));
}

/** The class of a `@Body()` or `@Query()` parameter; a plain object type is none. */
function dtoOf(controller: Type<object>, name: string, kind: number): Type<object> | null {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { index: number; pipes: unknown[] }
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) ??
    []) as Type<object>[];
  const classes = Object.entries(args)
    .filter(([key]) => key.startsWith(`${kind}:`))
    .map(([, { index, pipes }]) => {
      const draft = pipes.find((pipe) => pipe instanceof DraftPipe);
      return draft ? (draft.contract as Type<object>) : types[index];
    })
    .filter((type): type is Type<object> => type !== undefined && type !== Object);
  if (classes.length > 1) throw new Error(`${controller.name}.${name} reads two DTOs of a kind`);
  return classes[0] ?? null;
}

/** The class of every query, each once. */
export function queryClasses(): Type<object>[] {
  const found = CONTROLLERS.flatMap((controller) =>
    Object.getOwnPropertyNames(controller.prototype).flatMap((name) => dtoOf(controller, name, QUERY) ?? []),
  );
  return [...new Set(found)];
}

function fieldsOf(dto: Type<object> | null): DtoField[] | null {
  if (!dto) return null;
  return [...declaredFields(dto)]
    .filter(([, { isAlias }]) => !isAlias)
    .map(([name, field]) => ({
      name,
      isRequired: field.optional !== true,
      isNullable: field.nullable === true,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
