import type { OpenApiDocument } from '../../../src/platform/web/contract/openapi-types.js';
import type { Schema } from '../../../src/platform/web/contract/json-schema.js';
import { resolve } from './operations.js';

/** `sent`: clients write it, so it must not become narrower. `read`: they read it, so it must not become wider. */
export type Side = 'sent' | 'read';

export interface SchemaOf {
  schema: Schema;
  document: OpenApiDocument;
}

export interface SchemaChange {
  /** A JSON path, `$` being the whole value. */
  at: string;
  change: string;
}

/** Bounds that become narrower by growing, and those that do by shrinking. */
const LOWER = ['minLength', 'minimum', 'minItems', 'minProperties'] as const;
const UPPER = ['maxLength', 'maximum', 'maxItems', 'maxProperties'] as const;

/** Formats that generated clients make types of; of any other, what is read may become looser. */
const TYPED_FORMATS = new Set([
  'date-time',
  'date',
  'uuid',
  'int32',
  'int64',
  'float',
  'double',
  'byte',
  'binary',
]);

/** What a client could trip over when a value's schema goes from `before` to `after`. */
export function breakingSchema(before: SchemaOf, after: SchemaOf, side: Side): SchemaChange[] {
  const changes: SchemaChange[] = [];
  new Comparison(before.document, after.document, side, changes).compare(before.schema, after.schema, '$');
  return changes;
}

class Comparison {
  /** Pairs that were compared: schemas may contain themselves, and one report of a change is enough. */
  private readonly seen = new Map<Schema, Schema>();

  constructor(
    private readonly before: OpenApiDocument,
    private readonly after: OpenApiDocument,
    private readonly side: Side,
    private readonly changes: SchemaChange[],
  ) {}

  compare(before: Schema, after: Schema, at: string): void {
    const old = variants(before, this.before);
    const now = variants(after, this.after);
    if (this.side === 'sent') this.missing(old, now, at, 'is no longer taken as');
    else this.missing(now, old, at, 'may now be');
    for (const [type, schema] of old) {
      // Null has no fields, whether it is written as one of several types or as an alternative.
      if (type === 'null') continue;
      const next = now.get(type) ?? now.get(sibling(type));
      if (next) this.compareKind(schema, next, at);
    }
  }

  /** Types of `has` that `wants` has not. Every integer is a number. */
  private missing(has: Map<string, Schema>, wants: Map<string, Schema>, at: string, text: string): void {
    if (has.has(ANY) || wants.has(ANY)) {
      if (has.has(ANY) && !wants.has(ANY)) this.report(at, `${text} anything`);
      return;
    }
    for (const type of has.keys()) {
      // Kinds may be added to what is read, as values may.
      if (this.side === 'read' && type.startsWith(UNION)) continue;
      if (!wants.has(type) && !(type === 'integer' && wants.has('number')))
        this.report(at, `${text} ${type}`);
    }
  }

  private compareKind(before: Schema, after: Schema, at: string): void {
    if (this.seen.get(before) === after) return;
    this.seen.set(before, after);
    this.compareText(before, after, at);
    if (this.side === 'sent') {
      this.compareBounds(before, after, at);
      this.compareBounds(before.propertyNames ?? {}, after.propertyNames ?? {}, `${at}.<name>`);
    }
    if (before.items && after.items) this.compare(before.items, after.items, `${at}[]`);
    if (typeof before.additionalProperties === 'object' && typeof after.additionalProperties === 'object')
      this.compare(before.additionalProperties, after.additionalProperties, `${at}.*`);
    this.compareProperties(before, after, at);
  }

  /**
   * Values may be added to what is read (specification/conventions.md#versioning), and none may go from what is sent.
   */
  private compareText(before: Schema, after: Schema, at: string): void {
    const hasType = [before.format, after.format].some((format) => TYPED_FORMATS.has(format ?? ''));
    const isNarrower = this.side === 'sent' ? after.format !== undefined : hasType;
    // A whole number keeps its bounds, which are compared, when it says what holds it.
    const isSized = before.format === undefined && /^int(32|64)$/.test(after.format ?? '');
    if (before.format !== after.format && isNarrower && !isSized)
      this.report(at, `changes its format from ${before.format ?? 'none'} to ${after.format ?? 'none'}`);
    if (this.side === 'read') return;
    if (after.pattern !== undefined && before.pattern !== after.pattern)
      this.report(at, `has a new pattern ${after.pattern}`);
    if (after.uniqueItems && !before.uniqueItems) this.report(at, 'must now have unique items');
    const values = valuesOf(after);
    if (!values) return;
    const gone = valuesOf(before)?.filter((value) => !values.includes(value)) ?? ['every other value'];
    if (gone.length > 0) this.report(at, `no longer takes ${gone.join(', ')}`);
  }

  private compareBounds(before: Schema, after: Schema, at: string): void {
    for (const bound of LOWER)
      if ((after[bound] ?? -Infinity) > (before[bound] ?? -Infinity))
        this.report(at, `has a tighter ${bound}: ${after[bound]}`);
    for (const bound of UPPER)
      if ((after[bound] ?? Infinity) < (before[bound] ?? Infinity))
        this.report(at, `has a tighter ${bound}: ${after[bound]}`);
  }

  private compareProperties(before: Schema, after: Schema, at: string): void {
    const { properties: old = {}, required: wasRequired = [] } = before;
    const { properties: now = {}, required: isRequired = [] } = after;
    for (const [name, schema] of Object.entries(old)) {
      const next = now[name];
      if (next) this.compare(schema, next, `${at}.${name}`);
      else this.report(`${at}.${name}`, 'is gone');
    }
    if (this.side === 'sent') {
      for (const name of isRequired)
        if (!wasRequired.includes(name)) this.report(`${at}.${name}`, 'is now required');
    } else {
      for (const name of wasRequired)
        if (now[name] && !isRequired.includes(name)) this.report(`${at}.${name}`, 'may now be absent');
    }
  }

  private report(at: string, change: string): void {
    this.changes.push({ at, change });
  }
}

/** Earlier documents have `const` for one value. */
function valuesOf(schema: Schema & { const?: unknown }): readonly unknown[] | undefined {
  return schema.const === undefined ? schema.enum : [schema.const];
}

/** A schema without a type takes everything. */
const ANY = 'anything';

/** Before the name of one of several objects. */
const UNION = 'object ';

/** A schema by the types that it takes. */
function variants(schema: Schema, document: OpenApiDocument): Map<string, Schema> {
  const resolved = schema.$ref === undefined ? schema : resolve<Schema>(document, { $ref: schema.$ref });
  if (resolved.anyOf) {
    const isUnion = resolved.anyOf.filter(({ $ref }) => $ref !== undefined).length > 1;
    return new Map(
      resolved.anyOf.flatMap((part) =>
        isUnion && part.$ref !== undefined
          ? [[UNION + part.$ref, resolve<Schema>(document, { $ref: part.$ref })]]
          : [...variants(part, document)],
      ),
    );
  }
  const types = resolved.type === undefined ? [ANY] : [resolved.type].flat();
  return new Map(types.map((type) => [type, resolved]));
}

function sibling(type: string): string {
  return { integer: 'number', number: 'integer' }[type] ?? type;
}
