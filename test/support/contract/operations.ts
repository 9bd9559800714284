import type {
  Method,
  OpenApiDocument,
  Operation,
  Parameter,
  Ref,
} from '../../../src/platform/web/contract/openapi-types.js';

/** An operation with its place in the document. */
export interface Located {
  path: string;
  method: Method;
  operation: Operation;
  /** `GET /api/payment/{paymentId} (getPayment)`. */
  name: string;
  /** Matches request paths as Express does, in any case and with or without a slash at the end; `/api/oauth` is exact. */
  pattern: RegExp;
  /** Names of the path parameters, in order. */
  names: string[];
}

/** What a reference points to, or the thing itself. */
export function resolve<T extends object>(document: OpenApiDocument, thing: T | Ref): T {
  if (!('$ref' in thing)) return thing;
  const names = thing.$ref.replace(/^#\//, '').split('/');
  let target: unknown = document;
  for (const name of names)
    target = (target as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/')];
  if (typeof target !== 'object' || target === null) throw new Error(`nothing at ${thing.$ref}`);
  return target as T;
}

function toPattern(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '([^/]+)');
  return escaped.startsWith('/api/oauth/') ? new RegExp(`^${escaped}$`) : new RegExp(`^${escaped}/?$`, 'i');
}

/** Every operation, under all its paths; those with fewer parameters first, as routers look. */
export function operationsOf(document: OpenApiDocument): Located[] {
  const located: Located[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item) as [Method, Operation][]) {
      for (const served of [path, ...(operation['x-also-served-at'] ?? [])]) {
        located.push({
          path,
          method,
          operation,
          name: `${method.toUpperCase()} ${path} (${operation.operationId})`,
          pattern: toPattern(served),
          names: [...served.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name),
        });
      }
    }
  }
  return located.sort((a, b) => a.names.length - b.names.length);
}

/** The parameters of an operation in one place. */
export function parametersOf(
  document: OpenApiDocument,
  operation: Operation,
  place: Parameter['in'],
): Parameter[] {
  return (operation.parameters ?? [])
    .map((parameter) => resolve<Parameter>(document, parameter))
    .filter((parameter) => parameter.in === place);
}
