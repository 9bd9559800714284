import { isDeepStrictEqual } from 'node:util';
import { RequestMethod, type Type } from '@nestjs/common';
import {
  GUARDS_METADATA,
  HTTP_CODE_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { exampleOf, fieldSchema, reachableFrom, schemaOf, titleOf } from '../platform/contract/contract.js';
import { type Direction, type Field, fieldsOf, type NamedSchema } from '../platform/contract/field.js';
import { list, ref } from '../platform/contract/json-schema.js';
import {
  LINK_ACCESS,
  OPERATION,
  type OperationOptions,
  PATH_PARAMETERS,
  type PathParameter,
  type ResponseBody,
} from '../platform/contract/operation.js';
import { DraftPipe, isDto } from '../platform/contract/read-dto.js';
import { IDEMPOTENT } from '../platform/idempotency/idempotency.js';
import { ACCESS_RULE, type AccessRule } from '../platform/security/auth.js';
import { header } from './headers.js';
import type { Method, Parameter, Paths, Ref } from './openapi-types.js';
import {
  type Access,
  type Answer,
  cursorPage,
  data,
  listOrPage,
  operation,
  type OperationSpec,
  page,
  parameter,
} from './operation.js';

/** What the decorators of controllers and contracts say, in the form of the document. */
export interface DescribedRoutes {
  paths: Paths;
  /** The named schemas, each with how it is used. */
  contracts: Map<NamedSchema, Direction>;
  parameters: Record<string, Parameter>;
}

/** Nest's numbers for `@Body()` and `@Query()` (RouteParamtypes, which is a const enum). */
const BODY = 3;
const QUERY = 4;
const DEFAULT_STATUS: Partial<Record<string, number>> = { post: 201 };

/** Reads every route that has `@Operation`. */
export function describeControllers(controllers: readonly Type<object>[]): DescribedRoutes {
  const described: DescribedRoutes = { paths: {}, contracts: new Map(), parameters: {} };
  for (const controller of controllers) {
    const methods = Object.entries(Object.getOwnPropertyDescriptors(controller.prototype as object));
    for (const [name, { value }] of methods)
      if (typeof value === 'function' && Reflect.hasMetadata(OPERATION, value as object))
        new Route(controller, name, value as object).describe(described);
  }
  return described;
}

/** One handler of a controller. */
class Route {
  private readonly options: OperationOptions;
  private readonly body: Type<object> | null;
  private readonly query: Type<object> | null;

  constructor(
    private readonly controller: Type<object>,
    private readonly name: string,
    private readonly handler: object,
  ) {
    this.options = this.own<OperationOptions>(OPERATION) as OperationOptions;
    this.body = this.classOf(BODY);
    this.query = this.options.query ?? this.classOf(QUERY);
  }

  describe(described: DescribedRoutes): void {
    const [path = '', ...others] = this.paths();
    const method = (RequestMethod[this.own<number>(METHOD_METADATA) ?? 0] ?? '').toLowerCase();
    const item = (described.paths[path] ??= {});
    if (item[method as Method]) throw new Error(`documented twice: ${method} ${path}`);
    const { options } = this;
    const status = this.own<number>(HTTP_CODE_METADATA) ?? DEFAULT_STATUS[method] ?? 200;
    const responses = { [status]: options.returns, ...options.alsoReturns };
    item[method as Method] = operation({
      id: options.id,
      tag: options.tag,
      summary: options.summary,
      ...(options.description !== undefined && { description: options.description }),
      access: this.access(),
      parameters: this.parameters(path, described),
      ...(this.body && { body: this.describeBody(this.body) }),
      ...(options.form && { form: describeForm(options.form) }),
      isIdempotent: this.own<boolean>(IDEMPOTENT) === true,
      answers: this.answers(responses),
      errors: options.errors ?? [],
      ...(others.length > 0 && { alsoServedAt: others }),
      ...(options.isInternal && { isInternal: true }),
      ...(options.hasErrorPages && { hasErrorPages: true }),
    });
    this.collect(this.body, 'body', described);
    for (const { item: shown } of Object.values(responses)) this.collect(shown, 'response', described);
  }

  private own<T>(key: string): T | undefined {
    return Reflect.getMetadata(key, this.handler) as T | undefined;
  }

  private ownOrClass<T>(key: string): T | undefined {
    return this.own<T>(key) ?? (Reflect.getMetadata(key, this.controller) as T | undefined);
  }

  /** In the form of OpenAPI; the first is the canonical one. */
  private paths(): string[] {
    const base = Reflect.getMetadata(PATH_METADATA, this.controller) as string;
    return [this.own<string | string[]>(PATH_METADATA) ?? ''].flat().map((path) =>
      `/${base}/${path}`
        .replace(/^\/+/, '/')
        .replace(/(?<=.)\/+$/, '')
        .replaceAll(/:(\w+)/g, '{$1}'),
    );
  }

  private access(): Access {
    const targets = [this.controller, this.handler];
    const guards = targets.flatMap(
      (target) => (Reflect.getMetadata(GUARDS_METADATA, target) ?? []) as object[],
    );
    for (const checker of [...targets, ...guards]) {
      const link = Reflect.getMetadata(LINK_ACCESS, checker) as Access | undefined;
      if (link) return link;
    }
    const rule = this.ownOrClass<AccessRule>(ACCESS_RULE);
    if (!rule) throw new Error(`${this.controller.name}.${this.name} does not say who may call it`);
    return rule.kind === 'scope' ? rule.scope : rule.kind;
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
      if (draft) return draft.dto;
      const type = types[index];
      if (isDto(type)) return type;
    }
    return null;
  }

  private parameters(path: string, described: DescribedRoutes): (Parameter | Ref)[] {
    const declared: Readonly<Record<string, PathParameter>> = {
      ...(Reflect.getMetadata(PATH_PARAMETERS, this.controller) as object | undefined),
      ...this.own<object>(PATH_PARAMETERS),
    };
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const known = declared[name];
      if (!known) throw new Error(`${this.controller.name}.${this.name}: :${name} has no @PathParameters`);
      return shared(pathParameter(name, known), known.component, described);
    });
    const inQuery = [...(this.query ? fieldsOf(this.query) : [])].map(([name, field]) =>
      shared(queryParameter(name, field), field.component, described),
    );
    const inHeader = Object.entries(this.options.headers ?? {}).map(([name, about]): Parameter => ({
      name,
      in: 'header',
      description: about,
      schema: { type: 'string' },
    }));
    return [...inPath, ...inQuery, ...inHeader, ...(this.options.etag ? [parameter('IfNoneMatch')] : [])];
  }

  private describeBody(body: Type<object>): NonNullable<OperationSpec['body']> {
    const { example, isWholeExample, description, required } = this.options.body ?? {};
    return {
      schema: ref(titleOf(body)),
      example: isWholeExample ? example : { ...exampleOf(body, 'body'), ...example },
      ...(description !== undefined && { description }),
      ...(required !== undefined && { required }),
    };
  }

  private answers(declared: Record<number, ResponseBody>): Record<number, Answer> {
    const etag = this.options.etag && { headers: { ETag: header('ETag') } };
    const answers = Object.entries(declared).map(([status, answer]): [string, Answer] => [
      status,
      { ...describeResponse(answer), ...etag },
    ]);
    if (etag) answers.push(['304', { description: 'Nothing has changed.', ...etag }]);
    return Object.fromEntries(answers);
  }

  private collect(
    root: Type<object> | null | undefined,
    direction: Direction,
    { contracts }: DescribedRoutes,
  ): void {
    for (const named of root ? reachableFrom(root) : []) {
      const known = contracts.get(named) ?? direction;
      if (typeof named === 'function' && known !== direction)
        throw new Error(`${named.name} is both sent and returned`);
      contracts.set(named, direction);
    }
  }
}

