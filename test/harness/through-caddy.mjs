// The installed gateway as customers reach it: by its name, through the proxy, with the certificate of its own authority.
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

export const HOST = 'pay.example.test';

export function request(ca, address, { method, body, token, headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
    const outgoing = https.request(
      {
        host: '127.0.0.1',
        port: 443,
        servername: HOST,
        ca,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        path: address,
        timeout: 30_000,
        agent: false,
        headers: {
          host: HOST,
          ...(token && { authorization: `Bearer ${token}` }),
          ...(sent !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(sent) }),
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
      },
    );
    outgoing.on('error', reject).on('timeout', () => outgoing.destroy(new Error('no answer')));
    outgoing.end(sent);
  });
}

/** Asks for a page again and again until `isOver`; how many got no answer, and the slowest one in milliseconds. */
export async function watch(ca, isOver) {
  let [asked, lost, slowest] = [0, 0, 0];
  while (!isOver()) {
    const start = performance.now();
    const ok = await request(ca, '/verify-address').then(
      ({ status }) => status === 200,
      () => false,
    );
    asked++;
    if (!ok) lost++;
    slowest = Math.max(slowest, performance.now() - start);
    await delay(100);
  }
  return { asked, lost, slowest };
}
