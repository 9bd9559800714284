import { type Clock, SystemClock } from '../platform/kernel/clock.pure.js';
import {
  inconsistent,
  isSuccess,
  parseJson,
  refusalOf,
  refusalOfBody,
  type RequestContext,
  resultOf,
  type RpcCall,
} from './json-rpc-wire.js';
import { parseExact } from '../platform/kernel/exact-json.pure.js';
import { LazyJsonArray } from './lazy-json-array.js';
import {
  DEFAULT_DEADLINE_MS,
  NodeHttp,
  type NodeHttpOptions,
  NodeSilentError,
  type PostOptions,
} from './node-http.js';
import { type Patience, RequestPacer } from './request-pacer.js';
import { RpcBatches } from './rpc-batches.js';
import { ResponseTooLongError, RpcError } from './rpc-error.pure.js';

export type { RpcCall };

export interface JsonRpcOptions extends NodeHttpOptions {
  /** For pauses, and for how long an answer is good; default: the system's. */
  clock?: Clock;
}

/** By the name of the HTTP client. */
const TOO_LONG = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

/** The longest string that is needed of a shortened response is a bloom filter: 256 bytes as hex text. */
const CUT = { longestString: 520, maxKeptBytes: 32 * 2 ** 20 };

/** Where single calls differ. */
interface CallOptions extends Pick<PostOptions, 'until' | 'deadlineMs' | 'cut'> {
  parse?: ((text: string) => unknown) | undefined;
  patience?: Patience;
}

/**
 * JSON-RPC 2.0 over HTTP to one node. Rate limits are waited for, and batches shrink to what the node accepts, down to
 * single calls.
 */
export class JsonRpc {
  /** Shared with other connections to the node. */
  readonly pacer: RequestPacer;
  readonly clock: Clock;
  private readonly http: NodeHttp;
  private readonly batches: RpcBatches;
  private lastId = 0;

  constructor(url: string, { clock = new SystemClock(), ...options }: JsonRpcOptions = {}) {
    this.clock = clock;
    this.http = new NodeHttp(url, options);
    this.pacer = new RequestPacer(clock, options.deadlineMs ?? DEFAULT_DEADLINE_MS);
    this.batches = new RpcBatches(clock, this.pacer, {
      single: ([method, params], patience, parse) => this.single(method, params, { patience, parse }),
      together: (calls, parse) => this.together(calls, parse),
    });
  }

  /** @throws RpcError, ChainInconsistencyError */
  async call(method: string, ...params: unknown[]): Promise<unknown> {
    return this.single(method, params);
  }

  /** As {@link call}, with a JsonFloat for each number with a fraction, because a float would round amounts. */
  async callExact(method: string, ...params: unknown[]): Promise<unknown> {
    const parse = (text: string) => {
      try {
        return parseExact(text);
      } catch {
        return undefined;
      }
    };
    return this.single(method, params, { parse });
  }

  /** As {@link call}, for results that may be very long lists: returns a {@link LazyJsonArray} where the response allows it. */
  async callForList(method: string, ...params: unknown[]): Promise<unknown> {
    const found: LazyJsonArray[] = [];
    const parse = (text: string) => {
      const cut = LazyJsonArray.cut(text);
      if (cut) found.push(cut.list);
      return parseJson(cut?.rest ?? text);
    };
    const result = await this.single(method, params, { parse });
    return found.at(-1) ?? result;
  }

  /**
   * As {@link call}, for a result whose length a stranger decides: its strings are cut to 520 characters while they arrive.
   * @param deadlineMs instead of the usual milliseconds
   */
  async callCut(deadlineMs: number, method: string, ...params: unknown[]): Promise<unknown> {
    return this.single(method, params, { deadlineMs, cut: CUT });
  }

  /** For a long-running call that can be aborted. @throws RpcError also when `signal` is aborted */
  async callUntil(signal: AbortSignal, method: string, ...params: unknown[]): Promise<unknown> {
    return this.single(method, params, { until: signal });
  }

