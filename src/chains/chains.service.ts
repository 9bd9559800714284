import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { CONFIG, type Config } from '../config.js';
import type { ChainAdapter } from './chain-adapter.js';
import type { ChainAuditor } from './chain-auditor.js';
import { CHAIN_CATALOGUE, type Chain, type ChainAsset } from './chain-catalogue.js';
import { registerChains } from './chain-registry.js';
import { EvmAuditor } from './evm/evm-auditor.js';
import type { EndpointReport } from './evm/evm-endpoint.js';
import { EvmPool } from './evm/evm-pool.js';
import { JsonRpc } from './json-rpc.js';
import { UtxoAdapter } from './utxo/utxo-adapter.js';
import type { UtxoFamily, UtxoNetworkName } from './utxo/utxo-network.js';

/** How a chain's node last answered the watcher of this process. */
export type ChainHealth = { ok: true } | { ok: false; error: string };

/** Every chain that the configuration names, and the way to its node. */
@Injectable()
export class ChainsService implements OnApplicationShutdown {
  private readonly chains: ReadonlyMap<string, Chain>;
  private readonly adapters = new Map<string, ChainAdapter>();
  private readonly pools = new Map<string, EvmPool>();
  private readonly auditors = new Map<string, ChainAuditor>();
  private readonly nodes: JsonRpc[] = [];
  private readonly health = new Map<string, ChainHealth>();

  constructor(@Inject(CONFIG) config: Config, @Inject(Clock) clock: Clock) {
    const chains = registerChains(config.chains, CHAIN_CATALOGUE);
    this.chains = new Map(chains.map((chain) => [chain.slug, chain]));
    for (const { slug, rpcUrls } of config.chains) {
      const chain = this.get(slug);
      const nodes = rpcUrls.map((url) => new JsonRpc(url));
      this.nodes.push(...nodes);
      this.adapters.set(slug, this.connect(chain, nodes, clock));
    }
  }

  private connect(chain: Chain, nodes: readonly JsonRpc[], clock: Clock): ChainAdapter {
    const [node] = nodes;
    if (!node) throw new Error(`the chain "${chain.slug}" has no node`);
    if (chain.family === 'evm') {
      const pool = new EvmPool(chain, nodes, clock);
      this.pools.set(chain.slug, pool);
      // An audit reads one node from end to end: the preferred one.
      this.auditors.set(chain.slug, new EvmAuditor(chain, node));
      return pool;
    }
    return new UtxoAdapter(chain, node);
  }

  list(): Chain[] {
    return [...this.chains.values()];
  }

  /** @param slug lower-case, as the catalogue writes it */
  find(slug: string): Chain | null {
    return this.chains.get(slug) ?? null;
  }

  /** For slugs that were checked before. @throws Error when the chain is no longer configured */
  get(slug: string): Chain {
    const chain = this.find(slug);
    if (!chain) throw new Error(`the chain "${slug}" is not configured`);
    return chain;
  }

  /** @throws Error when the chain is not configured */
  adapter(slug: string): ChainAdapter {
    const adapter = this.adapters.get(slug);
    if (!adapter) throw new Error(`the chain "${slug}" is not configured`);
    return adapter;
  }

  /** How each endpoint of a chain behaves in this process, and what it offers; empty for an unknown chain. */
  endpoints(slug: string): EndpointReport[] {
    return this.pools.get(slug)?.report() ?? [];
  }

  /** A second way to read the chain, or null where its family has none. */
  findAuditor(slug: string): ChainAuditor | null {
    return this.auditors.get(slug) ?? null;
  }

  /** The coin or token of that code on that chain. @param currencyCode upper-case */
  findAsset(chain: Chain, currencyCode: string): ChainAsset | null {
    return chain.assets.find((asset) => asset.currencyCode === currencyCode) ?? null;
  }

  /** Which network a family's addresses are for; the main one where no chain of the family is configured. */
  networkOf(family: UtxoFamily): UtxoNetworkName {
    return this.list().find((chain) => chain.family === family)?.network ?? 'mainnet';
  }

  /** The watcher tells after every turn how the node answered. */
  reportHealth(slug: string, health: ChainHealth): void {
    this.health.set(slug, health);
  }

  /** Null until the watcher of this process has reported. */
  findHealth(slug: string): ChainHealth | null {
    return this.health.get(slug) ?? null;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
  }
}