const LOCATION = { description: 'Where to go.', required: true, schema: { type: 'string' } } as const;

function describeResponse({ form, item, isList, about, example, contents }: ResponseBody): Answer {
  if (contents) return { description: about, contents };
  if (form === 'redirect') return { description: about, headers: { Location: LOCATION } };
  if (!item) return { description: about };
  const name = titleOf(item);
  const shown = { ...exampleOf(item, 'response'), ...example };
  if (form === 'unwrapped') return { description: about, schema: ref(name), example: shown };
  if (form === 'page') return page(about, name, shown);
  if (form === 'list-or-page') return listOrPage(about, name, shown);
  if (form === 'cursor-page') return cursorPage(about, name, shown);
  return isList ? data(about, list(about, ref(name)), [shown]) : data(about, ref(name), shown);
}

/** Written out in the operation: the form of a page has no name of its own. */
function describeForm(form: Type<object>): NonNullable<OperationSpec['form']> {
  const properties = [...fieldsOf(form)].map(([name, field]) => [name, fieldSchema(field, 'body')]);
  return {
    schema: { type: 'object', properties: Object.fromEntries(properties) },
    example: exampleOf(form, 'body'),
  };
}

function shared(
  described: Parameter,
  component: string | undefined,
  { parameters }: DescribedRoutes,
): Parameter | Ref {
  if (component === undefined) return described;
  const known = parameters[component];
  if (known && !isDeepStrictEqual(known, described))
    throw new Error(`two parameters have the name ${component}`);
  parameters[component] = described;
  return parameter(component);
}

function pathParameter(name: string, { about, example, schema }: PathParameter): Parameter {
  return {
    name,
    in: 'path',
    required: true,
    description: about,
    schema: schema ?? { type: 'string' },
    example,
  };
}

/** The query parameters of a class that have a name under `components.parameters`. */
export function sharedParameters(query: Type<object>): Record<string, Parameter> {
  const named = [...fieldsOf(query)].flatMap(([name, field]): [string, Parameter][] =>
    field.component === undefined ? [] : [[field.component, queryParameter(name, field)]],
  );
  return Object.fromEntries(named);
}

function queryParameter(name: string, field: Field): Parameter {
  const { description = '', ...schema } = fieldSchema(field, 'query');
  return {
    name,
    in: 'query',
    ...(!field.optional && { required: true }),
    description,
    ...(field.deprecated && { deprecated: true }),
    // Lists of a query are separated by commas.
    ...(schema.type === 'array' && { style: 'form' as const, explode: false }),
    schema,
    ...(field.example !== undefined && { example: field.example }),
  };
}

/** `components.schemas` of the contracts. */
export function contractSchemas({ contracts }: DescribedRoutes) {
  const titles = [...contracts.keys()].map(titleOf);
  const twice = titles.find((title, at) => titles.indexOf(title) !== at);
  if (twice !== undefined) throw new Error(`two contracts have the title ${twice}`);
  return Object.fromEntries(
    [...contracts].map(([named, direction]) => [titleOf(named), schemaOf(named, direction)]),
  );
}
