// Random payments, replacements, double spends, contract tricks and reorgs on two real chains, while two watchers of
// the built gateway are killed, frozen and cut off. Afterwards every credited amount and part, every status, every event and the feed
// must be what the chains alone make of them.
//   npm run fuzz:chains                          1,000 seeds
//   CHAIN_FUZZ_SEEDS=4 npm run fuzz:chains       the first four and one planted bug, as for each change
//   CHAIN_FUZZ_SEED=7 npm run fuzz:chains        one of them again; with CHAIN_FUZZ_SEEDS, so many from there on
import { access, chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import '../../scripts/register-typescript.mjs';
import { check, expect, finish } from '../harness/checks.mjs';

const { startRatesStub } = await import('../../src/demo/rates-stub.ts');
const { databaseUrl, startTestServer } = await import('../support/test-server.ts');
const { Campaign, WrongRecordsError } = await import('./campaign.ts');
const { Deployment, gatewayEnv } = await import('./deployment.ts');
const { provisionMerchant } = await import('../support/built-cli.ts');
const { startEvmActor } = await import('./evm-actor.ts');
const { Merchant } = await import('./merchant.ts');
const { readErrors } = await import('./logs.ts');
const { mutate, MUTATIONS } = await import('./mutations.ts');
const { startUtxoActor } = await import('./utxo-actor.ts');

const root = path.resolve(import.meta.dirname, '../..');
/** Null: a run from the first seed on, which must also meet every kind of step and catch the planted bugs. */
const chosen = numberOf('CHAIN_FUZZ_SEED', null);
const seeds = numberOf('CHAIN_FUZZ_SEEDS', chosen === null ? 1_000 : 1);
/** Programs in which every kind of step and fault comes to pass; with fewer, neither that is demanded nor every bug planted. */
const SEEDS_OF_ALL_KINDS = 20;
const meetsAllKinds = seeds >= SEEDS_OF_ALL_KINDS;
const steps = numberOf('CHAIN_FUZZ_STEPS', 60);
/** Chains and database start anew after so many seeds, so that none of them grows without end. */
const SEEDS_OF_A_WORLD = 20;
/** Failures after which a run gives up. */
const ENOUGH = 5;
/** A busy machine must not look like a wrong gateway. */
const PATIENCE_MS = 45_000;
/** A gateway that is wrong on purpose stays so. */
const SHORT_PATIENCE_MS = 3_000;
/** Programs within which a planted bug must be found. */
const SEEDS_OF_A_MUTATION = 12;

function numberOf(name, otherwise) {
  const text = process.env[name];
  if (text === undefined || text === '') return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number, not "${text}"`);
  return Number(text);
}

async function openHarness(work, rates) {
  const logs = await mkdtemp(path.join(work, 'logs-'));
  const [evm, utxo] = await Promise.all([startEvmActor(), startUtxoActor()]);
  return { evm, utxo, rates, logs };
}

async function closeHarness({ evm, utxo }) {
  await Promise.all([evm.chain.stop(), utxo.node.stop()]);
}

/** @returns how many of the seeds failed */
async function runSeeds(campaign, surroundings, client, numbers) {
  const deployment = await Deployment.start(surroundings, root);
  let failures = 0;
  const everybody = [];
  try {
    const merchant = await Merchant.open(deployment.baseUrl, client);
    for (const seed of numbers) {
      const payees = await check(`seed ${seed}`, () => campaign.runSeed(deployment, merchant, seed));
      if (payees) everybody.push(...payees);
      else if (++failures >= ENOUGH) break;
    }
    await check(`the ${everybody.length} payments of before are still right`, () =>
      campaign.demandRight(deployment, merchant, everybody, 1, 'in the end'),
    );
    await campaign.addUp(deployment);
    await check('no gateway reported a bug of its own', async () => {
      const errors = await readErrors(surroundings.logs);
      expect(errors.length === 0, errors.join('\n'));
    });
  } finally {
    await deployment.stop();
  }
  return failures;
}

/** A right oracle says of a wrong gateway that it is wrong. */
async function demandCaught(surroundings, client, mutation, folder) {
  const watcherRoot = await mutate(root, folder, mutation);
  const campaign = new Campaign(steps, SHORT_PATIENCE_MS, false);
  const deployment = await Deployment.start(surroundings, root, watcherRoot);
  try {
    const merchant = await Merchant.open(deployment.baseUrl, client);
    for (let i = 0; i < SEEDS_OF_A_MUTATION; i++) {
      const seed = mutation.firstSeed + i;
      try {
        await campaign.runSeed(deployment, merchant, seed);
      } catch ({ cause, message }) {
        expect(cause instanceof WrongRecordsError, message);
        const finding = cause.findings.find((each) => mutation.caught.test(each));
        expect(finding, `caught for another reason: ${cause.message}`);
        process.stdout.write(`        caught by seed ${seed}: ${finding}\n`);
        return;
      }
    }
    throw new Error(`not caught by ${SEEDS_OF_A_MUTATION} seeds`);
  } finally {
    await deployment.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

await access(path.join(root, 'dist/src/main.js')).catch(() => {
  throw new Error('the gateway is not built: npm run build');
});
const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-chain-fuzz-'));
await chmod(work, 0o711);
const postgres = await startTestServer();
const template = databaseUrl(process.env.TEST_ADMIN_URL, 'template_gateway');
const rates = await startRatesStub();
for (const [code, price] of Object.entries({ ETH: '2000', BTC: '50000', USDT: '1', USDC: '1' }))
  rates.setPrice(code, 'USD', price);
const campaign = new Campaign(steps, PATIENCE_MS);
let [client, failures] = [null, 0];
try {
  const numbers = Array.from({ length: seeds }, (_, i) => (chosen ?? 1) + i);
  while (numbers.length > 0 && failures < ENOUGH) {
    const isLast = numbers.length <= SEEDS_OF_A_WORLD;
    const surroundings = await openHarness(work, rates);
    try {
      client ??= await provisionMerchant(root, gatewayEnv(surroundings, template));
      failures += await runSeeds(campaign, surroundings, client, numbers.splice(0, SEEDS_OF_A_WORLD));
      if (isLast && chosen === null)
        for (const [i, mutation] of MUTATIONS.slice(0, meetsAllKinds ? MUTATIONS.length : 1).entries())
          await check(`a planted bug is caught: ${mutation.name}`, () =>
            demandCaught(surroundings, client, mutation, path.join(work, `mutation-${i}`)),
          );
    } finally {
      await closeHarness(surroundings);
    }
  }
  process.stdout.write(`what happened:\n${campaign.report()}\n`);
  if (chosen === null && meetsAllKinds)
    await check('every kind of step and fault came to pass', async () => {
      expect(campaign.missing().length === 0, `never: ${campaign.missing().join(', ')}`);
    });
} finally {
  await Promise.all([rates.stop(), postgres.stop()]);
  if (failures === 0) await rm(work, { recursive: true, force: true });
  else process.stdout.write(`the gateways' logs are in ${work}\n`);
  finish();
}
