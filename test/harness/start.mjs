// The first README command, from outside and without jest: a clean copy of the project is installed and
// started, a payment is made and paid, the gateway is killed, started again and stopped.
//   node test/harness/start.mjs
import { chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { check, expect, finish, isAlive, killProcesses, listProcesses, until } from './checks.mjs';
import {
  announced,
  fetchOauthToken,
  freePort,
  payInEther,
  post,
  readFacts,
  readPayment,
  request,
  rpc,
  run,
  spawnGateway,
} from './development.mjs';
import { installPackages } from './packages.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const NOT_IN_A_CLONE = new Set(['.git', '.data', 'coverage', 'dist', 'node_modules', 'sdk/dist']);

const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-start-'));
// As root, Postgres runs as another user, who must pass through.
await chmod(work, 0o711);
const clone = path.join(work, 'clone');
const gateways = [];

/** `npm start` in the clone; resolves when demo.json is of this very process. */
async function start(port, dataDir) {
  const gateway = await spawnGateway({
    cwd: clone,
    env: { PORT: String(port), ...(dataDir && { DATA_DIR: dataDir }) },
    logFile: path.join(work, `start-${gateways.length + 1}.log`),
    factsFile: path.join(clone, dataDir ?? '.data', 'demo.json'),
  });
  gateways.push(gateway);
  return announced(gateway);
}

/** Pids of the Postgres server and the EVM chains that belong to a gateway's data directory. */
async function companions(gateway) {
  const dataDir = path.dirname(gateway.factsFile);
  const readPid = async (...file) =>
    JSON.parse(await readFile(path.join(dataDir, ...file, 'dev-chain.json'), 'utf8')).pid;
  const { clusterDir } = JSON.parse(await readFile(path.join(dataDir, 'postgres.json'), 'utf8'));
  const postmaster = await readFile(path.join(clusterDir, 'data', 'postmaster.pid'), 'utf8');
  return {
    ethereum: await readPid(),
    base: await readPid('base'),
    postgres: Number(postmaster.split('\n')[0]),
  };
}

/** Ctrl-C: every process of the terminal's group gets the signal. */
async function stop(gateway) {
  const running = await companions(gateway);
  process.kill(-gateway.child.pid, 'SIGINT');
  const pids = [gateway.facts.pid, ...Object.values(running)];
  await until('the stop', async () => {
    const alive = await Promise.all(pids.map(isAlive));
    return !alive.includes(true);
  });
  await gateway.exited;
  expect((await readFacts(gateway.factsFile)) === null, 'demo.json is still there');
  const errors = (await readFile(gateway.logFile, 'utf8'))
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  expect(errors.length === 0, `errors were logged:\n${errors.join('\n')}`);
}

/** balanceOf(address) of a token, or the native balance. */
async function balance(facts, account, token) {
  const holder = account.slice(2).padStart(64, '0');
  return BigInt(
    token
      ? await rpc(facts, 'eth_call', { to: token, data: `0x70a08231${holder}` }, 'latest')
      : await rpc(facts, 'eth_getBalance', account, 'latest'),
  );
}

async function checkStart(gateway) {
  const { facts } = gateway;
  for (const key of [
    'baseUrl',
    'pid',
    'oauth',
    'user',
    'application',
    'clientToken',
    'checkoutUrl',
    'shop',
    'ratesUrl',
    'chains',
  ])
    expect(facts[key], `demo.json lacks ${key}`);
  const shown = [
    facts.baseUrl,
    facts.clientToken,
    facts.checkoutUrl,
    facts.chains.ethereum.rpcUrl,
    facts.oauth.tokenUrl,
  ];
  // It is printed when the facts are written already.
  await until(`a summary with ${shown.join(', ')}`, async () => {
    const printed = await readFile(gateway.logFile, 'utf8');
    return shown.every((text) => printed.includes(text));
  });
}

async function checkOauth(facts) {
  const token = await fetchOauthToken(facts);
  const { data } = await request(`${facts.baseUrl}/api/payment-applications`, { token });
  expect(
    data.some(({ id }) => id === facts.application.id),
    'the demo application is not in the list',
  );
}

async function createPayment(facts) {
  const { data } = await post(
    `${facts.baseUrl}/api/payment/checkout`,
    {
      amount: 1999,
      currencyCode: 'USD',
      reference: 'HARNESS-1',
      referenceLabel: 'Harness order',
      clientId: facts.application.clientId,
    },
    facts.clientToken,
  );
  const payment = await readPayment(facts, data.id);
  expect(payment.status === 'OPEN', `the payment is ${payment.status}`);
  expect(payment.amount.amount === 1999 && payment.reference === 'HARNESS-1', 'it is not what was asked');
  expect(payment.checkoutUrl === data.checkoutUrl, 'the checkout URL changed');
  return payment;
}

/** The payment has a status by then. */
const awaitStatus = (facts, id, status) =>
  until(status, async () => (await readPayment(facts, id)).status === status);

async function checkFunds(facts) {
  const [account] = await rpc(facts, 'eth_accounts');
  const ether = await balance(facts, account);
  expect(ether > 9_990n * 10n ** 18n && ether <= 10_000n * 10n ** 18n, `${ether} wei`);
  for (const [code, token] of Object.entries(facts.chains.ethereum.tokens)) {
    const units = await balance(facts, account, token);
    expect(units === 1_000_000n * 10n ** 6n, `${units} units of ${code}`);
  }
}

async function checkRefusal() {
  const { code, output } = await run('npm', ['start'], { cwd: clone, env: { NODE_ENV: 'production' } });
  expect(code !== 0, 'it started');
  for (const name of ['DATABASE_URL', 'APP_KEYS', 'CHECKOUT_SIGNING_KEY', 'BASE_URL', 'CHAIN_'])
    expect(output.includes(name), `the message does not name ${name}:\n${output}`);
}

async function checkBusyFolder(first) {
  const { code, output } = await run('npm', ['start'], {
    cwd: clone,
    env: { PORT: String(await freePort()) },
  });
  expect(code !== 0 && output.includes(String(first.facts.pid)), output);
  expect(await isAlive(first.facts.pid), 'the first gateway is gone');
  const left = await readFacts(first.factsFile);
  expect(left?.pid === first.facts.pid, 'demo.json of the first gateway is gone');
}

/** A command builds what is missing, and says so where its results are not. */
async function checkMissingBuild() {
  await rm(path.join(clone, 'dist'), { recursive: true });
  const { code, output } = await run('npm', ['run', '--silent', 'verify'], { cwd: clone });
  expect(code === 1 && output.startsWith('Building...\n'), `exit code ${code}\n${output}`);
  expect(output.includes('start it first: npm start'), output);
}

async function checkSecondGateway() {
  const second = await start(await freePort(), '.data-second');
  await createPayment(second.facts);
  await stop(second);
}

async function main() {
  // As it is for those who let no package run programs at install time; what follows shows that none is missed.
  await check('a clean copy installs with `npm ci --ignore-scripts`', async () => {
    const filter = (source) => !NOT_IN_A_CLONE.has(path.relative(root, source));
    await cp(root, clone, { recursive: true, filter });
    await installPackages(clone);
  });
  const port = await freePort();
  const first = await check('`npm start` builds and starts', () => start(port, null));
  if (!first) return;
  const { facts } = first;
  await check('it prints the summary and writes demo.json', () => checkStart(first));
  await check('it is live and ready', async () => {
    for (const kind of ['live', 'ready']) await request(`${facts.baseUrl}/api/health/${kind}`);
  });
  await check('its address opens a page that leads to the demo shop, which is open', async () => {
    const answer = await fetch(facts.baseUrl, { headers: { accept: 'text/html' } });
    const page = await answer.text();
    expect(answer.status === 200 && page.includes(`action="${facts.shop.url}/orders"`), page);
    const shop = await fetch(`${facts.shop.url}/`);
    expect(shop.status === 200 && (await shop.text()).includes(facts.shop.clientToken), shop.status);
  });
  await check('an OAuth token is one request away', () => checkOauth(facts));
  await check('the first account holds play money', () => checkFunds(facts));
  const payment = await check('a payment is created and read back by the client token', () =>
    createPayment(facts),
  );
  await check('a customer pays it, which is seen before it is final', async () => {
    await payInEther(facts, payment.checkoutUrl);
    await awaitStatus(facts, payment.id, 'FOUND', 20);
  });
  // While blocks come.
  await check('a second gateway runs beside it', checkSecondGateway);
  await check('a second gateway on the same data is refused', () => checkBusyFolder(first));
  await check('the payment is CONFIRMED', () => awaitStatus(facts, payment.id, 'CONFIRMED'));

  const before = await companions(first);
  await check('SIGKILL leaves Postgres and the chains running', async () => {
    process.kill(facts.pid, 'SIGKILL');
    await first.exited;
    const alive = await Promise.all(Object.values(before).map(isAlive));
    expect(!alive.includes(false), 'they are gone');
  });
  const second = await check('the next start adopts them', async () => {
    const gateway = await start(port, null);
    const now = await companions(gateway);
    expect(JSON.stringify(now) === JSON.stringify(before), 'they were started anew');
    return gateway;
  });
  if (!second) return;
  await check('the payment and the client token survived the kill', async () => {
    expect(second.facts.clientToken === facts.clientToken, 'another client token');
    expect((await readPayment(second.facts, payment.id)).status === 'CONFIRMED', 'not CONFIRMED');
  });
  const height = BigInt(await rpc(second.facts, 'eth_blockNumber'));
  await check('Ctrl-C stops everything', () => stop(second));
  const third = await check('it starts again', () => start(port, null));
  if (!third) return;
  await check('the payment and the chain survived the stop', async () => {
    expect((await readPayment(third.facts, payment.id)).status === 'CONFIRMED', 'not CONFIRMED');
    expect(BigInt(await rpc(third.facts, 'eth_blockNumber')) >= height, 'the chain lost blocks');
  });
  await check('Ctrl-C stops everything again', () => stop(third));
  await check('production without configuration is refused by name', checkRefusal);
  await check('a command without a build builds first', checkMissingBuild);
  await check('no process is left', async () => {
    const left = await listProcesses(work);
    expect(left.length === 0, left.map(({ pid, command }) => `${pid} ${command}`).join('\n'));
  });
}

try {
  await main();
} finally {
  await killProcesses(work);
  await rm(work, { recursive: true, force: true });
  finish();
}
