// Runs the processes of the built program under load, kills them by SIGKILL at failpoints and at random times, and
// starts them again. At the end, the database must agree with the chain and the merchant's own records: every confirmed
// transfer is credited once, and every event is delivered, in order, under one id.
//   npm run chaos                      10,000 kills
//   CHAOS_KILLS=40 npm run chaos       one round and one planted bug, as for each change
//   CHAOS_SEED=7 npm run chaos         another seed; the times of kills also depend on the machine
import { access, chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import '../../scripts/register-typescript.mjs';
import { check, expect, finish } from '../harness/checks.mjs';

const { startRatesStub } = await import('../../src/demo/rates-stub.ts');
const { ethereumEnv } = await import('../chain-fuzz/deployment.ts');
const { provisionMerchant } = await import('../support/built-cli.ts');
const { startEvmActor } = await import('../chain-fuzz/evm-actor.ts');
const { readErrors } = await import('../chain-fuzz/logs.ts');
const { mutate } = await import('../chain-fuzz/mutations.ts');
const { createTestDatabase } = await import('../support/test-gateway.ts');
const { databaseUrl, startTestServer } = await import('../support/test-server.ts');
const { KillSchedule } = await import('./kill-schedule.ts');
const { makeImage } = await import('./image.ts');
const { plainLaunch } = await import('./launch.ts');
const { CRASH_MUTATIONS } = await import('./mutations.ts');
const { Round } = await import('./round.ts');
const { Summary } = await import('./summary.ts');

const root = path.resolve(import.meta.dirname, '../..');
const wantedKills = numberOf('CHAOS_KILLS', 10_000);
const firstSeed = numberOf('CHAOS_SEED', 1);
/** Kills per round, after which the records are checked. Each round has its own database. */
const KILLS_OF_A_ROUND = 200;
/** Rounds on one chain, so that it does not grow without limit. */
const ROUNDS_PER_CHAIN = 5;
/** Further kills, at failpoints without a kill so far. */
const EXTRA_KILLS = 60;
/** Failed rounds after which a run ends. */
const MAX_FAILURES = 3;
/** Long, so that a busy machine does not look like a faulty gateway. */
const PATIENCE_MS = 240_000;
/** For a gateway with a planted bug, whose records do not become correct by waiting. */
const SHORT_PATIENCE_MS = 8_000;
const ALL_ROLES = ['api', 'api', 'watcher', 'watcher', 'worker', 'worker'];
const ONE_OF_EACH = ['api', 'watcher', 'worker'];
/** One start of this many loads the program file by file, as an operator's does. */
const STARTS_PER_PLAIN_ONE = 50;
/** With this many kills or more, every planted bug is tried; CI has time for one. */
const KILLS_FOR_ALL_BUGS = 1_000;
/** Kills in which a planted bug has to show. */
const KILLS_OF_A_MUTATION = 2;

function numberOf(name, otherwise) {
  const text = process.env[name];
  if (text === undefined || text === '') return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number, not "${text}"`);
  return Number(text);
}

/** Starts take most of the time, so nearly all load an image of the program. */
function launch() {
  return ++starts % STARTS_PER_PLAIN_ONE === 0 ? plainLaunch(root) : fast;
}

/** Counts the clients that Postgres lost in the middle of a transaction, according to its log. */
async function countBrokenTransactions(adminUrl) {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const { rows } = await admin.query('show data_directory');
  await admin.end();
  const folder = path.dirname(rows[0].data_directory);
  const logs = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  const texts = await Promise.all(logs.map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts.join('').split('with an open transaction').length - 1;
}

/** The oracle must find the planted bug. */
async function expectCaught(harness, mutation, seed) {
  const folder = path.join(harness.work, `mutation-${seed}`);
  const faulty = await mutate(root, folder, mutation);
  const kills = new KillSchedule(seed, KILLS_OF_A_MUTATION, KILLS_OF_A_MUTATION, [], [mutation.failpoint]);
  const { findings } = await Round.run(harness, {
    seed,
    roles: ONE_OF_EACH,
    launch: (role) => (role === mutation.role ? plainLaunch(faulty) : fast),
    kills,
    patienceMs: SHORT_PATIENCE_MS,
  });
  await rm(folder, { recursive: true, force: true });
  // A copy that fails before its failpoint would be caught for another reason.
  expect(
    kills.done.some(({ failpoint }) => failpoint === mutation.failpoint),
    `no process was killed at ${mutation.failpoint}: ${findings.slice(0, 5).join('\n')}`,
  );
  expect(findings.length > 0, 'the oracle found nothing');
  const finding = findings.find((each) => mutation.caught.test(each));
  expect(finding, `caught for another reason: ${findings.slice(0, 5).join('\n')}`);
  process.stdout.write(`        caught: ${finding}\n`);
}

await access(path.join(root, 'dist/src/main.js')).catch(() => {
  throw new Error('the gateway is not built: npm run build');
});
const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-chaos-'));
await chmod(work, 0o711);
await mkdir(path.join(work, 'logs'));
const summary = new Summary();
const postgres = await startTestServer();
const template = databaseUrl(postgres.adminUrl, 'template_gateway');
const rates = await startRatesStub();
for (const [code, price] of Object.entries({ ETH: '2000', USDT: '1', USDC: '1' }))
  rates.setPrice(code, 'USD', price);
let [evm, client, fast, starts, failures, killed, round] = [null, null, null, 0, 0, 0, 0];
try {
  while (killed < wantedKills && failures < MAX_FAILURES) {
    if (round % ROUNDS_PER_CHAIN === 0) {
      await evm?.chain.stop();
      evm = await startEvmActor();
    }
    client ??= await provisionMerchant(root, ethereumEnv({ evm, rates }, template));
    fast ??= await makeImage(root, ethereumEnv({ evm, rates }, await createTestDatabase()), work);
    const seed = firstSeed + round++;
    const harness = { evm, rates, client, work };
    const wanted = Math.min(KILLS_OF_A_ROUND, wantedKills - killed);
    // In the last round, the failpoints that no round has reached.
    const demanded = killed + wanted < wantedKills ? [] : summary.failpointsUnseen();
    const kills = new KillSchedule(seed, wanted, wanted + EXTRA_KILLS, demanded);
    const isCorrect = await check(`round ${seed}, ${wanted} kills`, async () => {
      const options = { seed, roles: ALL_ROLES, launch, kills, patienceMs: PATIENCE_MS };
      const { findings, tally } = await Round.run(harness, options);
      summary.add(kills, tally);
      expect(findings.length === 0, findings.slice(0, 40).join('\n'));
      return tally;
    });
    killed += kills.done.length;
    if (!isCorrect) failures++;
    if (kills.done.length < wanted) break;
  }
  summary.brokenTransactions = await countBrokenTransactions(postgres.adminUrl);
  process.stdout.write(`what happened:\n${summary.report()}\n`);
  await check(`${wantedKills} kills, and every event that a conclusive run needs`, async () => {
    expect(killed >= wantedKills, `only ${killed} kills`);
    expect(summary.missing().length === 0, `never: ${summary.missing().join(', ')}`);
  });
  await check('no gateway reported a bug of its own', async () => {
    const errors = await readErrors(path.join(work, 'logs'));
    expect(errors.length === 0, errors.slice(0, 10).join('\n'));
  });
  const bugs = wantedKills < KILLS_FOR_ALL_BUGS ? CRASH_MUTATIONS.slice(0, 1) : CRASH_MUTATIONS;
  for (const [i, mutation] of bugs.entries())
    await check(`a planted bug is caught: ${mutation.name}`, () =>
      expectCaught({ evm, rates, client, work }, mutation, 1_000_000 + i),
    );
} finally {
  await Promise.all([evm?.chain.stop(), rates.stop(), postgres.stop()]);
  if (failures === 0) await rm(work, { recursive: true, force: true });
  else process.stdout.write(`the gateways' logs are in ${work}\n`);
  finish();
}
