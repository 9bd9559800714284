// The built program as an operator's processes, under load, killed by SIGKILL at its failpoints and at random, and
// started again, until nothing happens any more. Then the chain alone and the merchant's own records must say the
// same as the database: every confirmed transfer credited once, every event delivered, in order, under one id.
//   npm run chaos                      10,000 kills
//   CHAOS_KILLS=100 npm run chaos      one round and one planted bug, as in CI
//   CHAOS_SEED=7 npm run chaos         another beginning; what dies when is also a matter of the machine
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
/** Kills of one round: then the records are checked, and another database begins. */
const KILLS_OF_A_ROUND = 200;
/** Chain and miners start anew after so many rounds, so that the chain does not grow without end. */
const ROUNDS_OF_A_WORLD = 5;
/** Additional kills, for failpoints at which no process was killed yet. */
const EXTRA_KILLS = 60;
/** Rounds after which a run gives up. */
const ENOUGH = 3;
/** A busy machine must not look like a wrong gateway. */
const PATIENCE_MS = 240_000;
/** A gateway that is wrong on purpose stays so. */
const SHORT_PATIENCE_MS = 8_000;
const EVERYBODY = ['api', 'api', 'watcher', 'watcher', 'worker', 'worker'];
const FEW = ['api', 'watcher', 'worker'];
/** One start in so many is that of an operator's, file by file. */
const STARTS_PER_PLAIN_ONE = 50;
/** From so many kills on, every planted bug is tried; CI has the time for one. */
const KILLS_FOR_ALL_BUGS = 1_000;
/** Deaths that a planted bug has for showing itself. */
const KILLS_OF_A_MUTATION = 2;

function numberOf(name, otherwise) {
  const text = process.env[name];
  if (text === undefined || text === '') return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number, not "${text}"`);
  return Number(text);
}

/** Starts are most of the work: nearly all are of an image of the program. */
function launch() {
  return ++starts % STARTS_PER_PLAIN_ONE === 0 ? plainLaunch(root) : fast;
}

/** How often Postgres lost a client in the middle of a transaction, by its own account. */
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

/** A right oracle says of a wrong gateway that it is wrong. */
async function demandCaught(harness, mutation, seed) {
  const folder = path.join(harness.work, `mutation-${seed}`);
  const wrong = await mutate(root, folder, mutation);
  const kills = new KillSchedule(seed, KILLS_OF_A_MUTATION, KILLS_OF_A_MUTATION, [], [mutation.failpoint]);
  const { findings } = await Round.run(harness, {
    seed,
    roles: FEW,
    launch: (role) => (role === mutation.role ? plainLaunch(wrong) : fast),
    kills,
    patienceMs: SHORT_PATIENCE_MS,
  });
  await rm(folder, { recursive: true, force: true });
  // A copy that does not even come so far would be found out for another reason.
  expect(
    kills.deaths.some(({ failpoint }) => failpoint === mutation.failpoint),
    `nobody died at ${mutation.failpoint}: ${findings.slice(0, 5).join('\n')}`,
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
  while (killed < wantedKills && failures < ENOUGH) {
    if (round % ROUNDS_OF_A_WORLD === 0) {
      await evm?.chain.stop();
      evm = await startEvmActor();
    }
    client ??= await provisionMerchant(root, ethereumEnv({ evm, rates }, template));
    fast ??= await makeImage(root, ethereumEnv({ evm, rates }, await createTestDatabase()), work);
    const seed = firstSeed + round++;
    const harness = { evm, rates, client, work };
    const wanted = Math.min(KILLS_OF_A_ROUND, wantedKills - killed);
    // In the last round, what no round has seen yet.
    const demanded = killed + wanted < wantedKills ? [] : summary.failpointsUnseen();
    const kills = new KillSchedule(seed, wanted, wanted + EXTRA_KILLS, demanded);
    const verdict = await check(`round ${seed}, ${wanted} kills`, async () => {
      const options = { seed, roles: EVERYBODY, launch, kills, patienceMs: PATIENCE_MS };
      const { findings, tally } = await Round.run(harness, options);
      summary.add(kills, tally);
      expect(findings.length === 0, findings.slice(0, 40).join('\n'));
      return tally;
    });
    killed += kills.deaths.length;
    if (!verdict) failures++;
    if (kills.deaths.length < wanted) break;
  }
  summary.brokenTransactions = await countBrokenTransactions(postgres.adminUrl);
  process.stdout.write(`what happened:\n${summary.report()}\n`);
  await check(`${wantedKills} kills, and everything that makes them worth something`, async () => {
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
      demandCaught({ evm, rates, client, work }, mutation, 1_000_000 + i),
    );
} finally {
  await Promise.all([evm?.chain.stop(), rates.stop(), postgres.stop()]);
  if (failures === 0) await rm(work, { recursive: true, force: true });
  else process.stdout.write(`the gateways' logs are in ${work}\n`);
  finish();
}
