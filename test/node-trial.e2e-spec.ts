import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import type {
  NodeTrialContract,
  TriableChainContract,
} from '../src/operations/doctor/node-trial.contract.js';
import { AccountApi } from './support/account-api.js';
import { plantSecret } from './support/leaks/watch-leaks.js';
import { answering, HANG, raw, RpcProxy } from './support/rpc-proxy.js';
import { Shop } from './support/shop.js';

const TRIALS = '/api/admin/node-trials';
/** In the address of a node: every log line and row of the test gateway is searched for it. */
const KEY = 'k3y-of-a-hosted-node-5f2a9c';

let shop: Shop;
let node: RpcProxy;
let operator: AccountApi;

beforeAll(async () => {
  shop = await Shop.open({ CHAIN_RPC_TIMEOUT_MS: '1000' });
  node = await RpcProxy.start(shop.chain.url);
  operator = await AccountApi.open(shop.gateway);
  await shop.gateway.get(UsersService).setOperator(operator.user.id, true);
  plantSecret(KEY, 'planted');
});
afterEach(() => node.setFaults({}));
afterAll(async () => {
  await shop.close();
  await node.stop();
});

const ask = (body: object, token = operator.accessToken) =>
  shop.call<NodeTrialContract>('POST', TRIALS, token, { blockchain: 'ethereum', source: 'node', ...body });

async function tried(body: object): Promise<NodeTrialContract> {
  const { status, body: answer } = await ask(body);
  expect(status).toBe(200);
  return answer.data;
}

const abilities = ({ abilities: all }: NodeTrialContract) =>
  Object.fromEntries(all.map(({ ability, has }) => [ability, has]));

it('a node of the right network says what it can do, and is not configured by that', async () => {
  const before = await shop.gateway.sql.query('select endpoints from chain_conditions');
  const trial = await tried({ address: node.url });
  expect(trial).toMatchObject({
    works: true,
    network: String(shop.chain.chainId),
    latencyMs: expect.any(Number),
  });
  expect(trial.height).toBeGreaterThan(0);
  expect(abilities(trial)).toMatchObject({ blocks: true, tokens: true, contracts: true, history: true });
  expect(await shop.gateway.sql.query('select endpoints from chain_conditions')).toEqual(before);
});

it('a plan without traces is told from one with them', async () => {
  const refused = () => ({ error: { code: -32601, message: 'the method does not exist' } });
  node.setFaults({
    trace_block: refused,
    debug_traceBlockByHash: refused,
    debug_traceBlockByNumber: refused,
  });
  const trial = await tried({ address: node.url });
  expect(abilities(trial)).toMatchObject({ blocks: true, contracts: false });
  expect(trial.findings.map(({ found }) => found).join()).toMatch(/traces/);
});

it.each([
  ['of another network', { eth_chainId: answering('0x89') }, /chain id/i],
  ['that hangs', { eth_chainId: raw(HANG) }, /did not answer|deadline|time/i],
  ['that refuses the key', { eth_chainId: raw('no', 401) }, /401/],
])('a node %s does not work, with the reason', async (_title, faults, reason) => {
  node.setFaults(faults);
  const trial = await tried({ address: `${node.url}/v1/${KEY}` });
  expect(trial).toMatchObject({ works: false, height: null, latencyMs: null, abilities: [] });
  expect(trial.findings).toMatchObject([{ severity: 'failure', found: expect.stringMatching(reason) }]);
  expect(JSON.stringify(trial)).not.toContain(KEY);
});

describe('an address that is no node', () => {
  let server: Server;

  beforeAll(async () => {
    server = createServer((_request, response) => void response.end('<html>It works!</html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it.each(['node', 'esplora'] as const)('is said to be none, as %s', async (source) => {
    const { port } = server.address() as AddressInfo;
    const trial = await tried({
      blockchain: source === 'node' ? 'ethereum' : 'bitcoin',
      source,
      address: `http://user:${KEY}@127.0.0.1:${port}`,
    });
    expect(trial).toMatchObject({ works: false, abilities: [], findings: [{ severity: 'failure' }] });
    expect(JSON.stringify(trial)).not.toContain(KEY);
  });
});

it.each([
  ['blockchain', { blockchain: 'moonchain', address: 'http://127.0.0.1:1' }],
  ['source', { source: 'esplora', address: 'http://127.0.0.1:1' }],
  ['source', { source: 'ftp', address: 'http://127.0.0.1:1' }],
  ['address', { address: 'ftp://127.0.0.1' }],
  ['address', { address: 'localhost' }],
  ['address', { address: 'http://:80/' }],
  ['address', { address: `http://user:%zz${KEY}@127.0.0.1:1` }],
  ['address', {}],
])('a wrong %s is named, and no request is sent', async (field, body) => {
  const { status, body: answer } = await ask(body);
  expect(status).toBe(422);
  expect(Object.keys(answer.errors ?? {})).toEqual([field]);
  expect(JSON.stringify(answer)).not.toContain(KEY);
});

it('only an operator may have the gateway ask, and one node at a time', async () => {
  const other = await AccountApi.open(shop.gateway);
  expect(await ask({ address: node.url }, other.accessToken)).toMatchObject({
    status: 403,
    body: { code: 'operator_required' },
  });
  expect(await ask({ address: node.url }, shop.owner.accessToken)).toMatchObject({ status: 403 });
  node.setFaults({ eth_chainId: raw(HANG) });
  const all = await Promise.all([ask({ address: node.url }), ask({ address: node.url })]);
  expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429]);
});

it('lists every chain of the catalog, also those that are not configured', async () => {
  const { body } = await shop.call<TriableChainContract[]>(
    'GET',
    `${TRIALS}/blockchains`,
    operator.accessToken,
  );
  expect(body.data).toEqual(
    expect.arrayContaining([
      { slug: 'bitcoin', name: 'Bitcoin', takesEsplora: true },
      { slug: 'ethereum', name: 'Ethereum', takesEsplora: false },
      { slug: 'tron', name: expect.any(String), takesEsplora: false },
    ]),
  );
});
