import { DemoError } from './demo-error.js';

/** A node that takes the question and does not answer. */
class NodeHangsError extends DemoError {
  constructor(origin: string, method: string, timeoutMs: number, cause: unknown) {
    super(
      `the node of the development profile at ${origin} has not answered ${method} for ${timeoutMs / 1_000} s. ` +
        'It hangs, or the machine is very busy: end its process (`kill -9`), and the next start brings its chain back.',
      { cause },
    );
  }
}

/** Calls one method of a JSON-RPC node. Responses must be short and contain no large JSON numbers. */
export async function callRpc(url: string, method: string, params: unknown[] = [], timeoutMs = 10_000) {
  const { origin, pathname, username, password } = new URL(url);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const asked = async () => {
    const response = await fetch(`${origin}${pathname}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(username && { authorization }) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return (await response.json()) as { result?: unknown; error?: { message: string } };
  };
  const body = await asked().catch((cause: unknown) => {
    if (!(cause instanceof DOMException && cause.name === 'TimeoutError')) throw cause;
    throw new NodeHangsError(origin, method, timeoutMs, cause);
  });
  if (body.error) throw new Error(`${method}: ${body.error.message}`);
  return body.result;
}

/** {@link callRpc} with a string as the result: a quantity, a hash, code. */
export async function callRpcText(url: string, method: string, params: unknown[] = []): Promise<string> {
  const result = await callRpc(url, method, params);
  if (typeof result !== 'string') throw new Error(`${method}: unexpected result`);
  return result;
}
