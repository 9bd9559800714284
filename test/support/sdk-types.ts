import { format } from 'prettier';

/** A JSON Schema (draft 2020-12) as far as docs/openapi.json uses it; any other keyword stops the generator. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  deprecated?: boolean;
}

interface Parameter {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
}

interface Operation {
  operationId: string;
  summary: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content | { $ref: string }>;
  'x-least-role'?: string;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

/** What the client speaks; the rest of the API is the dashboard's. */
const CLIENT_PATHS =
  /^\/api\/(payment|checkout|payment-overview|attention|refunds|transfers|webhook-deliveries|reports|changes)(\/|$)/;
/** What the dashboard speaks. */
const DASHBOARD_PATHS =
  /^\/api\/(payment|payment-overview|payment-applications|attention|refunds|transfers|reports|webhook-deliveries|account|audit|request-log|admin|blockchains|currencies|rates)(\/|$)/;
/** Names that would hide something of the language. */
const RENAMED: Record<string, string> = { Error: 'ErrorBody' };
/** They state which values are valid, which no type can; beside those that {@link Schema} names. */
const IGNORED = new Set(
  (
    'title format pattern minLength maxLength minimum maximum default minItems maxItems uniqueItems ' +
    'minProperties maxProperties propertyNames examples writeOnly contentEncoding contentMediaType x-go-type'
  )
    .split(' ')
    .concat('$ref type description enum anyOf items properties required additionalProperties'.split(' '))
    .concat('deprecated'),
);

const HEAD = `// Written by \`npm run sdk:types\` from docs/openapi.json; a test compares the two. Do not edit.

`;

/** sdk/src/api-types.ts, whole. */
export async function sdkTypes(document: OpenApiDocument): Promise<string> {
  return formatted(new Generator(document, CLIENT_PATHS).file());
}

/** web/dashboard/api/operations.ts, whole: what the dashboard calls beside the client, and where it all is. */
export async function dashboardTypes(document: OpenApiDocument): Promise<string> {
  const paths = Object.entries(document.paths).filter(([path]) => DASHBOARD_PATHS.test(path));
  const routes = paths.flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, { operationId }]) => `${operationId}: '${method.toUpperCase()} ${path}',`,
    ),
  );
  const roles = paths
    .flatMap(([, item]) => Object.values(item))
    .flatMap(({ operationId, 'x-least-role': role }) =>
      role === undefined || role === 'viewer' ? [] : `${operationId}: '${role}',`,
    );
  const types = new Generator(document, DASHBOARD_PATHS, new Generator(document, CLIENT_PATHS)).file();
  return formatted(
    `${types}\n\n/** Method and path of every operation. */\nexport const ROUTES = {\n${routes.join('\n')}\n} as const;` +
      `\n\n/** The role that an operation takes, where that of a viewer is not enough. */\n` +
      `export const LEAST_ROLE: Partial<Record<keyof typeof ROUTES, AccountRole>> = {\n${roles.join('\n')}\n};`,
  );
}

function formatted(text: string): Promise<string> {
  return format(HEAD + text, {
    parser: 'typescript',
    singleQuote: true,
    printWidth: 110,
    trailingComma: 'all',
  });
}

/** Of an export it is one line, of a stream one event. */
const JSON_KINDS = ['application/json', 'application/jsonl', 'text/event-stream'];

class Generator {
  /** Schemas that something refers to, in the order of their first mention. */
  private readonly wanted = new Set<string>(['Error']);

  /** @param client declares a part of it already, in sdk/src/api-types.ts */
  constructor(
    private readonly document: OpenApiDocument,
    private readonly paths: RegExp,
    private readonly client: Generator | null = null,
  ) {}

