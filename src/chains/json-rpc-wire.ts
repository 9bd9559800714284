import { ChainInconsistencyError } from './chain-adapter.pure.js';
import { printable } from './node-http.js';
import { classifyRefusal, type RefusedResponse } from './refusal.pure.js';
import { RpcError } from './rpc-error.pure.js';

/** One method with its parameters. */
export type RpcCall = readonly [method: string, params: readonly unknown[]];

/** What is known about a request when its response is read. */
export type RequestContext = Pick<RefusedResponse, 'method' | 'isBatched'> & {
  /** Of the HTTP response. */
  status: number;
  retryAfterMs: number | null;
};

/** @throws RpcError, ChainInconsistencyError */
export function resultOf(reply: unknown, id: number, context: RequestContext & { method: string }): unknown {
  const refusal = refusalOf(reply, context.method, context);
  if (refusal) throw refusal;
  if (!isObject(reply) || reply['id'] !== id) throw inconsistent(context.method, 'answered another call');
  if (reply['result'] === undefined) throw inconsistent(context.method, 'answered without a result');
  return reply['result'];
}

/** The error object of a reply; null when it has none. */
export function refusalOf(reply: unknown, label: string, context: RequestContext): RpcError | null {
  if (!isObject(reply) || !isObject(reply['error'])) return null;
  const { code: given, message, data } = reply['error'];
  const code = Number.isSafeInteger(given) ? Number(given) : null;
  const said = typeof message === 'string' ? message : '';
  const refusal = classifyRefusal({ ...context, code, text: `${said} ${textOf(data)}` });
  return new RpcError(label, said === '' ? 'no message' : printable(said), refusal, code);
}

/** A response that is no JSON-RPC, by its status and text. */
export function refusalOfBody(
  text: string,
  label: string,
  context: RequestContext & { isJson: boolean },
): RpcError {
  const refusal = classifyRefusal({ ...context, text });
  const detail = isSuccess(context.status)
    ? 'the node answered no JSON'
    : `the node answered HTTP ${context.status}`;
  return new RpcError(label, detail, refusal);
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function inconsistent(label: string, what: string): ChainInconsistencyError {
  return new ChainInconsistencyError(`${label}: the node ${what}`);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parts of an error's `data` that explain it; never the request, which some nodes repeat there. */
function textOf(data: unknown): string {
  if (typeof data === 'string') return data;
  if (!isObject(data)) return '';
  const { message, payload, rate } = data;
  const texts = [message, payload].filter((one) => typeof one === 'string');
  if (isObject(rate)) texts.push(`backoff_seconds: ${String(rate['backoff_seconds'])}`);
  return texts.join(' ');
}
