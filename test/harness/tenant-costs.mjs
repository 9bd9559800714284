// What one tenant, or strangers without a token, cost another one: a merchant's ordinary work alone, then beside each
// attack of tenant-attacks.mjs, and while the same attack goes to a second gateway with a second Postgres on the same
// machine. The last shows what sharing the processors costs; the rest is due to sharing the gateway.
//   node test/harness/tenant-costs.mjs                   about five minutes
//   node test/harness/tenant-costs.mjs searches feeds    some of the attacks
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { check, expect, finish } from './checks.mjs';
import { besideNoise, create, quantile, TenantStage } from './tenant-stage.mjs';

const { withClient } = await import('../faults/postgres-server.ts');
const { sendRequest } = await import('../support/api-request.ts');

const ROUND_MS = Number(process.env.TENANT_ROUND_MS || 8_000);
/** Between two requests of the victim. */
const PAUSE_MS = 10;
/** The limits of production, for those who sign in and for strangers behind a proxy, too. */
const SETTINGS = {
  TRUSTED_PROXIES: '127.0.0.1',
  RATE_LIMIT_PAYMENT: '60',
  RATE_LIMIT_ADDRESS: '300',
  RATE_LIMIT_POLLS: '60',
  RATE_LIMIT_ADDRESS_POLLS: '600',
  RATE_LIMIT_TOKEN_ENDPOINT: '10',
  RATE_LIMIT_FAILED_AUTH: '20',
  RATE_LIMIT_SIGN_IN: '5',
  MAX_OPEN_PAYMENTS_PER_USER: '1000000',
  MAX_UNPAID_PAYMENTS_PER_USER: '1000000',
};
const ORIGIN = 'https://gateway.test';
/** Its searches and lists must have something to look through. */
const ATTACKERS_PAYMENTS = 10_000;
const KINDS = ['create', 'read', 'page', 'list'];
/**
 * How much slower the slowest hundredth may be than alone, or than while the attack goes elsewhere. On a machine of its own
 * it is twice at most; the margin is for one that does other work, too.
 */
const FACTOR = 4;
/** Without other work a response takes a few milliseconds, so that a single slow one would decide. */
const TOLERANCE_MS = 5;

const GROW = `
  insert into payments
  select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'reference', 'GROWN-' || n,
    'created_at', t.created_at - n * interval '1 minute'))).*
  from payments t cross join generate_series(1, $1::int) n where t.id = $2`;

const stage = await TenantStage.open();
const noises = [];

/** A gateway with an attacker, whose thread waits for the name of an attack. */
async function openAttacked(name) {
  const gateway = await stage.gateway(name, SETTINGS);
  const { baseUrl, url } = gateway;
  const attacker = await stage.merchant(gateway, 'attacker', 10);
  const { id, checkoutUrl } = JSON.parse((await create(baseUrl, attacker, attacker.tokens[0])).text).data;
  await withClient(url, async (owner) => {
    // Neither triggers nor foreign keys: what is sought is only the cost of looking through many rows.
    await owner.query('set session_replication_role = replica');
    await owner.query(GROW, [ATTACKERS_PAYMENTS, id]);
    await owner.query('vacuum analyze payments');
  });
  const { pathname, search } = new URL(checkoutUrl);
  const workerData = { baseUrl, origin: ORIGIN, ...attacker, link: pathname + search };
  const noise = new Worker(new URL('tenant-attacks.mjs', import.meta.url), { workerData });
  noises.push(noise);
  const [attacks] = await once(noise, 'message');
  return { ...gateway, noise, attacks };
}

/** A merchant's ordinary work for one round; milliseconds by kind of request. */
async function measure(baseUrl, merchant) {
  const times = Object.fromEntries(KINDS.map((kind) => [kind, []]));
  const timed = async (kind, status, send) => {
    const begun = performance.now();
    const answer = await send();
    times[kind].push(performance.now() - begun);
    expect(answer.status === status, `the victim got ${answer.status} for ${kind}: ${answer.text}`);
    await delay(PAUSE_MS);
    return answer;
  };
  const end = performance.now() + ROUND_MS;
  for (let i = 0; performance.now() < end; i++) {
    // Its requests stay within the limits of each token, and its customers within those of each address.
    const turn = i % merchant.tokens.length;
    const [token, accessToken] = [merchant.tokens[turn], merchant.accessTokens[turn]];
    const { text } = await timed('create', 201, () => create(baseUrl, merchant, token));
    const { id, checkoutUrl } = JSON.parse(text).data;
    await timed('read', 200, () => sendRequest(`${baseUrl}/api/payment/${id}`, { token }));
    const { pathname, search } = new URL(checkoutUrl);
    const headers = { 'x-forwarded-for': `203.0.113.${1 + (i % 250)}` };
    await timed('page', 200, () => sendRequest(baseUrl + pathname + search, { headers }));
    await timed('list', 200, () => sendRequest(`${baseUrl}/api/payment?perPage=20`, { token: accessToken }));
  }
  return times;
}

const print = (line) => process.stdout.write(`${line}\n`);
const row = (cells) => cells.map((cell, i) => (i === 0 ? cell.padEnd(22) : cell.padStart(9))).join('');
const shown = (times) => [0.5, 0.99].map((share) => quantile(Object.values(times).flat(), share));

try {
  const gateway = await openAttacked('gateway');
  const elsewhere = await openAttacked('elsewhere');
  const { baseUrl, program } = gateway;
  const victim = await stage.merchant(gateway, 'victim', 20);
  const chosen = process.argv.slice(2);
  const attacks = gateway.attacks.filter((name) => chosen.length === 0 || chosen.includes(name));
  expect(attacks.length > 0, `the attacks are: ${gateway.attacks.join(', ')}`);
  await measure(baseUrl, victim);
  const table = [row(['p50/p99, ms', 'alone', '', 'elsewhere', '', 'beside', '', 'p50 x', 'p99 x'])];
  for (const attack of attacks)
    await check(
      `${attack}: the slowest hundredth of another merchant's requests is at most ${FACTOR} times as slow`,
      async () => {
        const alone = await measure(baseUrl, victim);
        let [apart, beside] = [];
        await besideNoise(elsewhere.noise, async () => (apart = await measure(baseUrl, victim)), attack);
        const counts = await besideNoise(
          gateway.noise,
          async () => (beside = await measure(baseUrl, victim)),
          attack,
        );
        const [before, busy, now] = [alone, apart, beside].map(shown);
        const ratios = now.map((value, i) => value / before[i]);
        table.push(
          row([attack, ...[...before, ...busy, ...now, ...ratios].map((value) => value.toFixed(1))]),
        );
        const byKind = KINDS.map(
          (kind) =>
            `${kind} ${[alone, apart, beside].map((times) => quantile(times[kind], 0.99).toFixed(0)).join('/')}`,
        );
        print(`  ${table[0]}\n  ${table.at(-1)}`);
        print(
          `  p99 alone/elsewhere/beside: ${byKind.join(', ')}; the attacker's: ${JSON.stringify(counts)}`,
        );
        expect(
          Object.values(counts).reduce((sum, count) => sum + count, 0) > 20,
          'the attacker sent next to nothing',
        );
        expect(
          now[1] <= FACTOR * Math.max(before[1], busy[1]) + TOLERANCE_MS,
          `it is ${ratios[1].toFixed(1)} times as slow`,
        );
        expect(program.isAlive, await program.exitReport());
      },
    );
  for (const line of table) print(line);
} catch (error) {
  await check('the run', async () => {
    throw error;
  });
} finally {
  await Promise.all(noises.map((noise) => noise.terminate()));
  await stage.close();
}
finish();
