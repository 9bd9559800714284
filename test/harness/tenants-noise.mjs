// The noisy merchant of tenants.mjs, in a thread of its own, so that it delays the gateway and not the measurement. From
// "start" to "stop" every client sends its next request as soon as it has a response; then the numbers by status are posted.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import '../../scripts/register-typescript.mjs';

const { checkoutBody } = await import('../support/merchant-api.ts');
const { sendRequest } = await import('../support/api-request.ts');

const { baseUrl, clientId, tokens } = workerData;
parentPort.postMessage('ready');

for (;;) {
  await once(parentPort, 'message');
  const counts = {};
  let isStopped = false;
  parentPort.once('message', () => (isStopped = true));
  await Promise.all(
    tokens.map(async (token) => {
      while (!isStopped) {
        const request = { method: 'POST', token, body: checkoutBody(clientId, 'ORDER-1') };
        const { status } = await sendRequest(`${baseUrl}/api/payment/checkout`, request).catch(() => ({
          status: 0,
        }));
        counts[status] = (counts[status] ?? 0) + 1;
      }
    }),
  );
  parentPort.postMessage(counts);
}
