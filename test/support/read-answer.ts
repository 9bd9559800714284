/** What ends only when the client goes: server-sent events. */
const ENDLESS = /^text\/event-stream/;

/** The body of an answer; of a stream without an end, what it begins with. The connection is dropped then. */
export async function readAnswer(response: Response): Promise<string> {
  if (!response.ok || !ENDLESS.test(response.headers.get('content-type') ?? '')) return response.text();
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(first?.value);
}
