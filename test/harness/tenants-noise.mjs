// The noisy merchant of tenants.mjs, in a thread of its own, so that it delays the gateway and not the measurement:
// every client sends its next request as soon as it has a response, until it is ended. Posts how many of each status.
import { parentPort, workerData } from 'node:worker_threads';
import '../../scripts/register-typescript.mjs';

const { checkoutBody } = await import('../support/merchant-api.ts');
const { sendRequest } = await import('../support/api-request.ts');

const { baseUrl, clientId, tokens } = workerData;
const counts = {};
let isEnding = false;
parentPort.once('message', () => (isEnding = true));

await Promise.all(
  tokens.map(async (token) => {
    while (!isEnding) {
      const request = { method: 'POST', token, body: checkoutBody(clientId, 'ORDER-1') };
      const { status } = await sendRequest(`${baseUrl}/api/payment/checkout`, request).catch(() => ({
        status: 0,
      }));
      counts[status] = (counts[status] ?? 0) + 1;
    }
  }),
);
parentPort.postMessage(counts);
