import { channel } from 'node:diagnostics_channel';
import { Agent, request } from 'undici';

/** One request as the gateway sent it. */
export interface Recorded {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

interface CreatedRequest {
  request: { origin: string; path: string; method: string; body: unknown; headers: string[] };
}

/** Notes every request that this process sends to a node while `work` runs. */
export async function record(origin: string, work: () => Promise<unknown>): Promise<Recorded[]> {
  const seen: Recorded[] = [];
  const listen = (message: unknown): void => {
    const { request: sent } = message as CreatedRequest;
    if (String(sent.origin) !== origin || !Buffer.isBuffer(sent.body)) return;
    const authorization = sent.headers[sent.headers.findIndex((name) => name === 'authorization') + 1];
    const headers = {
      'content-type': 'application/json',
      ...(sent.headers.includes('authorization') && authorization && { authorization }),
    };
    seen.push({ url: sent.origin + sent.path, headers, body: sent.body });
  };
  const created = channel('undici:request:create');
  created.subscribe(listen);
  try {
    await work();
  } finally {
    created.unsubscribe(listen);
  }
  return seen;
}

/** The upper bound: the same bytes requested and discarded. @param inFlight requests at once, as the gateway has them */
export async function replay(requests: readonly Recorded[], inFlight: number): Promise<number> {
  const agent = new Agent();
  let [next, bytes] = [0, 0];
  const work = async (): Promise<void> => {
    for (let one = requests[next++]; one; one = requests[next++]) {
      const { headers, body } = one;
      const answer = await request(one.url, { method: 'POST', dispatcher: agent, headers, body });
      for await (const chunk of answer.body) bytes += (chunk as Buffer).length;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  await agent.close();
  return bytes;
}
