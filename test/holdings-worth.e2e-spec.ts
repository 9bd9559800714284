/**
 * @inOrder One shop with a treasury, whose funds are looked at as they come in.
 */
import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { toChecksumAddress } from '../src/chains/evm/evm-address.pure.js';
import type { CollectionContract } from '../src/collections/collection.contract.js';
import type { HoldingContract } from '../src/collections/holding.contract.js';
import { ReceivedRepository } from '../src/collections/received.repository.js';
import { prepareExport } from '../src/wallets/collection-export.pure.js';
import { COLLECTOR_FACTORY } from '../src/wallets/treasury/treasury-address.pure.js';
import { installMulticall3 } from './support/multicall3.js';
import { createOwner } from './support/principals.js';
import { HANG, RpcProxy } from './support/rpc-proxy.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from './support/shop.js';
import { newAccount } from './support/wallets-api.js';

/** 0.122 dollars for 61,000 gas, at 2,000 dollars for an ether. */
const GWEI = 10n ** 9n;
const LEAST_USDC = 122_001n;
const TOKEN_COST = 61_000n * GWEI;
const COIN_COST = 36_000n * GWEI;
/** More by a trillionth of a dollar, below which nothing is compared. */
const LEAST_ETHER = COIN_COST + 500n;

let proxy: RpcProxy;
let shop: Shop;
let application: ShopApplication;

beforeAll(async () => {
  shop = await Shop.open({ CHAIN_RPC_TIMEOUT_MS: '3000' }, async (node) => {
    proxy = await RpcProxy.start(node);
    return proxy.url;
  });
  await installMulticall3(shop.chain);
  shop.rates.setPrice('USDC', 'EUR', '0.5');
  shop.rates.setPrice('ETH', 'EUR', '1000');
  application = await shop.application();
  await setWallet({ treasury: toChecksumAddress(randomBytes(20)) });
});
beforeEach(() => proxy.setFaults({ eth_gasPrice: gasPrice(GWEI) }));
afterAll(async () => {
  await shop?.close();
  await proxy?.stop();
});

const gasPrice =
  (price: bigint) =>
  async ({ id }: { id: unknown }) => ({ jsonrpc: '2.0', id, result: `0x${price.toString(16)}` });
const path = (rest: string, { id } = application) => `/api/payment-applications/${id}${rest}`;

