import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { HDKey } from '@scure/bip32';
import pg from 'pg';
import type { RatesStub } from '../../src/demo/rates-stub.js';
import { createTestDatabase } from '../support/test-gateway.js';
import { bitcoinAccount } from '../support/utxo-account.js';
import type { EvmActor } from './evm-actor.js';
import { GatewayProcess } from './gateway-process.js';
import type { UtxoActor } from './utxo-actor.js';

/** Blocks until funds count as received, the one that holds them included. */
export const CONFIRMATIONS = { ethereum: 3, bitcoin: 2 } as const;
export type ChainName = keyof typeof CONFIRMATIONS;
export const CHAINS = Object.keys(CONFIRMATIONS) as ChainName[];

const UNLIMITED = ['READS', 'WRITES', 'PAYMENT', 'ADDRESS', 'TOKEN_ENDPOINT', 'FAILED_AUTH', 'SIGN_IN'];

/** What all deployments of one run share. */
export interface Surroundings {
  evm: EvmActor;
  utxo: UtxoActor;
  rates: RatesStub;
  /** Folder for the gateways' logs. */
  logs: string;
}

/** A merchant's OAuth client, made with the command line. */
export interface MerchantClient {
  clientId: string;
  secret: string;
}

/** The production profile on loopback: everything as an operator would set it, but in a hurry. */
export function gatewayEnv({ evm, utxo, rates }: Surroundings, databaseUrl: string): Record<string, string> {
  const wallet = bitcoinAccount(randomBytes(32));
  return {
    ...ethereumEnv({ evm, rates }, databaseUrl),
    CHAIN_BITCOIN_RPC_URL: utxo.node.url,
    CHAIN_BITCOIN_NETWORK: 'regtest',
    CHAIN_BITCOIN_CONFIRMATIONS: String(CONFIRMATIONS.bitcoin),
    WALLET_BITCOIN_XPUB: wallet.publicExtendedKey,
  };
}

/** {@link gatewayEnv} with the EVM chain alone. */
export function ethereumEnv(
  { evm, rates }: Pick<Surroundings, 'evm' | 'rates'>,
  databaseUrl: string,
): Record<string, string> {
  const { USDT, USDC, odd } = evm.contracts;
  // A wallet of its own for each deployment: nobody has paid to its addresses.
  const wallet = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'");
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    BASE_URL: 'https://gateway.test',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '6',
    APP_KEYS: `f1:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')}`,
    CHECKOUT_SIGNING_KEY: 'fuzz-checkout-signing-key-with-enough-length',
    QUOTE_TTL: '86400',
    CHAIN_POLL_INTERVAL_MS: '50',
    CHAIN_STALL_BLOCKS: '0',
    CHAIN_ETHEREUM_RPC_URL: evm.chain.url,
    CHAIN_ETHEREUM_CHAIN_ID: String(evm.chain.chainId),
    CHAIN_ETHEREUM_TOKENS: `USDT:${USDT.address}:6,USDC:${USDC.address}:6,AVAX:${odd.address}:18`,
    CHAIN_ETHEREUM_CONFIRMATIONS: String(CONFIRMATIONS.ethereum),
    WALLET_EVM_XPUB: wallet.publicExtendedKey,
    RATES_KRAKEN_URL: `${rates.url}/kraken`,
    RATES_COINBASE_URL: `${rates.url}/coinbase`,
    ...Object.fromEntries(UNLIMITED.map((name) => [`RATE_LIMIT_${name}`, '0'])),
  };
}

/** One database with an API process that stays and two watchers that do not. */
export class Deployment {
  /** Null while a new one is being started. */
  private readonly watchers: [GatewayProcess | null, GatewayProcess | null] = [null, null];
  private readonly starting = new Set<Promise<void>>();

  private constructor(
    readonly surroundings: Surroundings,
    readonly baseUrl: string,
    readonly db: pg.Pool,
    readonly env: Record<string, string>,
    private readonly api: GatewayProcess,
    /** Folder whose `dist` the watchers run. */
    private readonly watcherRoot: string,
  ) {}

