import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../platform/kernel/clock.pure.js';
import { CONFIG, type Config } from '../config.js';
import { CURRENCY_CODES } from '../money/currencies.js';
import type { AccountReader } from './account-reader.pure.js';
import type { ChainAdapter } from './chain-adapter.pure.js';
import type { ChainAuditor, UnspentScanner } from './chain-auditor.pure.js';
import type { AddressFamily, AddressPresence, Chain, ChainAsset } from './chain.pure.js';
import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import type { ChainConnection } from './chain-connection.js';
import { connectChain } from './chain-connections.js';
import { registerChains } from './chain-registry.pure.js';
import type { OutputReader } from './output-reader.pure.js';
import type { EndpointReport } from './evm/evm-endpoint.js';

/** Outcome of the last request that this process's watcher made to a chain's node. */
export type ChainHealth = { ok: true } | { ok: false; error: string };

/** The configured chains and the connections to their nodes. */
@Injectable()
export class ChainsService implements OnApplicationShutdown {
  /** Currency codes that some watched chain carries, in the order of the currency list. */
  readonly enabledCodes: readonly string[];
  private readonly chains: ReadonlyMap<string, Chain>;
  private readonly connections: ReadonlyMap<string, ChainConnection>;
  private readonly health = new Map<string, ChainHealth>();

  constructor(@Inject(CONFIG) config: Config, @Inject(Clock) clock: Clock) {
    const chains = registerChains(config.chains, CHAIN_CATALOG);
    this.chains = new Map(chains.map((chain) => [chain.slug, chain]));
    const codes = new Set(chains.flatMap(({ assets }) => assets.map(({ currencyCode }) => currencyCode)));
    this.enabledCodes = CURRENCY_CODES.filter((code) => codes.has(code));
    this.connections = new Map(
      config.chains.map((entry) => [
        entry.slug,
        connectChain(this.get(entry.slug), entry, { deadlineMs: config.chainRpcTimeoutMs, clock }),
      ]),
    );
  }

  list(): Chain[] {
    return [...this.chains.values()];
  }

  /** @param slug lower case, as in the catalog */
  find(slug: string): Chain | null {
    return this.chains.get(slug) ?? null;
  }

  /** For slugs that were validated before. @throws Error when the chain is no longer configured */
  get(slug: string): Chain {
    const chain = this.find(slug);
    if (!chain) throw new Error(`the chain "${slug}" is not configured`);
    return chain;
  }

  /** @throws Error when the chain is not configured */
  adapter(slug: string): ChainAdapter {
    const connection = this.connections.get(slug);
    if (!connection) throw new Error(`the chain "${slug}" is not configured`);
    return connection.adapter;
  }

  /** State and capabilities of each endpoint of a chain in this process; empty where the chain has one source. */
  endpoints(slug: string): EndpointReport[] {
    return this.connections.get(slug)?.endpoints() ?? [];
  }

  /** A second way to read the chain; null where its family or its source has none. */
  findAuditor(slug: string): ChainAuditor | null {
    return this.connections.get(slug)?.auditor ?? null;
  }

  /** Reads what addresses still hold from the node's UTXO set; null where the family or the source has none. */
  findScanner(slug: string): UnspentScanner | null {
    return this.connections.get(slug)?.scanner ?? null;
  }

  /** What an address is on every EVM chain. */
  findPresence(key: Buffer): Promise<AddressPresence[]> {
    const chains = this.list().filter(({ slug }) => this.connections.get(slug)?.isContract);
    return Promise.all(
      chains.map(async ({ slug, name }) => ({ name, isContract: await this.isContract(slug, key) })),
    );
  }

  /** Null: no node says it. */
  async isContract(slug: string, key: Buffer): Promise<boolean | null> {
    return (
      (await this.connections
        .get(slug)
        ?.isContract?.(key)
        .catch(() => null)) ?? null
    );
  }

  /** Reads accounts; null where the chain has none. */
  findAccounts(slug: string): AccountReader | null {
    return this.connections.get(slug)?.accounts ?? null;
  }

  /** Reads single outputs; null where the chain has none. */
  findOutputs(slug: string): OutputReader | null {
    return this.connections.get(slug)?.outputs ?? null;
  }

  /** The coin or token of that code on that chain. @param currencyCode upper-case */
  findAsset(chain: Chain, currencyCode: string): ChainAsset | null {
    return chain.assets.find((asset) => asset.currencyCode === currencyCode) ?? null;
  }

  /** The network that a family's addresses are made for; mainnet where no chain of the family is configured. */
  networkOf(family: AddressFamily): string {
    return this.list().find((chain) => chain.family === family)?.network ?? 'mainnet';
  }

  /** Called by the watcher after every turn. */
  reportHealth(slug: string, health: ChainHealth): void {
    this.health.set(slug, health);
  }

  /** Null until the watcher of this process has reported. */
  findHealth(slug: string): ChainHealth | null {
    return this.health.get(slug) ?? null;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.connections.values()].map((connection) => connection.close()));
  }
}