async function setWallet(body: object, of = application): Promise<void> {
  const answer = await shop.call('PUT', path('/wallets/evm', of), shop.owner.accessToken, body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

/** By coin, once what was known before is forgotten. */
async function holdings(query = '', of = application): Promise<Record<string, HoldingContract>> {
  shop.gateway.clock.advanceSeconds(61);
  const answer = await shop.call<HoldingContract[]>(
    'GET',
    path(`/holdings${query}`, of),
    shop.owner.accessToken,
  );
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return Object.fromEntries(answer.body.data.map((holding) => [holding.currencyCode, holding]));
}

/** An address that receives some of a coin, which may be what its payment asks for. */
async function pay(coin: 'eth' | 'usdc', amount?: bigint, of = application, fields: object = {}) {
  const payment = await shop.createPayment(of, { ...fields });
  await shop.send(await shop.instructions(payment, coin), amount);
  return payment;
}

it('say what came in is worth now, was worth, and what collecting it costs', async () => {
  await pay('usdc');
  await pay('usdc', LEAST_USDC);
  await pay('usdc', LEAST_USDC - 1n);
  await pay('eth', LEAST_ETHER);
  await pay('eth', LEAST_ETHER - 1n);
  await shop.mine(CONFIRMATIONS);
  const { USDC, ETH } = await holdings();
  const received = 100_000_000n + 2n * LEAST_USDC - 1n;
  expect(USDC).toMatchObject({
    receivedAmount: { atomic: String(received) },
    // Rounded down: 100.244001 dollars.
    worth: { atomic: '10024', currency: { code: 'USD' } },
    // 100.00, and twice 0.12.
    atReceipt: {
      credited: [{ atomic: '10024', currency: { code: 'USD' } }],
      unvaluedAmount: { atomic: '0' },
    },
    collecting: {
      costPerAddress: { atomic: String(TOKEN_COST), currency: { code: 'ETH' } },
      costPerAddressWorth: { atomic: '13' },
      collectableFrom: { atomic: String(LEAST_USDC) },
      collectableAddressCount: 2,
      collectableAmount: { atomic: String(100_000_000n + LEAST_USDC) },
      totalCost: { atomic: String(2n * TOKEN_COST) },
      totalCostWorth: { atomic: '25' },
    },
  });
  expect(ETH?.collecting).toMatchObject({
    costPerAddress: { atomic: String(COIN_COST) },
    collectableFrom: { atomic: String(LEAST_ETHER) },
    collectableAddressCount: 1,
    collectableAmount: { atomic: String(LEAST_ETHER) },
  });
});

it('agree with what a collection takes and leaves', async () => {
  const body = { blockchain: 'ethereum' };
  const { accessToken } = shop.owner;
  const answer = await shop.call<CollectionContract>('POST', path('/collections'), accessToken, body);
  const { expected, leftOut } = answer.body.data;
  const { USDC, ETH } = await holdings();
  for (const { amount } of expected) {
    const holding = amount.currency.code === 'USDC' ? USDC : ETH;
    expect(amount.atomic).toBe(holding?.collecting?.collectableAmount?.atomic);
  }
  expect(leftOut.map(({ reason, amount }) => `${amount?.atomic} ${reason}`).toSorted()).toEqual([
    `${LEAST_USDC - 1n} uneconomic`,
    `${LEAST_ETHER - 1n} uneconomic`,
  ]);
});

it('are in the currency that is asked for, and a wrong one is named', async () => {
  const { USDC } = await holdings('?worthCurrencyCode=EUR');
  expect(USDC).toMatchObject({
    worth: { atomic: '5012', currency: { code: 'EUR' } },
    // What was credited is not converted.
    atReceipt: { credited: [{ currency: { code: 'USD' } }] },
    collecting: { costPerAddressWorth: { atomic: '7', currency: { code: 'EUR' } } },
  });
  const wrong = await shop.call('GET', path('/holdings?worthCurrencyCode=XXX'), shop.owner.accessToken);
  expect(wrong).toMatchObject({ status: 422, body: { errors: { worthCurrencyCode: [expect.any(String)] } } });
});

it('name each currency of the payments, and what has no rate of its receipt', async () => {
  await pay('usdc', undefined, application, { currencyCode: 'EUR', amount: 100 });
  const payment = await shop.createPayment(application);
  const { address } = await shop.instructions(payment, 'eth');
  await shop.chain.sendToken({ token: shop.tokens.USDC, to: address as `0x${string}`, value: 7_000_000n });
  await shop.mine(CONFIRMATIONS);
  const { USDC } = await holdings();
  expect(USDC?.atReceipt).toMatchObject({
    credited: [
      { atomic: '100', currency: { code: 'EUR' } },
      { atomic: '10024', currency: { code: 'USD' } },
    ],
    unvaluedAmount: { atomic: '7000000' },
  });
});

it('cost nothing known where no node says the price, and a node that hangs keeps nobody waiting', async () => {
  const asked = async ({ id }: { id: unknown }) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32_000, message: 'overloaded' },
  });
  for (const fault of [asked, async () => HANG]) {
    proxy.setFaults({ eth_gasPrice: fault });
    const { USDC } = await holdings();
    expect(USDC).toMatchObject({ collecting: null, worth: { currency: { code: 'USD' } } });
    expect(USDC?.atReceipt?.credited).toHaveLength(2);
  }
});

it('ask a node once in a minute, whoever reads', async () => {
  let questions = 0;
  proxy.setFaults({
    eth_gasPrice: async (call) => {
      questions++;
      return gasPrice(GWEI)(call);
    },
  });
  await holdings();
  const again = await shop.call<HoldingContract[]>('GET', path('/holdings'), shop.owner.accessToken);
  expect(again.body.data.map(({ collecting }) => collecting)).not.toContain(null);
  expect(questions).toBe(1);
});

it('are worth nothing known without rates, and never nothing', async () => {
  for (const source of ['kraken', 'coinbase'] as const) shop.rates.setMode(source, 'down');
  shop.gateway.clock.advanceSeconds(1_200);
  const { USDC, ETH } = await holdings();
  for (const source of ['kraken', 'coinbase'] as const) shop.rates.setMode(source, 'ok');
  shop.gateway.clock.advanceSeconds(60);
  expect(USDC).toMatchObject({
    worth: null,
    collecting: {
      costPerAddress: { atomic: String(TOKEN_COST) },
      costPerAddressWorth: null,
      collectableFrom: null,
      collectableAddressCount: null,
      collectableAmount: null,
      totalCost: null,
      totalCostWorth: null,
    },
  });
  // A coin is compared with its own gas, which takes no rate.
  expect(ETH?.collecting).toMatchObject({ collectableAddressCount: 2, totalCostWorth: null });
});

it('have no way to be collected from addresses of a key', async () => {
  const other = await shop.application();
  await setWallet({ extendedPublicKey: newAccount().publicExtendedKey }, other);
  await pay('usdc', undefined, other);
  await shop.mine(CONFIRMATIONS);
  const { USDC } = await holdings('', other);
  expect(USDC).toMatchObject({
    collecting: null,
    worth: { atomic: '10000' },
    atReceipt: { credited: [{ atomic: '10000' }] },
  });
});

