import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import type { DemoEnvironment } from '../../src/demo/demo-environment.js';
import type { DevChainFacts } from '../../src/demo/demo-environment.js';
import { startDevChain } from '../../src/demo/dev-chain.js';
import { callRpc, callRpcText } from '../../src/demo/json-rpc.js';
import { findProcess, stopProcess } from '../../src/demo/processes.js';
import { loadConfig } from '../../src/config.js';

/** What test/support/demo-starter.mjs prints. */
interface Started {
  facts: DemoEnvironment['facts'];
  env: Record<string, string>;
  messages: string[];
  ms: number;
}

const children: ChildProcess[] = [];
const pids = new Set<number>();
let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'gateway-test-demo-'));
  await chmod(root, 0o755);
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const pid of pids) await stopProcess(pid, ['SIGTERM', 'SIGINT', 'SIGKILL'], 5_000);
  pids.clear();
  await rm(root, { recursive: true, force: true });
});

async function start(
  dataDir: string,
): Promise<{ process: ChildProcess; answer: Started & { error?: string } }> {
  const loader = path.resolve('scripts/register-typescript.mjs');
  const starter = path.resolve('test/support/demo-starter.mjs');
  const child = spawn(process.execPath, ['--import', loader, starter, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const answer = JSON.parse(line) as Started & { error?: string };
  for (const pid of Object.values(answer.facts?.pids ?? {})) pids.add(pid);
  return { process: child, answer };
}

async function started(dataDir: string): Promise<{ process: ChildProcess } & Started> {
  const { process: child, answer } = await start(dataDir);
  if (answer.error !== undefined) throw new Error(answer.error);
  return { process: child, ...answer };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const ADDRESS = '0x000000000000000000000000000000000000dead';

async function pay(rpcUrl: string): Promise<string> {
  const accounts = (await callRpc(rpcUrl, 'eth_accounts')) as string[];
  const hash = await callRpcText(rpcUrl, 'eth_sendTransaction', [
    { from: accounts[1], to: ADDRESS, value: '0x7b' },
  ]);
  await callRpc(rpcUrl, 'evm_mine');
  return hash;
}

const received = async (rpcUrl: string) =>
  BigInt(await callRpcText(rpcUrl, 'eth_getBalance', [ADDRESS, 'latest']));

async function tokenBalance(rpcUrl: string, token: string, owner: string): Promise<bigint> {
  const data = `0x70a08231${owner.slice(2).padStart(64, '0')}`;
  return BigInt(await callRpcText(rpcUrl, 'eth_call', [{ to: token, data }, 'latest']));
}

describe('the demo environment', () => {
  it('starts everything a gateway needs, and gives the first account round balances', async () => {
    const { env, facts } = await started(path.join(root, 'data'));
    const config = loadConfig(env);
    const expected = ([slug, { rpcUrl, chainId, tokens }]: [string, DevChainFacts]) => ({
      slug,
      rpcUrls: [rpcUrl],
      chainId,
      tokens: [
        { code: 'USDT', contract: tokens.USDT, decimals: 6 },
        { code: 'USDC', contract: tokens.USDC, decimals: 6 },
      ],
    });
    expect(config.chains).toEqual(Object.entries(facts.chains).map(expected));
    expect(config.chains.map(({ chainId }) => chainId)).toEqual([31_337, 31_338]);
    expect(config.rates.krakenUrl).toBe(`${facts.ratesUrl}/kraken`);
    expect(facts.adopted).toEqual({ postgres: false, ethereum: false, base: false });
    const [settings] = await query(
      config.databaseUrl,
      `select current_setting('fsync') as fsync, current_setting('server_encoding') as encoding,
              current_setting('listen_addresses') as addresses, current_setting('timezone') as timezone`,
    );
    expect(settings).toEqual({ fsync: 'on', encoding: 'UTF8', addresses: '', timezone: 'UTC' });

    const { rpcUrl, tokens } = facts.chains.ethereum;
    const [first = ''] = (await callRpc(rpcUrl, 'eth_accounts')) as string[];
    expect(BigInt(await callRpcText(rpcUrl, 'eth_getBalance', [first, 'latest']))).toBe(10_000n * 10n ** 18n);
    for (const token of [tokens.USDT, tokens.USDC]) {
      expect(await tokenBalance(rpcUrl, token, first)).toBe(1_000_000n * 10n ** 6n);
      const decimals = await callRpcText(rpcUrl, 'eth_call', [{ to: token, data: '0x313ce567' }, 'latest']);
      expect(Number(decimals)).toBe(6);
    }
    expect((await stat(path.join(root, 'data', 'secrets.json'))).mode & 0o777).toBe(0o600);
  });

  it('takes over the processes and data of a killed gateway, and stops them cleanly', async () => {
    const dataDir = path.join(root, 'data');
    const first = await started(dataDir);
    const { rpcUrl } = first.facts.chains.ethereum;
    await query(
      first.env['DATABASE_MIGRATION_URL'] ?? '',
      'create table kept (n int); insert into kept values (1)',
    );
    const hash = await pay(rpcUrl);
    await end(first.process, 'SIGKILL');

    const second = await started(dataDir);
    expect(second.facts.adopted).toEqual({ postgres: true, ethereum: true, base: true });
    expect(second.facts.pids).toEqual(first.facts.pids);
    expect(second.facts.chains).toEqual(first.facts.chains);
    expect(second.env).toEqual({
      ...first.env,
      // The rates stub lives in the gateway and died with it.
      RATES_KRAKEN_URL: second.env['RATES_KRAKEN_URL'],
      RATES_COINBASE_URL: second.env['RATES_COINBASE_URL'],
    });
    expect(await query(second.env['DATABASE_MIGRATION_URL'] ?? '', 'select n from kept')).toEqual([{ n: 1 }]);
    expect(await callRpc(rpcUrl, 'eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' });

    await end(second.process, 'SIGTERM');
    for (const pid of Object.values(first.facts.pids)) expect(await findProcess(pid)).toBeNull();
    await expect(callRpc(rpcUrl, 'eth_chainId')).rejects.toThrow();
  });

  it('keeps chain, database, addresses and keys after a clean stop', async () => {
    const dataDir = path.join(root, 'data');
    const first = await started(dataDir);
    await query(
      first.env['DATABASE_MIGRATION_URL'] ?? '',
      'create table kept (n int); insert into kept values (2)',
    );
    const hash = await pay(first.facts.chains.ethereum.rpcUrl);
    const genesis = await callRpc(first.facts.chains.ethereum.rpcUrl, 'eth_getBlockByNumber', ['0x0', false]);
    await end(first.process, 'SIGTERM');

    const second = await started(dataDir);
    const { rpcUrl } = second.facts.chains.ethereum;
    expect(second.facts.adopted).toEqual({ postgres: false, ethereum: false, base: false });
    expect(second.facts.chains).toEqual(first.facts.chains);
    expect(second.env['APP_KEYS']).toBe(first.env['APP_KEYS']);
    expect(second.env['CHECKOUT_SIGNING_KEY']).toBe(first.env['CHECKOUT_SIGNING_KEY']);
    expect(await query(second.env['DATABASE_MIGRATION_URL'] ?? '', 'select n from kept')).toEqual([{ n: 2 }]);
    expect(await callRpc(rpcUrl, 'eth_getBlockByNumber', ['0x0', false])).toEqual(genesis);
    expect(await callRpc(rpcUrl, 'eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' });
    expect(await received(rpcUrl)).toBe(123n);
    await end(second.process, 'SIGTERM');

    // anvil makes a new block 0 at every start; only from the third on could a wrong one come back.
    for (let restart = 0; restart < 2; restart++) {
      const next = await started(dataDir);
      expect(next.messages).toEqual([]);
      expect(await callRpc(rpcUrl, 'eth_getBlockByNumber', ['0x0', false])).toEqual(genesis);
      const before = Date.now() / 1_000;
      await pay(rpcUrl);
      const tip = (await callRpc(rpcUrl, 'eth_getBlockByNumber', ['latest', false])) as { timestamp: string };
      expect(Number(tip.timestamp)).toBeGreaterThan(before - 5);
      expect(Number(tip.timestamp)).toBeLessThan(Date.now() / 1_000 + 5);
      await end(next.process, 'SIGTERM');
    }
  });

  it('starts again after everything was killed at once', async () => {
    const dataDir = path.join(root, 'data');
    const first = await started(dataDir);
    await query(
      first.env['DATABASE_MIGRATION_URL'] ?? '',
      'create table kept (n int); insert into kept values (3)',
    );
    await end(first.process, 'SIGKILL');
    for (const pid of Object.values(first.facts.pids)) process.kill(pid, 'SIGKILL');

    const second = await started(dataDir);
    expect(second.facts.adopted).toEqual({ postgres: false, ethereum: false, base: false });
    expect(second.facts.chains).toEqual(first.facts.chains);
    expect(second.messages).toEqual([]);
    expect(await query(second.env['DATABASE_MIGRATION_URL'] ?? '', 'select n from kept')).toEqual([{ n: 3 }]);
    await end(second.process, 'SIGTERM');
  });

  it('uses the copy when a power cut left half of the saved chain', async () => {
    const dataDir = path.join(root, 'data');
    const first = await started(dataDir);
    await end(first.process, 'SIGTERM');
    const state = path.join(dataDir, 'anvil-state.json');
    const whole = await readFile(state);
    await writeFile(`${state}.previous`, whole);
    await writeFile(state, whole.subarray(0, whole.length / 2));

    const second = await started(dataDir);
    expect(second.messages).toEqual([
      'The saved state of the development chain is damaged: an earlier copy is used',
    ]);
    expect(second.facts.chains).toEqual(first.facts.chains);
    await end(second.process, 'SIGTERM');
  });

  it('moves the chain to a free port when its own is taken', async () => {
    const dataDir = path.join(root, 'data');
    const first = await started(dataDir);
    await end(first.process, 'SIGTERM');
    const port = Number(new URL(first.facts.chains.ethereum.rpcUrl).port);
    const other = (await import('node:http')).createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');

    const second = await started(dataDir);
    expect(second.messages).toEqual([
      `Port ${port} of the development chain is taken; it moves to a free one`,
    ]);
    expect(second.facts.chains.ethereum.rpcUrl).not.toBe(first.facts.chains.ethereum.rpcUrl);
    await end(second.process, 'SIGTERM');
    other.close();
  });

  it('runs two gateways with different data directories side by side', async () => {
    const [one, two] = await Promise.all([started(path.join(root, 'one')), started(path.join(root, 'two'))]);
    await pay(one.facts.chains.ethereum.rpcUrl);
    await query(one.env['DATABASE_MIGRATION_URL'] ?? '', 'create table mine (n int)');
    expect(await received(two.facts.chains.ethereum.rpcUrl)).toBe(0n);
    expect(
      await query(two.env['DATABASE_MIGRATION_URL'] ?? '', "select to_regclass('mine') as found"),
    ).toEqual([{ found: null }]);
    await Promise.all([end(one.process, 'SIGTERM'), end(two.process, 'SIGTERM')]);
  });

  it('refuses a second gateway on the same data directory, unless the first one is dead', async () => {
    const dataDir = path.join(root, 'data');
    const first = await started(dataDir);
    const { answer } = await start(dataDir);
    expect(answer.error).toContain(
      `DATA_DIR ${dataDir} is in use by another gateway (pid ${first.process.pid})`,
    );
    expect(await query(first.env['DATABASE_MIGRATION_URL'] ?? '', 'select 1 as n')).toEqual([{ n: 1 }]);
    await end(first.process, 'SIGKILL');
    const third = await started(dataDir);
    await end(third.process, 'SIGTERM');
  });

  it('stops the rest when one part cannot start', async () => {
    const dataDir = path.join(root, 'data');
    await mkdir(path.join(dataDir, 'postgres'), { recursive: true, mode: 0o777 });
    const { answer } = await start(dataDir);
    expect(answer.error).toContain('mode 0700');
    const record = JSON.parse(await readFile(path.join(dataDir, 'dev-chain.json'), 'utf8')) as {
      pid: number;
    };
    expect(await findProcess(record.pid)).toBeNull();
  });

  it('explains how to install anvil when it is missing', async () => {
    const dataDir = path.join(root, 'data');
    const starting = startDevChain({ dataDir, chainId: 31_337, anvilBin: '/nonexistent/anvil' });
    await expect(starting).rejects.toThrow(/"\/nonexistent\/anvil" does not run: .*ENOENT.*ANVIL_BIN/);
  });

  it('never replaces damaged keys', async () => {
    const dataDir = path.join(root, 'data');
    await mkdir(dataDir);
    await writeFile(path.join(dataDir, 'secrets.json'), '{"APP_KEYS":');
    const { answer } = await start(dataDir);
    expect(answer.error).toBe(`${dataDir}/secrets.json is damaged: it is not JSON`);
  });
});

const asRoot = process.getuid?.() === 0 ? describe : describe.skip;
asRoot('the demo environment, run by root', () => {
  it('the embedded Postgres runs as another user, also from a private folder', async () => {
    const dataDir = path.join(root, 'private', 'data');
    await mkdir(path.dirname(dataDir), { mode: 0o700 });
    const first = await started(dataDir);
    const record = JSON.parse(await readFile(path.join(dataDir, 'postgres.json'), 'utf8')) as {
      clusterDir: string;
    };
    try {
      expect(record.clusterDir).toMatch(/^\/var\/lib\/crypto-payment-gateway\/postgres-[0-9a-f]{16}$/);
      await query(
        first.env['DATABASE_MIGRATION_URL'] ?? '',
        'create table kept (n int); insert into kept values (4)',
      );
      const status = await readFile(`/proc/${first.facts.pids.postgres}/status`, 'utf8');
      expect(status).not.toMatch(/^Uid:\s+0/m);
      await end(first.process, 'SIGTERM');

      const second = await started(dataDir);
      expect(await query(second.env['DATABASE_MIGRATION_URL'] ?? '', 'select n from kept')).toEqual([
        { n: 4 },
      ]);
      await end(second.process, 'SIGTERM');
    } finally {
      await rm(record.clusterDir, { recursive: true });
    }
  });
});
