import { RequestMethod, type Type } from '@nestjs/common';
import {
  GUARDS_METADATA,
  HTTP_CODE_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { exampleOf, fieldSchema, mayBeAbsent, titleOf } from '../platform/web/contract/contract.js';
import { fieldsOf } from '../platform/web/contract/field.js';
import { ref } from '../platform/web/contract/json-schema.js';
import type { Method, Parameter, Paths, Ref } from '../platform/web/contract/openapi-types.js';
import {
  LINK_ACCESS,
  OPERATION,
  type OperationOptions,
  PATH_PARAMETERS,
  type PathParameter,
  type ResponseBody,
} from '../platform/web/contract/operation.js';
import { DraftPipe, isContract } from '../platform/web/contract/read-contract.js';
import { IDEMPOTENT } from '../platform/web/idempotency/idempotency.js';
import { type AccountReach, leastRole, reachOf } from '../platform/kernel/account-roles.pure.js';
import { ACCESS_RULE, ACCOUNT_REACH, type AccessRule, effectOf } from '../platform/web/security/auth.js';
import { type OAuthArea, scopeNeeded } from '../platform/kernel/oauth-scopes.pure.js';
import { ContractSchemas } from './contract-schemas.js';
import { type Access, type DescribedRoute, describeOperation } from './operation.js';
import { parameter, SharedParameters } from './parameters.js';

/** Nest's numbers for `@Body()` and `@Query()` (RouteParamtypes, which is a const enum). */
const BODY = 3;
const QUERY = 4;
const DEFAULT_STATUS: Partial<Record<string, number>> = { post: 201 };

/** The operations of controllers, read from their decorators and those of their contracts. */
export class ControllerPaths {
  readonly paths: Paths = {};

  constructor(
    private readonly schemas: ContractSchemas,
    private readonly parameters: SharedParameters,
  ) {}

  /** @throws Error that names the class and the method, or the field, whose decorators are wrong */
  add(controller: Type<object>): void {
    const methods = Object.entries(Object.getOwnPropertyDescriptors(controller.prototype as object));
    for (const [name, { value }] of methods)
      if (typeof value === 'function' && Reflect.hasMetadata(METHOD_METADATA, value as object))
        this.addRoute(new Route(controller, name, value as object));
  }

  private addRoute(route: Route): void {
    try {
      const [path = ''] = route.paths;
      const item = (this.paths[path] ??= {});
      if (item[route.method]) throw new Error(`${route.method} ${path} has two handlers`);
      item[route.method] = describeOperation(route.describe(this.parameters));
      for (const body of route.bodies) this.schemas.add(body, 'body');
      for (const shown of route.responses) this.schemas.addResponse(shown);
    } catch (error) {
      throw new Error(`${route.label}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
}

/** One handler of a controller. */
class Route {
  constructor(
    private readonly controller: Type<object>,
    private readonly name: string,
    private readonly handler: object,
  ) {}

  get label(): string {
    return `${this.controller.name}.${this.name}`;
  }

  get method(): Method {
    return (RequestMethod[this.own<number>(METHOD_METADATA) ?? 0] ?? '').toLowerCase() as Method;
  }

  /** In the notation of OpenAPI; the first is the canonical one. */
  get paths(): string[] {
    const base = Reflect.getMetadata(PATH_METADATA, this.controller) as string;
    return [this.own<string | string[]>(PATH_METADATA) ?? ''].flat().map((path) =>
      `/${base}/${path}`
        .replace(/^\/+/, '/')
        .replace(/([^/])\/+$/, '$1')
        .replaceAll(/:(\w+)/g, '{$1}'),
    );
  }

  get bodies(): Type<object>[] {
    const body = this.classOf(BODY);
    return body ? [body] : [];
  }

  get responses(): ResponseBody[] {
    const { returns, alsoReturns = {} } = this.options;
    return [returns, ...Object.values(alsoReturns)];
  }

  describe(parameters: SharedParameters): DescribedRoute {
    const { options } = this;
    const [path = '', ...alsoServedAt] = this.paths;
    return {
      options,
      method: this.method,
      status: this.own<number>(HTTP_CODE_METADATA) ?? DEFAULT_STATUS[this.method] ?? 200,
      ...this.access,
      parameters: this.parametersOf(path, parameters),
      body: this.body,
      form: options.form ? describeForm(options.form) : null,
      isIdempotent: this.own<boolean>(IDEMPOTENT) === true,
      alsoServedAt,
    };
  }

  private get options(): OperationOptions {
    const options = this.own<OperationOptions>(OPERATION);
    if (!options) throw new Error('the route has no @Operation');
    return options;
  }

  private own<T>(key: string): T | undefined {
    return Reflect.getMetadata(key, this.handler) as T | undefined;
  }

  private ofController<T>(key: string): T | undefined {
    return Reflect.getMetadata(key, this.controller) as T | undefined;
  }

  private get access(): Pick<DescribedRoute, 'access' | 'oauthScope' | 'needsRecentSignIn' | 'leastRole'> {
    const targets = [this.controller, this.handler];
    const guards = targets.flatMap(
      (target) => (Reflect.getMetadata(GUARDS_METADATA, target) ?? []) as object[],
    );
    for (const checker of [...targets, ...guards]) {
      const link = Reflect.getMetadata(LINK_ACCESS, checker) as Access | undefined;
      if (link) return { access: link, oauthScope: '*', needsRecentSignIn: false, leastRole: null };
    }
    const rule = this.own<AccessRule>(ACCESS_RULE) ?? this.ofController<AccessRule>(ACCESS_RULE);
    if (!rule) throw new Error('the route has no access decorator');
    const declared = this.own<AccountReach>(ACCOUNT_REACH) ?? this.ofController<AccountReach>(ACCOUNT_REACH);
    return {
      access: rule.kind === 'scope' ? rule.scope : rule.kind,
      oauthScope: 'area' in rule ? scopeNeeded(rule.area, effectOf(rule, this.method)) : '*',
      needsRecentSignIn: 'needsRecentSignIn' in rule && rule.needsRecentSignIn === true,
      leastRole: 'area' in rule ? this.leastRoleFor(rule, declared) : null,
    };
  }

  private leastRoleFor(
    rule: AccessRule & { area: OAuthArea },
    declared: AccountReach | undefined,
  ): DescribedRoute['leastRole'] {
    const { area } = rule;
    const reach = reachOf(area, declared);
    return reach === 'person'
      ? null
      : leastRole({ method: effectOf(rule, this.method.toUpperCase()), area, reach });
  }

  /** The class of the `@Body()`, `@DraftBody()` or `@Query()` parameter. */
  private classOf(kind: number): Type<object> | null {
    const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, this.controller, this.name) ?? {}) as Record<
      string,
      { index: number; pipes: unknown[] }
    >;
    const types = (Reflect.getMetadata('design:paramtypes', this.controller.prototype as object, this.name) ??
      []) as unknown[];
    for (const [key, { index, pipes }] of Object.entries(args)) {
      if (!key.startsWith(`${kind}:`)) continue;
      const draft = pipes.find((pipe) => pipe instanceof DraftPipe);
      if (draft) return draft.contract;
      const type = types[index];
      if (isContract(type)) return type;
      // A query may also be injected as it is; a body is always read by its class.
      if (kind === BODY)
        throw new Error(`parameter ${index + 1}, the body, needs a contract class as its type`);
    }
    return null;
  }

  private parametersOf(path: string, shared: SharedParameters): (Parameter | Ref)[] {
    const ofRoute = this.own<Record<string, PathParameter>>(PATH_PARAMETERS) ?? {};
    const declared = { ...this.ofController<Record<string, PathParameter>>(PATH_PARAMETERS), ...ofRoute };
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const unknown = Object.keys(ofRoute).find((name) => !names.includes(name));
    if (unknown !== undefined) throw new Error(`@PathParameters describes :${unknown}, which ${path} lacks`);
    const inPath = names.map((name) => {
      const known = declared[name];
      if (!known) throw new Error(`@PathParameters does not describe :${name}`);
      return shared.ofPath(name, known);
    });
    const { query = this.classOf(QUERY), headers = {}, etag } = this.options;
    const inHeader = Object.entries(headers).map(([name, sent]): Parameter => {
      const { about, required, schema } =
        typeof sent === 'string'
          ? { about: sent, required: false, schema: { type: 'string' } as const }
          : sent;
      return { name, in: 'header', ...(required && { required }), description: about, schema };
    });
    const inQuery = query ? shared.ofQuery(query) : [];
    return [...inPath, ...inQuery, ...inHeader, ...(etag ? [parameter('IfNoneMatch')] : [])];
  }

  private get body(): DescribedRoute['body'] {
    const [body] = this.bodies;
    if (!body) return null;
    const { example, isWholeExample } = this.options.body ?? {};
    return {
      schema: ref(titleOf(body)),
      required: !mayBeAbsent(body),
      example: isWholeExample ? example : { ...exampleOf(body, 'body'), ...example },
    };
  }
}

/** Inline: the form of a page has no component name. */
function describeForm(form: Type<object>): DescribedRoute['form'] {
  const fields = [...fieldsOf(form)];
  const properties = fields.map(([name, field]) => [name, fieldSchema(field, 'body')]);
  const required = fields.filter(([, { optional }]) => !optional).map(([name]) => name);
  return {
    schema: { type: 'object', properties: Object.fromEntries(properties), required },
    example: exampleOf(form, 'body'),
  };
}