  /** Results in the order of the calls; one failed call fails all. @throws RpcError, ChainInconsistencyError */
  async batch(calls: readonly RpcCall[]): Promise<unknown[]> {
    return throwFirst(await this.settle(calls));
  }

  /**
   * As {@link batch}, with a refused call's RpcError as its result.
   * @throws RpcError when the node does not respond, or limits the rate for too long
   */
  async settle(calls: readonly RpcCall[]): Promise<unknown[]> {
    return this.batches.settle(calls);
  }

  /** Waits for calls under way. */
  async close(): Promise<void> {
    await this.http.close();
  }

  /** As {@link batch}, with a parser of the responses' texts. */
  async batchParsed(calls: readonly RpcCall[], parse: (text: string) => unknown): Promise<unknown[]> {
    return throwFirst(await this.batches.settle(calls, parse));
  }

  private single(
    method: string,
    params: readonly unknown[],
    { patience, ...options }: CallOptions = {},
  ): Promise<unknown> {
    const send = async () => {
      const id = ++this.lastId;
      const request = { jsonrpc: '2.0', id, method, params };
      const { body, context } = await this.post(method, request, { method }, options);
      return resultOf(body, id, { ...context, method });
    };
    return this.pacer.run(method, send, patience);
  }

  /** One request with all calls. @returns results and refusals in the order of the calls @throws RpcError for all of them */
  private async together(calls: readonly RpcCall[], parse = parseJson): Promise<unknown[]> {
    const label = `a batch with ${calls[0]?.[0] ?? 'nothing'}`;
    const requests = calls.map(([method, params]) => ({ jsonrpc: '2.0', id: ++this.lastId, method, params }));
    const { body, context } = await this.post(label, requests, { isBatched: true }, { parse });
    const replies = Array.isArray(body) ? (body as unknown[]) : [body];
    const byId = new Map(replies.map((reply) => [(reply as { id?: unknown } | null)?.id, reply]));
    if (!Array.isArray(body) || !requests.every(({ id }) => byId.has(id))) {
      // A node that refuses the whole batch sends one error object, or a list with it.
      const refusals = replies.map((reply) => refusalOf(reply, label, context));
      throw (
        refusals.find((one) => one !== null) ?? inconsistent(label, 'did not return a list of all results')
      );
    }
    if (replies.length !== requests.length) throw inconsistent(label, 'returned another number of results');
    return requests.map(({ id, method }) => {
      const reply = byId.get(id);
      return refusalOf(reply, method, { ...context, method }) ?? resultOf(reply, id, { ...context, method });
    });
  }

  /** @throws RpcError for a response that is no JSON-RPC, and for a refusal with an HTTP error */
  private async post(
    label: string,
    request: unknown,
    about: Pick<RequestContext, 'method' | 'isBatched'>,
    { parse = parseJson, ...options }: CallOptions = {},
  ): Promise<{ body: unknown; context: RequestContext }> {
    const { status, text, retryAfterMs } = await this.ask(label, JSON.stringify(request), options);
    const context = { ...about, status, retryAfterMs };
    const body = parse(text);
    const isJson = body !== undefined;
    // Many nodes send a JSON-RPC error with 4xx or 5xx, which says more than the status.
    if (!isJson || (!isSuccess(status) && !Array.isArray(body))) {
      throw refusalOf(body, label, context) ?? refusalOfBody(text, label, { ...context, isJson });
    }
    return { body, context };
  }

  private async ask(label: string, body: string, options: PostOptions) {
    try {
      return await this.http.post(body, options);
    } catch (error) {
      if (!(error instanceof NodeSilentError)) throw error;
      const { reason, message } = error;
      throw reason === TOO_LONG ? new ResponseTooLongError(label, message) : new RpcError(label, message);
    }
  }
}

/** @throws RpcError of the first refused call */
function throwFirst(results: unknown[]): unknown[] {
  const refusal = results.find((result) => result instanceof RpcError);
  if (refusal) throw refusal;
  return results;
}
