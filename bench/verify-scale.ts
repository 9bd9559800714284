import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { addressChainOf, readAccountKey } from '../src/wallets/account-addresses.pure.js';
import { startAnvil } from '../test/support/anvil.js';
import { installMulticall3 } from '../test/support/multicall3.js';
import { EVM_XPUB } from '../test/support/shop.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { atTheEnd } from './support/cleanup.js';
import { BenchDatabase } from './support/database.js';
import { openGateway } from './support/gateway.js';
import { treeCpu } from './support/measure.js';
import { createMerchant } from './support/merchant.js';
import { fillRecords } from './support/records.js';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Payments that are filled in together. */
const CHUNK = 5_000;
/** Nothing that was created then can be paid any more. */
const LONG_AGO = new Date('2026-01-01T00:00:00Z');
/** Wei at one address, which no payment was credited for. */
const PLANTED = 12_345n;
const SAMPLE_MS = 200;

/**
 * The command `verify` on a million payments with an address each: all of them, and once more what may have changed. One
 * address holds coins that no payment was credited for, which both runs must find, and nothing else.
 */
export const verifyScale: Benchmark = { name: 'verify-scale', run: measure };

async function measure(options: Options): Promise<Record<string, unknown>> {
  const payments = scaled(1_000_000, options, 1_200);
  const chain = await startAnvil();
  atTheEnd(() => chain.stop());
  await installMulticall3(chain);
  const { address: token } = await chain.deployToken();
  const database = await BenchDatabase.start();
  const url = await database.clone();
  const env = {
    CHAIN_ETHEREUM_RPC_URL: chain.url,
    CHAIN_ETHEREUM_CHAIN_ID: String(chain.chainId),
    CHAIN_ETHEREUM_TOKENS: `USDT:${token}:6`,
    CHAIN_POLL_INTERVAL_MS: '50',
    WALLET_EVM_XPUB: EVM_XPUB,
  };
  const gateway = await openGateway(url, env);
  const owner = await createMerchant(gateway);
  const [wallet] = await gateway.sql.query<{ id: string }>('select id from wallets');
  demand(wallet !== undefined, 'there is no wallet');
  const addresses = addressChainOf(readAccountKey(EVM_XPUB, 'evm', 'mainnet', null), 'evm', 'mainnet');
  let planted = '';
  const filling = performance.now();
  await database.change(url, async (client) => {
    for (let first = 0; first < payments; first += CHUNK) {
      const indexes = Array.from({ length: Math.min(CHUNK, payments - first) }, (_, i) => first + i);
      const derived = addresses.deriveEach(indexes).map((address) => {
        demand(address !== null, 'an index has no address');
        return address;
      });
      if (first <= payments / 2) planted = derived[0]?.address ?? '';
      await fillRecords(client, {
        ...owner,
        walletId: wallet.id,
        first,
        addresses: derived,
        createdAt: LONG_AGO,
      });
      console.error(`   filled ${first + derived.length} of ${payments}`);
    }
  });
  const filled = (performance.now() - filling) / 1_000;
  await chain.rpc('anvil_setBalance', [planted, `0x${PLANTED.toString(16)}`]);
  await chain.mine(2);
  await gateway.get(ChainWatcherService).runOnce('ethereum');
  await gateway.get(ChainWatcherService).drain('ethereum');
  const settings = gateway.environment;
  await gateway.close();

  const all = await verify(settings, ['--full']);
  demand(all.report.checked.payments === payments, `${all.report.checked.payments} payments were compared`);
  demand(
    all.report.checked.balances === 2 * payments,
    `${all.report.checked.balances} balances were compared`,
  );
  const again = await verify(settings, []);
  demand(again.report.since !== null, 'the second run compared all payments');
  for (const { report } of [all, again]) {
    const found = report.differences.map(({ check, subject, expected }) => `${check} ${subject} ${expected}`);
    const wanted = [`balance native at ${planted} ${PLANTED}, which it holds`];
    demand(JSON.stringify(found) === JSON.stringify(wanted), `found ${JSON.stringify(report)}`);
  }
  const results = Object.fromEntries(
    Object.entries({ all, again }).map(([name, { seconds, cpuSeconds, peakMb, report }]) => {
      const [cpu, most] = [cpuSeconds.toFixed(1), peakMb.toFixed(0)];
      console.error(`   ${name}: ${seconds.toFixed(1)} s, ${cpu} s of CPU, ${most} MB at most`);
      return [name, { seconds, cpuSeconds, peakMb, compared: report.checked.payments }];
    }),
  );
  return { payments, filled, ...results };
}

interface Verified {
  seconds: number;
  /** Of the process, user and system, up to {@link SAMPLE_MS} before its end: comparable between machines under load. */
  cpuSeconds: number;
  /** Megabytes of memory that the process had resident at most. */
  peakMb: number;
  report: {
    since: string | null;
    checked: { payments: number; balances: number };
    differences: { check: string; subject: string; expected: string }[];
  };
}

/** The command in a process of its own, with its progress as it prints it. */
async function verify(environment: Record<string, string>, flags: readonly string[]): Promise<Verified> {
  const loader = path.join(ROOT, 'scripts/register-typescript.mjs');
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', loader, path.join(ROOT, 'src/cli.ts'), 'verify', '--json', ...flags],
    { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  atTheEnd(async () => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  createInterface({ input: child.stderr }).on('line', (line) => console.error(`   ${line}`));
  let [peakMb, cpuSeconds] = [0, 0];
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(child.pid ?? 0));
    cpuSeconds = Math.max(cpuSeconds, treeCpu(child.pid ?? 0) / 1_000_000);
  }, SAMPLE_MS);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(timer);
  demand(code === 1, `verify ended with ${String(code)}: ${output}`);
  const seconds = (performance.now() - begun) / 1_000;
  return { seconds, cpuSeconds, peakMb, report: JSON.parse(output) as Verified['report'] };
}

/** The most that a process has had; 0 when it is gone. */
function residentMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