  /** @param watcherRoot another folder than the project's own where the watchers are to be wrong */
  static async start(surroundings: Surroundings, root: string, watcherRoot = root): Promise<Deployment> {
    const databaseUrl = await createTestDatabase();
    const env = gatewayEnv(surroundings, databaseUrl);
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const log = path.join(surroundings.logs, `${randomBytes(4).toString('hex')}-api.log`);
    const api = await GatewayProcess.start(root, { ...env, ROLE: 'api', PORT: String(port) }, log);
    const db = new pg.Pool({ connectionString: databaseUrl, max: 3 });
    // Cut connections are a part of the game.
    db.on('error', () => db.emit('cut'));
    const deployment = new Deployment(surroundings, baseUrl, db, env, api, watcherRoot);
    await Promise.all([deployment.startWatcher(0), deployment.startWatcher(1), api.ready(baseUrl)]);
    return deployment;
  }

  async killWatcher(which: number): Promise<void> {
    await Promise.all(this.starting);
    const slot = slotOf(which);
    const watcher = this.watchers[slot];
    this.watchers[slot] = null;
    await watcher?.kill();
    const start = this.startWatcher(slot).finally(() => this.starting.delete(start));
    this.starting.add(start);
  }

  /** @returns false when it is only just being started */
  freezeWatcher(which: number): boolean {
    return this.watchers[slotOf(which)]?.freeze() ?? false;
  }

  thawWatchers(): void {
    for (const watcher of this.watchers) watcher?.thaw();
  }

  /** As though the holders had been silent for the six seconds that a lease lasts. */
  async endLeases(): Promise<void> {
    await this.db.query(`update chain_leases set expires_at = now() - interval '1 second'`);
  }

  /** Breaks every connection to the database but the one that asks for it. */
  async cutConnections(): Promise<void> {
    await this.db.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  }

  /**
   * What an operator's supervisor does: starts a watcher again that could not start, as connections were being cut.
   * @returns how many
   * @throws Error when a gateway ended that was up and that nobody killed
   */
  async supervise(): Promise<number> {
    let restarts = 0;
    for (const [slot, gateway] of [...this.watchers, this.api].entries()) {
      if (!(await gateway?.isDead())) continue;
      if (gateway === this.api || (await gateway?.wasUp()))
        throw new Error(`a gateway died; its log is in ${this.surroundings.logs}`);
      await gateway?.kill();
      await this.startWatcher(slotOf(slot));
      restarts++;
    }
    return restarts;
  }

  async stop(): Promise<void> {
    await Promise.all(this.starting);
    await Promise.all([this.api, ...this.watchers].map(async (gateway) => gateway?.kill()));
    await this.db.end();
  }

  private async startWatcher(slot: 0 | 1): Promise<void> {
    const log = path.join(this.surroundings.logs, `${randomBytes(4).toString('hex')}-watcher.log`);
    const env = { ...this.env, ROLE: 'watcher' };
    this.watchers[slot] = await GatewayProcess.start(this.watcherRoot, env, log);
  }
}

function slotOf(which: number): 0 | 1 {
  return which % 2 === 0 ? 0 : 1;
}

/** Runs the gateway's own command line; answers what it printed. */
export async function runCli(root: string, env: Record<string, string>, args: string[]): Promise<string> {
  const program = path.join(root, 'dist/src/cli.js');
  const inherited = { PATH: process.env['PATH'] ?? '' };
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}:\n${output}`);
  return output;
}

/** A merchant's OAuth client in the template of all databases, by the command line. */
export async function provisionMerchant(root: string, env: Record<string, string>): Promise<MerchantClient> {
  const email = 'merchant@example.test';
  await runCli(root, env, ['create-user', '--email', email]);
  const told = await runCli(root, env, ['create-oauth-client', '--name', 'Fuzz', '--user', email]);
  const [, clientId, secret] = /client id: +(\S+)[\s\S]*client secret: +(\S+)/.exec(told) ?? [];
  if (clientId === undefined || secret === undefined) throw new Error(`no client in:\n${told}`);
  return { clientId, secret };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
