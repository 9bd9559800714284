import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { HDKey } from '@scure/bip32';
import pg from 'pg';
import type { RatesStub } from '../../src/demo/rates-stub.js';
import { freePort } from '../support/free-port.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { productionEnv } from '../support/production-env.js';
import { createTestDatabase } from '../support/test-gateway.js';
import { bitcoinAccount } from '../support/utxo-account.js';
import type { EvmActor } from './evm-actor.js';
import type { UtxoActor } from './utxo-actor.js';

/** Blocks until funds count as received, the one that holds them included. */
export const CONFIRMATIONS = { ethereum: 3, bitcoin: 2 } as const;
export type ChainName = keyof typeof CONFIRMATIONS;
export const CHAINS = Object.keys(CONFIRMATIONS) as ChainName[];

/** What all deployments of one run share. */
export interface Surroundings {
  evm: EvmActor;
  utxo: UtxoActor;
  rates: RatesStub;
  /** Folder for the gateways' logs. */
  logs: string;
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
  // Each deployment has its own wallet, whose addresses were never paid.
  const wallet = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'");
  return {
    ...productionEnv(databaseUrl, rates.url),
    QUOTE_TTL: '86400',
    CHAIN_POLL_INTERVAL_MS: '50',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    CHAIN_ETHEREUM_RPC_URL: evm.chain.url,
    CHAIN_ETHEREUM_CHAIN_ID: String(evm.chain.chainId),
    CHAIN_ETHEREUM_TOKENS: `USDT:${USDT.address}:6,USDC:${USDC.address}:6,AVAX:${odd.address}:18`,
    CHAIN_ETHEREUM_CONFIRMATIONS: String(CONFIRMATIONS.ethereum),
    WALLET_EVM_XPUB: wallet.publicExtendedKey,
  };
}

/** One database with an API process that stays, and two watchers and a worker that do not. */
export class Deployment {
  /** Null while a new one is being started. */
  private readonly watchers: [GatewayProcess | null, GatewayProcess | null] = [null, null];
  /** Puts events into the feed. */
  private worker: GatewayProcess | null = null;
  private readonly starting = new Set<Promise<void>>();

  private constructor(
    readonly surroundings: Surroundings,
    readonly baseUrl: string,
    readonly db: pg.Pool,
    readonly env: Record<string, string>,
    private readonly api: GatewayProcess,
    private readonly root: string,
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
    const api = await GatewayProcess.start({ ...env, ROLE: 'api', PORT: String(port) }, log, root);
    const db = new pg.Pool({ connectionString: databaseUrl, max: 3 });
    // Cut connections are a part of the game.
    db.on('error', () => db.emit('cut'));
    const deployment = new Deployment(surroundings, baseUrl, db, env, api, root, watcherRoot);
    await Promise.all([
      deployment.startWatcher(0),
      deployment.startWatcher(1),
      deployment.startWorker(),
      api.ready(baseUrl),
    ]);
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

  async killWorker(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    await worker?.kill();
    await this.startWorker();
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
   * @throws Error when a running gateway ended without being killed
   */
  async supervise(): Promise<number> {
    let restarts = 0;
    for (const [slot, gateway] of [...this.watchers, this.worker, this.api].entries()) {
      if (!gateway || gateway.isAlive) continue;
      if (gateway === this.api || (await gateway.wasUp()))
        throw new Error(`a gateway died; its log is in ${this.surroundings.logs}`);
      await gateway.kill();
      await (gateway === this.worker ? this.startWorker() : this.startWatcher(slotOf(slot)));
      restarts++;
    }
    return restarts;
  }

  /** A worker that has started. */
  async hasWorker(): Promise<boolean> {
    return (await this.worker?.wasUp()) ?? false;
  }

  async stop(): Promise<void> {
    await Promise.all(this.starting);
    await Promise.all([this.api, this.worker, ...this.watchers].map(async (gateway) => gateway?.kill()));
    await this.db.end();
  }

  private async startWatcher(slot: 0 | 1): Promise<void> {
    const log = path.join(this.surroundings.logs, `${randomBytes(4).toString('hex')}-watcher.log`);
    const env = { ...this.env, ROLE: 'watcher' };
    this.watchers[slot] = await GatewayProcess.start(env, log, this.watcherRoot);
  }

  private async startWorker(): Promise<void> {
    const log = path.join(this.surroundings.logs, `${randomBytes(4).toString('hex')}-worker.log`);
    this.worker = await GatewayProcess.start({ ...this.env, ROLE: 'worker' }, log, this.root);
  }
}

function slotOf(which: number): 0 | 1 {
  return which % 2 === 0 ? 0 : 1;
}