  file(): string {
    const { paths, webhooks, components } = this.document;
    const client = this.client;
    client?.file();
    const own = Object.entries(paths).filter(([path]) => this.paths.test(path));
    const operations = own
      .filter(([path]) => !client?.paths.test(path))
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, one]) => this.operation(method, path, one)),
      );
    if (client) {
      const shared = own
        .filter(([path]) => client.paths.test(path))
        .flatMap(([, item]) => Object.values(item));
      return this.beside(
        client,
        operations,
        shared.map(({ operationId }) => operationId),
      );
    }
    const events = Object.values(webhooks).map(({ post }) => this.jsonOf(post.requestBody));
    const declared: string[] = [];
    // The set grows while it is walked: a schema's own references come after it.
    for (const name of this.wanted) declared.push(this.declaration(name, components.schemas[name]));
    return [
      ...declared,
      `/** What a webhook says; tell them apart by \`event\`. */\nexport type WebhookEvent = ${events.join(' | ')};`,
      `/** Parameters, body and response of every operation, by its id. */\nexport interface Operations {\n${operations.join('\n')}\n}`,
    ].join('\n\n');
  }

  /** What the client's file does not declare, and all of that file. @param shared ids of operations that are there */
  private beside(client: Generator, operations: readonly string[], shared: readonly string[]): string {
    const { schemas } = this.document.components;
    const declared: string[] = [];
    const imported = ['Operations as ClientOperations'];
    for (const name of this.wanted) {
      // No operation names an error's body.
      if (client.wanted.has(name)) imported.push(...(name === 'Error' ? [] : [name]));
      else declared.push(this.declaration(name, schemas[name]));
    }
    const from = `'../../../sdk/src/api-types.js'`;
    return [
      `import type { ${imported.join(', ')} } from ${from};`,
      `export type * from ${from};`,
      ...declared,
      `/** Parameters, body and response of every operation, by its id. */\nexport interface Operations\n` +
        `extends Pick<ClientOperations, ${shared.map((id) => `'${id}'`).join(' | ')}> {\n${operations.join('\n')}\n}`,
    ].join('\n\n');
  }

  private declaration(name: string, schema: Schema | undefined): string {
    if (!schema) throw new Error(`no schema ${name}`);
    const text = this.type(schema);
    const named = RENAMED[name] ?? name;
    const isObject = text.startsWith('{') && text.endsWith('}') && schema.type === 'object';
    return (
      comment(schema) + (isObject ? `export interface ${named} ${text}` : `export type ${named} = ${text};`)
    );
  }

  private operation(method: string, path: string, operation: Operation): string {
    const parameters = (operation.parameters ?? []).map((one) => this.parameter(one));
    const parts = ['path', 'query'].flatMap((place) => {
      const fields = parameters
        .filter((one) => one.in === place)
        .map((one) => this.field(one.name, describedBy(one), one.required === true));
      return fields.length > 0 ? [`${place}: {\n${fields.join('\n')}\n};`] : [];
    });
    if (operation.requestBody) {
      const { required = false } = operation.requestBody;
      parts.push(
        `body${required ? '' : '?'}: ${this.jsonOf(operation.requestBody)}${required ? '' : ' | undefined'};`,
      );
    }
    const [, response] = Object.entries(operation.responses).find(([status]) => /^2\d\d$/.test(status)) ?? [];
    if (!response || '$ref' in response)
      throw new Error(`${operation.operationId} has no successful response of its own`);
    parts.push(`response: ${response.content ? this.bodyOf(response) : 'undefined'};`);
    const title = `/** ${operation.summary}: \`${method.toUpperCase()} ${path}\` */`;
    return `${title}\n${operation.operationId}: {\n${parts.join('\n')}\n};`;
  }

  private parameter(one: Parameter | { $ref: string }): Parameter {
    if (!('$ref' in one)) return one;
    const found = this.document.components.parameters[lastOf(one.$ref)];
    if (!found) throw new Error(`no parameter ${one.$ref}`);
    return found;
  }

  /** What nobody can read but a spreadsheet is a file. */
  private bodyOf(body: Content): string {
    return Object.keys(body.content ?? {}).some((kind) => JSON_KINDS.includes(kind))
      ? this.jsonOf(body)
      : 'Blob';
  }

  private jsonOf(body: Content | undefined): string {
    const schema = JSON_KINDS.flatMap((kind) => body?.content?.[kind] ?? [])[0]?.schema;
    if (!schema) throw new Error('a body that is not JSON');
    return this.type(schema);
  }

  private type(schema: Schema): string {
    const unknown = Object.keys(schema).filter((keyword) => !IGNORED.has(keyword));
    if (unknown.length > 0) throw new Error(`the generator does not know: ${unknown.join(', ')}`);
    if (schema.$ref !== undefined) {
      const name = lastOf(schema.$ref);
      this.wanted.add(name);
      return RENAMED[name] ?? name;
    }
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    if (schema.anyOf) return schema.anyOf.map((one) => this.type(one)).join(' | ');
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
    return types.length === 0 ? 'unknown' : types.map((type) => this.plain(type, schema)).join(' | ');
  }

  private plain(type: string, schema: Schema): string {
    switch (type) {
      case 'integer':
        return 'number';
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return type;
      case 'array':
        return `Array<${this.type(schema.items ?? {})}>`;
      case 'object':
        return this.object(schema);
      default:
        throw new Error(`the generator does not know the type ${type}`);
    }
  }

  private object({ properties, required = [], additionalProperties }: Schema): string {
    const rest = typeof additionalProperties === 'object' ? this.type(additionalProperties) : 'unknown';
    if (!properties)
      return additionalProperties === false ? 'Record<string, never>' : `Record<string, ${rest}>`;
    const fields = Object.entries(properties).map(([name, schema]) => {
      const types = [schema.type].flat();
      if (!types.includes('integer') || schema.format !== undefined)
        return this.field(name, schema, required.includes(name));
      // Beyond what a number holds. The parser makes it a bigint beside its twin `atomic`; a request may send both.
      const type = 'atomic' in properties ? 'bigint' : 'number | bigint';
      const all = types.includes('null') ? `${type} | null` : type;
      return this.field(name, schema, required.includes(name), all);
    });
    if (additionalProperties) fields.push(`[name: string]: ${rest};`);
    return `{\n${fields.join('\n')}\n}`;
  }

  private field(name: string, schema: Schema, isRequired: boolean, type = this.type(schema)): string {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
    return `${comment(schema)}${key}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};`;
  }
}

function describedBy({ schema, description }: Parameter): Schema {
  return description === undefined ? schema : { ...schema, description };
}

function lastOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function comment({ description, deprecated }: Schema): string {
  const lines = (description ?? '')
    .replaceAll('*/', '* /')
    .split('\n')
    .filter((line) => line !== '');
  if (deprecated) lines.push('@deprecated');
  if (lines.length === 0) return '';
  return lines.length === 1
    ? `/** ${lines.join('')} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`;
}