it('are collected by two requests of a user at a time', async () => {
  let [begin, go, questions] = [() => {}, () => {}, 0];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const going = new Promise<void>((resolve) => (go = resolve));
  proxy.setFaults({
    eth_gasPrice: async (call) => {
      if (++questions === 2) begin();
      await going;
      return gasPrice(GWEI)(call);
    },
  });
  const collect = async () => {
    const response = await fetch(`${shop.gateway.baseUrl}${path('/collections')}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.owner.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ blockchain: 'ethereum' }),
    });
    return [response.status, response.headers.get('retry-after')];
  };
  const first = [collect(), collect()];
  await begun;
  expect(await collect()).toEqual([429, '5']);
  go();
  expect(await Promise.all(first)).toEqual([
    [200, null],
    [200, null],
  ]);
  expect(await collect()).toEqual([200, null]);
});

it('are the same however they are found', async () => {
  const ways: { wayTo: () => Promise<string> } = shop.gateway.get(ReceivedRepository) as never;
  const answers: unknown[] = [];
  for (const way of ['few', 'walk']) {
    const found = jest.spyOn(ways, 'wayTo').mockResolvedValue(way);
    const { accessToken } = shop.owner;
    const list = await shop.call('GET', path('/holdings/addresses?limit=3'), accessToken);
    const files = await Promise.all(
      ['', '?blockchain=ethereum&format=csv&locale=en'].map(async (query) => {
        const url = `${shop.gateway.baseUrl}${path(`/holdings/addresses/export${query}`)}`;
        return (await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } })).text();
      }),
    );
    const body = { blockchain: 'ethereum' };
    const collection = await shop.call('POST', path('/collections'), accessToken, body);
    expect(found).toHaveBeenCalledTimes(4);
    found.mockRestore();
    answers.push([list.body.data, files, collection.body.data]);
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(JSON.stringify(answers[0]).length).toBeGreaterThan(2_000);
});

describe('the export of addresses', () => {
  const read = async (query = '', token = shop.owner.accessToken) => {
    const url = `${shop.gateway.baseUrl}${path(`/holdings/addresses/export${query}`)}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('is opened by the page that collects as it is', async () => {
    const payment = await pay('usdc', undefined, application, { reference: '=1+1, "two"\r\nlines' });
    await shop.mine(CONFIRMATIONS);
    const { status, headers, text } = await read('?blockchain=ethereum');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(text).toMatch(/^blockchain,address,index,namespace,treasury,factory,tokens,path,/);
    expect(text).toContain(`${payment.id},"'=1+1, ""two""\r\nlines",`);
    const { collections, refused } = prepareExport(text);
    expect(refused).toEqual([]);
    const list = await shop.call<{ address: string }[]>(
      'GET',
      path('/holdings/addresses?limit=100'),
      shop.owner.accessToken,
    );
    const addresses = collections.flatMap(({ deposits }) => deposits.map(({ address }) => address));
    expect(addresses.toSorted()).toEqual([
      ...new Set(list.body.data.map(({ address }) => address).toSorted()),
    ]);
    expect(new Set(collections.map(({ treasury }) => treasury.factory))).toEqual(
      new Set([COLLECTOR_FACTORY]),
    );
    expect(new Set(collections.flatMap(({ tokens }) => tokens))).toEqual(
      new Set([toChecksumAddress(Buffer.from(shop.tokens.USDC.slice(2), 'hex'))]),
    );
  });

  it('has in JSON Lines the same, and nothing of another chain', async () => {
    const { text } = await read('?format=jsonl');
    const rows = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows[0]).toMatchObject({
      blockchain: 'ethereum',
      currencyCode: 'USDC',
      receivedAmount: '100.000000',
      receivedAmountAtomic: '100000000',
      path: null,
      keyOwner: 'application',
      reference: '=1+1, "two"\r\nlines',
    });
    const times = rows.map(({ firstSeenAt }) => String(firstSeenAt));
    expect(times).toEqual(times.toSorted().toReversed());
    expect((await read('?format=jsonl&blockchain=bitcoin')).text).toBe('');
    expect((await read('?blockchain=etherium')).status).toBe(422);
  });

  it('is a table for people, oldest first, with sums', async () => {
    const { text } = await read('?format=csv&locale=de');
    const lines = text.split('\r\n');
    expect(lines[0]).toMatch(/^Gezahlt am \(UTC\);Referenz;Netzwerk;/);
    expect(lines.filter((line) => line.includes('USDC')).at(-1)).toMatch(/;USDC;\d+,\d+;/);
  });

  it('is of whom the application is', async () => {
    expect((await read('', (await createOwner(shop.gateway)).accessToken)).status).toBe(404);
    expect((await read('', application.clientToken)).status).toBe(401);
  });
});
