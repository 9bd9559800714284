// One merchant's server at its limits beside another one's: how much slower is the other, and is he refused? And ten
// thousand connections that send nothing.
// Rounds take turns: alone, beside the noisy merchant, and while the noisy merchant uses a second gateway with a second
// Postgres on the same machine. The third shows what sharing the processors costs; the rest is due to sharing the gateway.
// It measures time, so it needs a machine without other work and is not part of CI;
// test/fair-shares.e2e-spec.ts tests there who is served first.
//   node test/harness/tenants.mjs                     about five minutes
//   TENANT_ROUNDS=10 node test/harness/tenants.mjs    more rounds
import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { check, expect, finish, until } from './checks.mjs';
import { add, besideNoise, create, quantile, TenantStage } from './tenant-stage.mjs';

const { sendRequest } = await import('../support/api-request.ts');

const ROUNDS = Number(process.env.TENANT_ROUNDS || 2);
/** Clients of the noisy merchant, each sending its next request as soon as it has a response. */
const NOISY_CLIENTS = 45;
const QUIET_CLIENTS = 20;
/**
 * The noisy merchant begins a round with all of its connections at once, and the request that meets them is several times
 * as slow: in a short round that would be the slowest hundredth.
 */
const ROUND_MS = 30_000;
/** Between two requests of the quiet merchant. */
const PAUSE_MS = 40;
const SOCKETS = 10_000;
/** Without other work a response takes a few milliseconds, so that a single slow one would decide. */
const TOLERANCE_MS = 5;

const stage = await TenantStage.open();
const { harness } = stage;

/** Creates, reads and cancels payments in turn for one round; milliseconds by kind of request, and until the webhook. */
async function measure(baseUrl, merchant, times) {
  const end = performance.now() + ROUND_MS;
  for (let i = 0; performance.now() < end; i++) {
    // Its requests stay within the limits of each token.
    const token = merchant.tokens[i % merchant.tokens.length];
    let begun = performance.now();
    const created = await create(baseUrl, merchant, token);
    times.create.push(performance.now() - begun);
    expect(created.status === 201, `the quiet merchant got ${created.status} ${created.text}`);
    const { id } = JSON.parse(created.text).data;
    begun = performance.now();
    const read = await sendRequest(`${baseUrl}/api/payment/${id}`, { token });
    times.read.push(performance.now() - begun);
    expect(read.status === 200, `the quiet merchant got ${read.status} ${read.text}`);
    await delay(PAUSE_MS);
    begun = performance.now();
    const canceled = await sendRequest(`${baseUrl}/api/payment/${id}/cancel`, { method: 'POST', token });
    expect(canceled.status === 200, `the quiet merchant got ${canceled.status} ${canceled.text}`);
    await heard(id);
    times.webhook.push(performance.now() - begun);
    await delay(PAUSE_MS);
  }
}

/** Until the webhook of a payment has arrived. */
async function heard(id) {
  const deadline = performance.now() + 10_000;
  while (!harness.merchant.heard.some(({ paymentId }) => paymentId === id)) {
    expect(performance.now() < deadline, 'no webhook within 10 s');
    await delay(2);
  }
}

/** The clients of a noisy merchant, in a thread of their own that has loaded its modules. */
async function openNoise(gateway) {
  const { baseUrl } = gateway;
  const { clientId, tokens } = await stage.merchant(gateway, 'noisy', NOISY_CLIENTS);
  const worker = new Worker(new URL('tenants-noise.mjs', import.meta.url), {
    workerData: { baseUrl, clientId, tokens },
  });
  await once(worker, 'message');
  return worker;
}

const noTimes = () => ({ create: [], read: [], webhook: [] });

try {
  const gateway = await stage.gateway('gateway');
  const { baseUrl, program } = gateway;
  const quiet = await stage.merchant(gateway, 'quiet', QUIET_CLIENTS);
  const noise = await openNoise(gateway);
  const noiseElsewhere = await openNoise(await stage.gateway('elsewhere'));
  const [alone, elsewhere, beside] = [noTimes(), noTimes(), noTimes()];
  const counts = {};

  await check('a merchant at its limits is refused, and the other one is not', async () => {
    const countsElsewhere = {};
    await measure(baseUrl, quiet, noTimes());
    await besideNoise(noise, () => measure(baseUrl, quiet, noTimes()));
    await besideNoise(noiseElsewhere, () => measure(baseUrl, quiet, noTimes()));
    for (let round = 0; round < ROUNDS; round++) {
      await measure(baseUrl, quiet, alone);
      add(counts, await besideNoise(noise, () => measure(baseUrl, quiet, beside)));
      add(countsElsewhere, await besideNoise(noiseElsewhere, () => measure(baseUrl, quiet, elsewhere)));
    }
    process.stdout.write(`  noisy merchant: ${JSON.stringify(counts)}\n`);
    process.stdout.write(`  on the other gateway: ${JSON.stringify(countsElsewhere)}\n`);
    expect((counts[429] ?? 0) > 0, 'the noisy merchant was never at its limits');
  });
  await noise.terminate();
  await noiseElsewhere.terminate();
  for (const kind of ['create', 'read', 'webhook']) {
    await check(`${kind}: at most twice as slow as alone`, async () => {
      for (const share of [0.5, 0.99]) {
        const [before, busy, now] = [alone, elsewhere, beside].map((times) => quantile(times[kind], share));
        process.stdout.write(
          `  p${share * 100}: ${before.toFixed(1)} ms alone, ${busy.toFixed(1)} ms with the noise on another gateway, ` +
            `${now.toFixed(1)} ms beside (${alone[kind].length}, ${elsewhere[kind].length} and ${beside[kind].length} requests)\n`,
        );
        expect(
          now <= 2 * before + TOLERANCE_MS,
          `p${share * 100} is ${(now / before).toFixed(1)} times that of alone, and ${(now / busy).toFixed(1)} times that with the noise on another gateway`,
        );
      }
    });
  }

  await check(`${SOCKETS} connections that send nothing are refused or closed within 15 s`, async () => {
    const sockets = [];
    let closed = 0;
    const begun = performance.now();
    for (let i = 0; i < SOCKETS; i++) {
      // From 40 addresses of this machine, so that the number of one address is not what refuses them.
      const socket = connect({
        port: Number(new URL(baseUrl).port),
        host: '127.0.0.1',
        localAddress: `127.0.1.${1 + (i % 40)}`,
      });
      socket.on('error', () => {});
      socket.on('close', () => closed++);
      sockets.push(socket);
      // Faster, and they overflow the kernel's queue of connections to accept: those count seconds later or never.
      if (i % 250 === 249) await delay(50);
    }
    const { status } = await sendRequest(`${baseUrl}/api/health/live`).catch(() => ({ status: 0 }));
    const held = SOCKETS - closed;
    await until('every connection closed', () => closed === SOCKETS);
    const seconds = (performance.now() - begun) / 1_000;
    process.stdout.write(
      `  ${held} were held at most; the last was closed after ${seconds.toFixed(1)} s; health meanwhile: ${status || 'refused'}\n`,
    );
    expect(seconds <= 18, `it took ${seconds.toFixed(1)} s`);
    expect(
      (await create(baseUrl, quiet, quiet.tokens[0])).status === 201,
      'no payment could be created afterwards',
    );
    expect(program.isAlive, await program.exitReport());
  });
} catch (error) {
  await check('the run', async () => {
    throw error;
  });
} finally {
  await stage.close();
}
finish();
