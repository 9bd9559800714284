import { parseExact } from '../../platform/kernel/exact-json.pure.js';
import { type Clock, SystemClock } from '../../platform/kernel/clock.pure.js';
import {
  DEFAULT_DEADLINE_MS,
  NodeHttp,
  type NodeHttpOptions,
  NodeSilentError,
  printable,
} from '../node-http.js';
import { classifyRefusal } from '../refusal.pure.js';
import { RequestPacer } from '../request-pacer.js';
import { RpcError } from '../rpc-error.pure.js';

/** Authenticates to hosted nodes (TronGrid's documentation, "API Key"). */
const KEY_HEADER = 'TRON-PRO-API-KEY';

export interface TronApiOptions extends NodeHttpOptions {
  /** For pauses; default: the system's. */
  clock?: Clock;
}

/**
 * HTTP interface of one Tron node. Integers are parsed exactly, because an amount in sun may exceed 2^53. Errors quote
 * neither the URL nor the key.
 */
export class TronApi {
  private readonly http: NodeHttp;
  private readonly pacer: RequestPacer;

  constructor(url: string, apiKey?: string, { clock = new SystemClock(), ...options }: TronApiOptions = {}) {
    this.pacer = new RequestPacer(clock, options.deadlineMs ?? DEFAULT_DEADLINE_MS);
    this.http = new NodeHttp(url, options, apiKey === undefined ? {} : { [KEY_HEADER]: apiKey });
  }

  /**
   * Requests addresses in hexadecimal. The node returns `{}` for objects that do not exist.
   * @param path e.g. 'wallet/getblock'
   * @throws RpcError, of kind `unsupported` when the node does not serve the path
   */
  call(path: string, question: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const body = JSON.stringify({ ...question, visible: false });
    return this.pacer.run(path, () => this.ask(path, body));
  }

  /** Waits for calls under way. */
  async close(): Promise<void> {
    await this.http.close();
  }

  private async ask(path: string, body: string): Promise<unknown> {
    const { status, text, retryAfterMs } = await this.post(path, body);
    const answer = parse(text);
    // A full node reports its failures with HTTP 200 (java-tron, Util.printErrorMsg).
    const message = messageIn(answer);
    const isJson = answer !== undefined;
    if (message === null && isJson && status >= 200 && status <= 299) return answer;
    const response = { status, retryAfterMs, isJson, text: message ?? text, methodIsPath: true };
    throw new RpcError(
      path,
      message === null ? describe(status) : printable(message),
      classifyRefusal(response),
    );
  }

  private async post(path: string, body: string) {
    try {
      return await this.http.post(body, { path });
    } catch (error) {
      if (!(error instanceof NodeSilentError)) throw error;
      throw new RpcError(path, error.message);
    }
  }
}

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

function describe(status: number): string {
  return status >= 200 && status <= 299 ? 'the node answered no JSON' : `the node answered HTTP ${status}`;
}

function messageIn(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || !Object.hasOwn(answer, 'Error')) return null;
  const { Error: message } = answer as { Error: unknown };
  return typeof message === 'string' ? message : 'no message';
}
