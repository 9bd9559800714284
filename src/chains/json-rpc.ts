import { ChainInconsistencyError } from './chain-adapter.pure.js';
import { NodeHttp, type NodeHttpOptions, NodeSilentError, printable } from './node-http.js';
import { LazyJsonArray } from './lazy-json-array.js';

/** One method with its parameters. */
export type RpcCall = readonly [method: string, params: readonly unknown[]];

/** The node did not respond, or returned an error. `code` is the node's (EIP-1474); null when it sent none. */
export class RpcError extends Error {
  constructor(
    label: string,
    private readonly detail: string,
    readonly code: number | null = null,
  ) {
    super(`${label}: ${detail}`);
  }

  /** True when the node does not support the method, as opposed to a failure of this call. */
  get isUnsupported(): boolean {
    if (this.code === null || this.code === LIMIT_EXCEEDED) return false;
    return UNSUPPORTED_CODES.has(this.code) || UNSUPPORTED_TEXT.test(this.detail);
  }
}

/** EIP-1474: method not found, method not supported. */
const UNSUPPORTED_CODES = new Set([-32601, -32004]);
/** EIP-1474: rate limited. */
export const LIMIT_EXCEEDED = -32005;
/** Hosted nodes use their own codes for a method outside of the plan; must not match "header not found". */
const UNSUPPORTED_TEXT =
  /(method|[a-z]+_[a-zA-Z]+) .*(not (found|supported|available|allowed|enabled)|does not exist)|unsupported method/i;

export type JsonRpcOptions = NodeHttpOptions;

/** Calls; hosted nodes reject longer batches. */
const BATCH_SIZE = 50;

/** JSON-RPC 2.0 over HTTP to one node. */
export class JsonRpc {
  private readonly http: NodeHttp;
  private lastId = 0;

  constructor(url: string, options: JsonRpcOptions = {}) {
    this.http = new NodeHttp(url, options);
  }

  /** @throws RpcError, ChainInconsistencyError */
  async call(method: string, ...params: unknown[]): Promise<unknown> {
    const id = ++this.lastId;
    const reply = await this.post(method, { jsonrpc: '2.0', id, method, params });
    return resultOf(reply, id, method);
  }

  /** As {@link call}, for results that may be very long lists: returns a {@link LazyJsonArray} where the response allows it. */
  async callForList(method: string, ...params: unknown[]): Promise<unknown> {
    const id = ++this.lastId;
    const found: LazyJsonArray[] = [];
    const parse = (text: string) => {
      const cut = LazyJsonArray.cut(text);
      if (cut) found.push(cut.list);
      return parseJson(cut?.rest ?? text);
    };
    const reply = await this.post(method, { jsonrpc: '2.0', id, method, params }, { parse });
    const result = resultOf(reply, id, method);
    return found[0] ?? result;
  }

  /** For a long-running call that can be aborted. @throws RpcError also when `signal` is aborted */
  async callUntil(signal: AbortSignal, method: string, ...params: unknown[]): Promise<unknown> {
    const id = ++this.lastId;
    const reply = await this.post(method, { jsonrpc: '2.0', id, method, params }, { until: signal });
    return resultOf(reply, id, method);
  }

  /** Results in the order of the calls; one failed call fails all. @throws RpcError, ChainInconsistencyError */
  async batch(calls: readonly RpcCall[]): Promise<unknown[]> {
    const [only] = calls;
    // Some nodes support no batches.
    if (only && calls.length === 1) return [await this.call(only[0], ...only[1])];
    const results = await this.settle(calls);
    const refusal = results.find((result) => result instanceof RpcError);
    if (refusal) throw refusal;
    return results;
  }

  /** As {@link batch}, with a failed call's RpcError as its result. @throws RpcError when the node does not respond */
  async settle(calls: readonly RpcCall[]): Promise<unknown[]> {
    const results: unknown[] = [];
    for (let start = 0; start < calls.length; start += BATCH_SIZE) {
      results.push(...(await this.oneBatch(calls.slice(start, start + BATCH_SIZE))));
    }
    return results;
  }

  /** Waits for calls under way. */
  async close(): Promise<void> {
    await this.http.close();
  }

  private async oneBatch(calls: readonly RpcCall[]): Promise<unknown[]> {
    const [only] = calls;
    const label = `a batch with ${only?.[0] ?? 'nothing'}`;
    const requests = calls.map(([method, params]) => ({ jsonrpc: '2.0', id: ++this.lastId, method, params }));
    const replies = await this.post(label, requests);
    // A node that rejects the whole batch returns one error object.
    if (!Array.isArray(replies))
      throw refusalOf(replies, label) ?? inconsistent(label, 'did not return a list');
    if (replies.length !== requests.length) throw inconsistent(label, 'returned another number of results');
    const byId = new Map(replies.map((reply) => [isObject(reply) ? reply['id'] : undefined, reply]));
    return requests.map(
      ({ id, method }) => refusalOf(byId.get(id), method) ?? resultOf(byId.get(id), id, method),
    );
  }

  private async post(
    label: string,
    body: unknown,
    { until, parse = parseJson }: { until?: AbortSignal; parse?: (text: string) => unknown } = {},
  ): Promise<unknown> {
    const { status, text } = await this.ask(label, JSON.stringify(body), until);
    const parsed = parse(text);
    // Many nodes send a JSON-RPC error with 4xx or 5xx, which says more than the status.
    if (status < 200 || status > 299) {
      throw refusalOf(parsed, label) ?? new RpcError(label, `the node answered HTTP ${status}`);
    }
    if (parsed === undefined) throw inconsistent(label, 'answered no JSON');
    return parsed;
  }

  private async ask(label: string, body: string, until?: AbortSignal) {
    try {
      return await this.http.post(body, until && { until });
    } catch (error) {
      if (!(error instanceof NodeSilentError)) throw error;
      throw new RpcError(label, error.message);
    }
  }
}

function resultOf(reply: unknown, id: number, label: string): unknown {
  const refusal = refusalOf(reply, label);
  if (refusal) throw refusal;
  if (!isObject(reply) || reply['id'] !== id) throw inconsistent(label, 'answered another call');
  if (reply['result'] === undefined) throw inconsistent(label, 'answered without a result');
  return reply['result'];
}

function refusalOf(reply: unknown, label: string): RpcError | null {
  if (!isObject(reply) || !isObject(reply['error'])) return null;
  const { code, message } = reply['error'];
  const text = typeof message === 'string' ? printable(message) : 'no message';
  return new RpcError(label, text, Number.isSafeInteger(code) ? Number(code) : null);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inconsistent(label: string, what: string): ChainInconsistencyError {
  return new ChainInconsistencyError(`${label}: the node ${what}`);
}
