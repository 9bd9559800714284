import type {
  OpenApiDocument,
  Operation,
  Parameter,
  RequestBody,
  Response,
} from '../../../src/platform/web/contract/openapi-types.js';
import type { Schema } from '../../../src/platform/web/contract/json-schema.js';
import { resolve } from './operations.js';
import { breakingSchema, type Side } from './schema-changes.js';

type Report = (change: string) => void;
type Named<T> = Record<string, T | undefined>;

/**
 * What a client written for the document `before` could trip over with `after`; one line each. Additions are
 * none: clients ignore what they do not know (specification/conventions.md#versioning).
 */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const changes: string[] = [];
  const report = (change: string) => void changes.push(change);
  const sides = { before, after };
  for (const [path, item] of Object.entries(before.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      // Pages: browsers follow their links and forms as they come.
      if (operation['x-internal']) continue;
      const name = `${method.toUpperCase()} ${path}`;
      const next = (after.paths as Named<Named<Operation>>)[path]?.[method];
      if (next) compareOperation(sides, name, operation, next, report);
      else report(`${name}: the operation is gone`);
    }
  }
  for (const [event, item] of Object.entries(before.webhooks)) {
    const next = (after.webhooks as Named<Named<Operation>>)[event]?.['post'];
    if (!next) report(`webhook ${event}: it is gone`);
    else if (item.post) compareWebhook(sides, `webhook ${event}`, item.post, next, report);
  }
  for (const name of Object.keys(before.components.securitySchemes))
    if (!Object.hasOwn(after.components.securitySchemes, name)) report(`the security scheme ${name} is gone`);
  return [...new Set(changes)];
}

interface Sides {
  before: OpenApiDocument;
  after: OpenApiDocument;
}

function compareOperation(
  sides: Sides,
  name: string,
  before: Operation,
  after: Operation,
  report: Report,
): void {
  if (before.operationId !== after.operationId)
    report(`${name}: its id ${before.operationId} is now ${after.operationId}`);
  for (const path of before['x-also-served-at'] ?? [])
    if (!after['x-also-served-at']?.includes(path)) report(`${name}: it is no longer served at ${path}`);
  compareSecurity(name, before, after, report);
  compareParameters(sides, name, before, after, 'sent', report);
  compareBody(sides, name, before.requestBody, after.requestBody, report);
  for (const [status, answer] of Object.entries(before.responses)) {
    // What is said of all other errors is said of this one.
    const next = after.responses[status] ?? (Number(status) >= 400 && after.responses['default']);
    if (!next) report(`${name}: the answer ${status} is gone`);
    else
      compareAnswer(
        sides,
        `${name}, ${status}`,
        resolve<Response>(sides.before, answer),
        resolve<Response>(sides.after, next),
        report,
      );
  }
}

/** A webhook is sent by us: its body and headers are what a client reads. */
function compareWebhook(
  sides: Sides,
  name: string,
  before: Operation,
  after: Operation,
  report: Report,
): void {
  compareParameters(sides, name, before, after, 'read', report);
  compareContent(
    sides,
    name,
    before.requestBody?.content ?? {},
    after.requestBody?.content ?? {},
    'read',
    report,
  );
}

/** Every way in that there was has to stay: `[]` is open to all. */
function compareSecurity(name: string, before: Operation, after: Operation, report: Report): void {
  if (after.security.length === 0) return;
  if (before.security.length === 0) return report(`${name}: it now asks for authentication`);
  for (const way of before.security) {
    const opens = after.security.some((next) =>
      Object.entries(next).every(([scheme, scopes]) => scopes.every((scope) => way[scheme]?.includes(scope))),
    );
    const label = Object.entries(way).map(([scheme, scopes]) => `${scheme} ${scopes.join(' ')}`.trim());
    if (!opens) report(`${name}: ${label.join(' and ') || 'no authentication'} is no longer enough`);
  }
}

function compareParameters(
  sides: Sides,
  name: string,
  before: Operation,
  after: Operation,
  side: Side,
  report: Report,
): void {
  const old = parameters(sides.before, before);
  const now = parameters(sides.after, after);
  for (const [key, parameter] of old) {
    const next = now.get(key);
    if (!next) report(`${name}: the parameter ${key} is gone`);
    else {
      if (side === 'sent' && next.required && !parameter.required)
        report(`${name}: the parameter ${key} is now required`);
      if (side === 'read' && !next.required && parameter.required)
        report(`${name}: the parameter ${key} may now be absent`);
      compareSchema(sides, `${name}, ${key}`, parameter.schema, next.schema, side, report);
    }
  }
  for (const [key, { required }] of now)
    if (side === 'sent' && required && !old.has(key))
      report(`${name}: the parameter ${key} is new and required`);
}

/** By what a client writes; path parameters by their position, because clients do not see their names. */
function parameters(document: OpenApiDocument, { parameters: list = [] }: Operation): Map<string, Parameter> {
  const all = list.map((parameter) => resolve<Parameter>(document, parameter));
  return new Map(all.map((parameter) => [`${parameter.name} (${parameter.in})`, parameter]));
}

function compareBody(
  sides: Sides,
  name: string,
  before: RequestBody | undefined,
  after: RequestBody | undefined,
  report: Report,
): void {
  if (after?.required && !before?.required) report(`${name}: a body is now required`);
  if (before && !after) report(`${name}: the body is no longer read`);
  if (before && after) compareContent(sides, `${name}, body`, before.content, after.content, 'sent', report);
}

function compareAnswer(sides: Sides, name: string, before: Response, after: Response, report: Report): void {
  for (const header of Object.keys(before.headers ?? {}))
    if (!Object.hasOwn(after.headers ?? {}, header)) report(`${name}: the header ${header} is gone`);
  compareContent(sides, name, before.content ?? {}, after.content ?? {}, 'read', report);
}

function compareContent(
  sides: Sides,
  name: string,
  before: Record<string, { schema: Schema }>,
  after: Record<string, { schema: Schema }>,
  side: Side,
  report: Report,
): void {
  for (const [type, { schema }] of Object.entries(before)) {
    const next = after[type];
    if (next) compareSchema(sides, name, schema, next.schema, side, report);
    else report(`${name}: the content type ${type} is gone`);
  }
}

function compareSchema(
  sides: Sides,
  name: string,
  before: Schema,
  after: Schema,
  side: Side,
  report: Report,
): void {
  const changes = breakingSchema(
    { schema: before, document: sides.before },
    { schema: after, document: sides.after },
    side,
  );
  for (const { at, change } of changes) report(`${name}: ${at} ${change}`);
}
