/** Things that exist in the fuzzed gateway, by name; requests refer to them as `{{name:index}}`. */
export type Pools = Record<string, string[]>;

/** Newer entries push out the oldest ones; what the fixtures made stays. */
const CAPACITY = 500;

/** Names of path parameters, properties and query parameters that stand for something that exists. */
const POOL_OF: Record<string, string> = {
  paymentId: 'payment',
  paymentApplicationId: 'application',
  clientId: 'clientId',
  siteId: 'site',
  tokenId: 'token',
  deliveryId: 'delivery',
  refundId: 'refund',
  expires: 'expires',
  signature: 'signature',
};

export function poolOf(name: string): string | null {
  return Object.hasOwn(POOL_OF, name) ? (POOL_OF[name] ?? null) : null;
}

/** The pool of a parameter; a refund's link is signed by itself. */
export function poolOfParameter(path: string, name: string): string | null {
  if (name === 'id' && path.includes('/payment-applications/')) return 'application';
  const isClaim = /\/refund\/\{\w+\}$/.test(path);
  if (isClaim && (name === 'expires' || name === 'signature')) return `claim_${name}`;
  return poolOf(name);
}

/** Stands for an entry of a pool until the request is sent. */
export function placeholder(pool: string, index: number): string {
  return `{{${pool}:${index}}}`;
}

/** Puts what exists in the place of the placeholders; an empty pool has nothing. */
export function fill(template: string, pools: Pools): string {
  return template.replace(/\{\{(\w+):(\d+)\}\}/g, (whole, name: string, index: string) => {
    const pool = pools[name] ?? [];
    return pool[Number(index) % pool.length] ?? whole;
  });
}

/** Remembers what an answer created, so that later requests find it. */
export function harvest(pools: Pools, operation: string, body: unknown): void {
  const data = (body as { data?: Record<string, unknown> }).data ?? {};
  const { id, clientId } = data;
  if (typeof id !== 'string') return;
  if (operation === 'createCheckout')
    addLink(pools, ['payment', 'expires', 'signature'], id, data['checkoutUrl']);
  if (operation === 'createPaymentApplication') {
    add(pools, 'application', id);
    add(pools, 'clientId', String(clientId));
    add(pools, 'site', String((data['site'] as { id?: unknown } | undefined)?.id));
  }
  if (operation === 'createClientToken') add(pools, 'token', id);
  if (operation === 'createRefund')
    addLink(pools, ['refund', 'claim_expires', 'claim_signature'], id, data['claimUrl']);
}

/** Side by side: one index means one link. */
function addLink(pools: Pools, names: [string, string, string], id: string, url: unknown): void {
  const { searchParams } = new URL(String(url));
  add(pools, names[0], id);
  add(pools, names[1], searchParams.get('expires') ?? '');
  add(pools, names[2], searchParams.get('signature') ?? '');
}

function add(pools: Pools, name: string, value: string): void {
  const pool = (pools[name] ??= []);
  pool.push(value);
  if (pool.length > CAPACITY) pool.splice(CAPACITY / 2, 1);
}
