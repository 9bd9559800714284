// Runs in a browser, on a page of another origin than the gateway: what the client package promises there.
import { Gateway, GatewayError } from '/sdk/index.js';

/** The customer's side: the signed link and no token. */
export async function followCheckout({ baseUrl, checkoutUrl }) {
  const { checkout } = new Gateway({ baseUrl, retries: 0 });
  const before = await checkout.status(checkoutUrl);
  const methods = await checkout.methods(checkoutUrl);
  const method = methods.find(({ provider, method: name }) => provider === 'ethereum' && name === 'eth');
  const instructions = await checkout.instructions(checkoutUrl, method);
  return {
    status: before.status,
    amount: before.amount.amount.toString(),
    methods: methods.length,
    address: instructions.address,
    due: instructions.amount.atomic,
  };
}

/** What a page of its own making does: asks again with the ETag that it read. */
export async function pollWithETag(url) {
  const first = await fetch(url);
  const etag = first.headers.get('etag');
  const again = await fetch(url, { headers: { 'If-None-Match': etag } });
  return { status: first.status, hasETag: etag !== null, again: again.status };
}

/** Asks until the gateway has had enough, and reads how long to wait. */
export async function exhaust({ baseUrl, checkoutUrl }) {
  const { checkout } = new Gateway({ baseUrl, retries: 0 });
  for (let asked = 0; asked < 200; asked++) {
    try {
      await checkout.status(checkoutUrl);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const { code, status, retryAfter, requestId } = error;
      return { code, status, retryAfter, hasRequestId: /^[0-9a-f-]{36}$/.test(requestId) };
    }
  }
  throw new Error('nothing was refused');
}

/** The merchant's side, with an access token: every request asks the gateway first. */
export async function manage({ baseUrl, token, clientId }) {
  const gateway = new Gateway({ baseUrl, token, retries: 0 });
  const { id } = await gateway.payments.create({
    amount: 2500,
    currencyCode: 'USD',
    reference: 'ORDER-7',
    referenceLabel: 'Order 7',
    clientId,
  });
  const cancelled = await gateway.payments.cancel(id);
  const waited = await gateway.payments.waitFor(id);
  const listed = [];
  for await (const payment of gateway.payments.list({ search: 'ORDER-7' })) listed.push(payment.id);
  const refusal = await gateway.payments.create({ amount: 0 }).catch((error) => error);
  return {
    cancelled: cancelled.status,
    waited: waited.status,
    isListed: listed.includes(id),
    refusal: [refusal.code, refusal.status, Object.keys(refusal.errors).includes('amount')],
  };
}

/** Server-sent events without EventSource, which can send no token: until the first event. */
export async function readFirstEvent({ baseUrl, token }) {
  const response = await fetch(`${baseUrl}/api/events/stream`, {
    headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' },
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; ;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the stream ended: ${text}`);
    text += value;
    const [, data] = /^data: (.*)$/m.exec(text) ?? [];
    if (data === undefined || !text.includes('\n\n')) continue;
    await reader.cancel();
    return JSON.parse(data).event;
  }
}

/** Whether a script can read an address at all; a refusal of the browser is a TypeError. */
export async function canRead(url, init) {
  try {
    await fetch(url, init);
    return true;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return false;
  }
}

/** The same, of answers that say no. */
export async function readRefusals({ baseUrl, token }) {
  const read = async (path, init) => {
    const response = await fetch(`${baseUrl}${path}`, init);
    const { code } = await response.json();
    return `${response.status} ${code}`;
  };
  const headers = { Authorization: `Bearer ${token}` };
  return Promise.all([
    read('/api/payment', { headers: { Authorization: 'Bearer pct_unknown' } }),
    read('/api/paymets', { headers }),
    read('/api/payment/checkout', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{',
    }),
  ]);
}
