// A whole shop, as small as it can be: one order, a checkout link, proven webhooks, the end of the wait.
//   npm install <the client package>     see sdk/README.md
//   GATEWAY_URL=… CLIENT_ID=… CLIENT_TOKEN=… WEBHOOK_SECRET=… PORT=8080 node integrate-a-shop.mjs
// The application's callbackUrl is this server's /webhooks/payments.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Gateway, verifyWebhook, WebhookError } from 'crypto-payment-gateway-client';

const { GATEWAY_URL, CLIENT_ID: clientId, CLIENT_TOKEN, WEBHOOK_SECRET, PORT = '8080' } = process.env;
const gateway = new Gateway({ baseUrl: GATEWAY_URL, token: CLIENT_TOKEN });
const order = { number: `ORDER-${process.pid}`, attempt: 1, cents: 2500, shipped: false };
let finish;
const finished = new Promise((resolve) => (finish = resolve));
const handled = new Set(); // a shop with a database: a unique key on the id of the event

// 1. Ask for a payment. Within 24 hours the same key never makes a second one; a new attempt needs a new key.
const { id, checkoutUrl } = await gateway.payments.create(
  { amount: order.cents, currencyCode: 'USD', reference: order.number, referenceLabel: 'Coffee', clientId },
  { idempotencyKey: `${order.number}-attempt-${order.attempt}` },
);

// 2. Believe only what is signed, act on each event once, and ship when the money is final.
async function receive(request) {
  const body = Buffer.concat(await request.toArray());
  const proven = await verifyWebhook({ headers: request.headers, body, secret: WEBHOOK_SECRET });
  if (proven === null) return; // a test event: answer 2xx and do nothing
  const { id, event, payment } = proven;
  if (handled.has(id) || payment.reference !== order.number) return;
  handled.add(id);
  console.log(`webhook: ${event} for ${payment.reference}, ${payment.receivedAmount.formatted}`);
  if (event === 'payment.received') order.shipped = true;
  if (event === 'payment.completed') finish();
}

async function serve(request, response) {
  if (request.method !== 'POST') return response.writeHead(303, { location: checkoutUrl }).end();
  try {
    await receive(request);
    response.writeHead(204).end();
  } catch (error) {
    if (error instanceof WebhookError) console.log(`refused: ${error.reason}`);
    response.writeHead(error instanceof WebhookError ? 400 : 500).end();
  }
}
const server = createServer((request, response) => void serve(request, response)).listen(Number(PORT));
await once(server, 'listening');

// 3. Send the customer there; http://localhost:8080 redirects too.
console.log(`pay here: ${checkoutUrl}`);

// 4. Wait. CONFIRMED: the money is final, and our answer to payment.received said that we know.
const payment = await gateway.payments.waitFor(id);
if (payment.status === 'CONFIRMED') await finished; // payment.completed, a moment later
console.log(`${payment.reference} is ${payment.status}, ${order.shipped ? 'shipped' : 'not shipped'}`);
server.close();
