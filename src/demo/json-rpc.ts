/** Calls one method of a JSON-RPC node. Responses must be short and contain no large JSON numbers. */
export async function callRpc(url: string, method: string, params: unknown[] = [], timeoutMs = 10_000) {
  const { origin, pathname, username, password } = new URL(url);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const response = await fetch(`${origin}${pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(username && { authorization }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const body = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (body.error) throw new Error(`${method}: ${body.error.message}`);
  return body.result;
}

/** {@link callRpc} with a string as the result: a quantity, a hash, code. */
export async function callRpcText(url: string, method: string, params: unknown[] = []): Promise<string> {
  const result = await callRpc(url, method, params);
  if (typeof result !== 'string') throw new Error(`${method}: unexpected result`);
  return result;
}
