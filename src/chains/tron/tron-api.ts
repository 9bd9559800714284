import { parseExact } from '../../platform/http/exact-json.pure.js';
import { ChainInconsistencyError } from '../chain-adapter.pure.js';
import { RpcError } from '../json-rpc.js';
import { NodeHttp, type NodeHttpOptions, NodeSilentError, printable } from '../node-http.js';

/** The node does not serve the path. */
export class NotOfferedError extends RpcError {}

/** Authenticates to hosted nodes (TronGrid's documentation, "API Key"). */
const KEY_HEADER = 'TRON-PRO-API-KEY';
/** Not found, method not allowed: statuses for a path that is not served. */
const NOT_OFFERED = new Set([404, 405]);

/**
 * HTTP interface of one Tron node. Integers are parsed exactly, because an amount in sun may exceed 2^53. Errors quote
 * neither the URL nor the key.
 */
export class TronApi {
  private readonly http: NodeHttp;

  constructor(url: string, apiKey?: string, options: NodeHttpOptions = {}) {
    this.http = new NodeHttp(url, options, apiKey === undefined ? {} : { [KEY_HEADER]: apiKey });
  }

  /**
   * Requests addresses in hexadecimal. The node returns `{}` for objects that do not exist.
   * @param path e.g. 'wallet/getblock'
   * @throws NotOfferedError, RpcError, ChainInconsistencyError
   */
  async call(path: string, question: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const { status, text } = await this.post(path, JSON.stringify({ ...question, visible: false }));
    if (NOT_OFFERED.has(status)) throw new NotOfferedError(path, `the node answered HTTP ${status}`);
    const answer = parse(text);
    // A full node reports its failures with HTTP 200 (java-tron, Util.printErrorMsg).
    const refusal = refusalIn(answer);
    if (refusal !== null) throw new RpcError(path, printable(refusal));
    if (status < 200 || status > 299) throw new RpcError(path, `the node answered HTTP ${status}`);
    if (answer === undefined) throw new ChainInconsistencyError(`${path}: the node answered no JSON`);
    return answer;
  }

  /** Waits for calls under way. */
  async close(): Promise<void> {
    await this.http.close();
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

function refusalIn(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || !Object.hasOwn(answer, 'Error')) return null;
  const { Error: message } = answer as { Error: unknown };
  return typeof message === 'string' ? message : 'no message';
}
