/** Calls one method of a JSON-RPC node; responses here are short and contain no numbers beyond hex text. */
export async function callRpc(url: string, method: string, params: unknown[] = [], timeoutMs = 10_000) {
  const { origin, pathname, username, password } = new URL(url);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const response = await fetch(`${origin}${pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(username && { authorization }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}

/** {@link callRpc} where the answer must be text: a quantity, a hash, code. */
export async function callRpcText(url: string, method: string, params: unknown[] = []): Promise<string> {
  const result = await callRpc(url, method, params);
  if (typeof result !== 'string') throw new Error(`${method}: unexpected answer`);
  return result;
}
