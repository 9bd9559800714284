import { UsersService } from '../../src/identity/oauth/people/users.service.js';
import { DOCUMENT } from '../support/contract/document-schemas.js';
import { type Located, operationsOf, parametersOf, resolve } from '../support/contract/operations.js';
import { plantCopies } from '../support/planted-transfers.js';
import { sealPlanted } from '../support/seal-planted.js';
import { CUSTOMER, RefundsApi } from '../support/refunds-api.js';
import { explainSessions, SentPlans } from '../support/sent-plans.js';
import { type CreatedPayment, Shop, type ShopApplication } from '../support/shop.js';

/** Of each kind: what was asked for, another coin, and late; of one unit each. */
const DUST = 6_000;
const MAX_BODY = 64 * 1024;
/** Rows more than before: 25 transfers that are listed, where a timeline looks each up three times. */
const MORE_ROWS = 100;
const METRICS_TOKEN = 'a-metrics-token-that-is-long-enough';

/** Without a value here, a GET of the document is not asked. */
const NOT_ASKED: Readonly<Record<string, RegExp>> = {
  'server-sent events end after minutes': /\/(events|changes|stream)$/,
  'the authorization server shows no payment': /oauth/,
  'files, which are the same for all': /^\/(dashboard|checkout\/assets|api\/docs)\/.*\{|\/logo$/,
  'catalogs, keys and tokens have no payment': /\{(code|slug|family|tokenId)\}/,
  'verify compares every transfer with its chain, when an operator asks': /reconciliation$/,
  'a delivery is shown without its body': /\{deliveryId\}/,
};
/** Answers or work in proportion to transfers, and why. */
const IN_PROPORTION: Readonly<Record<string, RegExp>> = {
  'an export has a line for each, which is read 500 at a time': /^\/api\/transfers\/export/,
  'the file of a month has a line for each, which is read 500 at a time': /^\/api\/reports\/month/,
  'a report adds up every transfer of its time, in one row': /^\/api\/reports\/received/,
  'a search for the beginning of a hash reads 5,001 at most': /^\/api\/payment(-overview)?\?search=/,
  'a scrape counts up to 10,000 of each kind': /^\/metrics/,
  'documents, the same for all': /^\/(api\/openapi.json|api\/currencies|collector|verify-address)/,
};

let shop: Shop;
let application: ShopApplication;
let payment: CreatedPayment;
let plans: SentPlans;
let routes: string[];

interface Cost {
  status: number;
  bytes: number;
  rows: number;
  ms: number;
}
const costs = { before: new Map<string, Cost>(), after: new Map<string, Cost>() };

beforeAll(async () => {
  shop = await Shop.open({ DATABASE_POOL_SIZE: '2', METRICS_TOKEN });
  application = await shop.application({ callbackUrl: shop.merchant.url });
  await shop.gateway.get(UsersService).setOperator(shop.owner.userId, true);
  const refunds = new RefundsApi(shop, application);
  payment = await refunds.paid();
  const refund = await refunds.create(payment, { address: CUSTOMER, amount: 100 });
  await shop.settle();
  plans = new SentPlans();
  const { databaseUrl } = shop.gateway;
  await shop.whileDown(() => explainSessions(process.env['TEST_ADMIN_URL'] ?? '', databaseUrl));
  routes = await everyRoute({ refundId: refund.id, refundUrl: refund.claimUrl });
  await measure(costs.before);
  await flood();
  await measure(costs.after);
}, 300_000);
afterAll(async () => {
  plans?.close();
  await shop?.close();
});

async function flood(): Promise<void> {
  const { sql } = shop.gateway;
  const { USDC } = shop.tokens;
  const other = {
    asset: `'${USDC}'`,
    currency_code: `'USDC'`,
    asset_decimals: '6',
    quote_id: 'null',
    credited_amount: 'null',
    is_matched: 'false',
  };
  const kinds: Record<string, Record<string, string>> = { wanted: {}, other, late: { is_late: 'true' } };
  for (const [kind, values] of Object.entries(kinds))
    await plantCopies(sql, payment, DUST, {
      amount: '1',
      ordinal: `t.ordinal || ':${kind}' || n`,
      ...values,
    });
  await sealPlanted(shop.gateway);
  await sql.query('analyze payment_transfers');
  // A change is added up once, ahead of the pages (many-transfers.e2e-spec.ts).
  for (const route of routes) await ask(route);
}

/** Every GET of the document with values for its parameters, and once more with each filter that is yes or no. */
async function everyRoute(refund: { refundId: string; refundUrl: string }): Promise<string[]> {
  const path = `/api/payment/${payment.id}`;
  const { receiptUrl } = (await shop.call<{ receiptUrl: string }>('GET', path, application.clientToken)).body
    .data;
  const daysFromNow = (days: number) =>
    new Date((shop.gateway.clock.unixSeconds() + days * 86_400) * 1_000).toISOString();
  const values: Record<string, string> = {
    paymentId: payment.id,
    refundId: refund.refundId,
    id: application.id,
    siteId: application.site.id,
    provider: 'ethereum',
    method: 'eth',
    reference: 'ORDER-1',
    base: 'ETH',
    quote: 'USD',
    from: daysFromNow(-30),
    to: daysFromNow(30),
    month: daysFromNow(0).slice(0, 7),
    search: '0x',
  };
  const signed = (bare: string) =>
    new URL(
      bare.startsWith('/receipt')
        ? receiptUrl
        : bare.includes(refund.refundId)
          ? refund.refundUrl
          : payment.checkoutUrl,
    ).searchParams;
  const toRoutes = ({ path: form, operation, names }: Located): string[] => {
    const unknown = names.filter((name) => values[name] === undefined);
    if (unknown.length > 0) throw new Error(`no value for ${unknown.join()} of ${form}`);
    const bare = form.replaceAll(/\{([^}]+)\}/g, (_, name: string) => values[name] ?? '');
    const queries = parametersOf(DOCUMENT, operation, 'query');
    const needed = queries
      .filter(({ required }) => required)
      .map(({ name }): [string, string] => [name, values[name] ?? signed(bare).get(name) ?? '']);
    const filters = queries.flatMap(({ name, schema }): [string, string][] => {
      const { type } = resolve<{ type?: unknown }>(DOCUMENT, schema);
      if (name === 'search') return [[name, values['search'] ?? '']];
      return [type].flat().includes('boolean')
        ? [
            [name, 'true'],
            [name, 'false'],
          ]
        : [];
    });
    return [needed, ...filters.map((filter) => [...needed, filter])].map((pairs) =>
      pairs.length === 0 ? bare : `${bare}?${new URLSearchParams(pairs).toString()}`,
    );
  };
  const isAsked = (form: string) => !Object.values(NOT_ASKED).some((pattern) => pattern.test(form));
  return operationsOf(DOCUMENT)
    .filter(({ method, path: form }) => method === 'get' && isAsked(form))
    .flatMap(toRoutes);
}

async function ask(route: string): Promise<{ status: number; bytes: number }> {
  const isPublic = !route.startsWith('/api/') || route.startsWith('/api/checkout');
  const token = route === '/metrics' ? METRICS_TOKEN : isPublic ? null : shop.owner.accessToken;
  const headers = { accept: '*/*', ...(token !== null && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`${shop.gateway.baseUrl}${route}`, { headers, redirect: 'manual' });
  return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
}

async function measure(into: Map<string, Cost>): Promise<void> {
  for (const route of routes) {
    await ask(route);
    let answer = { status: 0, bytes: 0 };
    const { rows } = await plans.workOf(async () => {
      answer = await ask(route);
    });
    const began = performance.now();
    await ask(route);
    into.set(route, { ...answer, rows, ms: performance.now() - began });
  }
}

const isInProportion = (route: string) => Object.values(IN_PROPORTION).some((pattern) => pattern.test(route));
/** Routes whose cost after the flood is too much. */
const having = (isTooMuch: (after: Cost, before: Cost) => boolean) =>
  routes.flatMap((route) => {
    const [before, after] = [costs.before.get(route), costs.after.get(route)];
    if (!before || !after) throw new Error(`${route} was not measured`);
    return isTooMuch(after, before) ? [`${route}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`] : [];
  });
const bounded = (problems: string[]) => problems.filter((problem) => !isInProportion(problem));

describe(`every GET of the document, of a payment with ${3 * DUST} transfers of one unit`, () => {
  it('is answered as before', () => {
    expect(routes.length).toBeGreaterThan(80);
    expect(having(({ status }, before) => status >= 400 || status !== before.status)).toEqual([]);
  });

  it('has less than 64 kB', () => {
    expect(bounded(having(({ bytes }, before) => bytes >= MAX_BODY && bytes > before.bytes))).toEqual([]);
  });

  it('reads no more rows than for the transfers that are listed', () => {
    expect(bounded(having(({ rows }, before) => rows > before.rows + MORE_ROWS))).toEqual([]);
  });

  it('is in proportion only where it says so', () => {
    const costly = having(({ bytes, rows }) => bytes >= MAX_BODY || rows > 1_000);
    const unused = Object.entries(IN_PROPORTION).filter(
      ([, pattern]) => !costly.some((route) => pattern.test(route)),
    );
    expect(unused).toEqual([]);
  });

  it('takes about as long, which is printed only', () => {
    const ratios = routes
      .filter((route) => !isInProportion(route))
      .map((route) => (costs.after.get(route)?.ms ?? 0) / (costs.before.get(route)?.ms ?? 1))
      .toSorted((a, b) => a - b);
    process.stdout.write(
      `times of ${ratios.length} routes, flooded against plain: median ${ratios[ratios.length >> 1]?.toFixed(2)}\n`,
    );
    expect(ratios.length).toBeGreaterThan(80);
  });
});
