import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../platform/runtime/clock.pure.js';
import { type ChainConfig, CONFIG, type Config } from '../config.js';
import { CURRENCY_CODES } from '../money/currencies.js';
import type { ChainAdapter } from './chain-adapter.pure.js';
import type { ChainAuditor, UnspentScanner } from './chain-auditor.pure.js';
import { CHAIN_CATALOG, type Chain, type ChainAsset } from './chain-catalog.pure.js';
import { registerChains } from './chain-registry.pure.js';
import { EvmAuditor } from './evm/evm-auditor.js';
import type { EndpointReport } from './evm/evm-endpoint.js';
import { EvmPool } from './evm/evm-pool.js';
import { NewHeads } from './evm/new-heads.js';
import { JsonRpc } from './json-rpc.js';
import { TronAdapter } from './tron/tron-adapter.js';
import { TronApi } from './tron/tron-api.js';
import { TronAuditor } from './tron/tron-auditor.js';
import { CoreScanner, SCAN_DEADLINE } from './utxo/core-scanner.js';
import { CoreSource } from './utxo/core-source.js';
import { EsploraHttp } from './utxo/esplora-http.js';
import { EsploraSource } from './utxo/esplora-source.js';
import { UtxoAdapter } from './utxo/utxo-adapter.js';
import {
  isUtxoFamily,
  isUtxoNetwork,
  type UtxoFamily,
  type UtxoNetworkName,
  utxoTraits,
} from './utxo/utxo-network.pure.js';

/** Times what a node has: a public endpoint sends whole blocks through the Internet. */
const ESPLORA_PATIENCE = 3;

/** How a chain's node last answered the watcher of this process. */
export type ChainHealth = { ok: true } | { ok: false; error: string };

/** Every chain that the configuration names, and the way to its node. */
@Injectable()
export class ChainsService implements OnApplicationShutdown {
  /** Codes that can be paid here: some watched chain carries them; in the order of the currencies. */
  readonly enabledCodes: readonly string[];
  private readonly chains: ReadonlyMap<string, Chain>;
  private readonly adapters = new Map<string, ChainAdapter>();
  private readonly pools = new Map<string, EvmPool>();
  private readonly auditors = new Map<string, ChainAuditor>();
  private readonly scanners = new Map<string, UnspentScanner>();
  private readonly connections: { close(): Promise<void> }[] = [];
  private readonly health = new Map<string, ChainHealth>();

  constructor(@Inject(CONFIG) config: Config, @Inject(Clock) clock: Clock) {
    const chains = registerChains(config.chains, CHAIN_CATALOG);
    this.chains = new Map(chains.map((chain) => [chain.slug, chain]));
    const codes = new Set(chains.flatMap(({ assets }) => assets.map(({ currencyCode }) => currencyCode)));
    this.enabledCodes = CURRENCY_CODES.filter((code) => codes.has(code));
    for (const entry of config.chains) {
      const adapter = this.connect(this.get(entry.slug), entry, config.chainRpcTimeoutMs, clock);
      this.adapters.set(entry.slug, adapter);
    }
  }

  private connect(
    chain: Chain,
    { rpcUrls, esploraUrl, apiKey }: ChainConfig,
    deadlineMs: number,
    clock: Clock,
  ): ChainAdapter {
    const maxResponseBytes = largestAnswer(chain);
    if (esploraUrl !== undefined) {
      const http = new EsploraHttp(esploraUrl, clock, {
        deadlineMs: ESPLORA_PATIENCE * deadlineMs,
        maxResponseBytes,
      });
      this.connections.push(http);
      return new UtxoAdapter(chain, new EsploraSource(http, clock));
    }
    const [url] = rpcUrls;
    if (url === undefined) throw new Error(`the chain "${chain.slug}" has no node`);
    if (chain.family === 'tron') {
      const api = new TronApi(url, apiKey, { deadlineMs });
      this.connections.push(api);
      const adapter = new TronAdapter(chain, api);
      this.auditors.set(chain.slug, new TronAuditor(api, adapter));
      return adapter;
    }
    const limits = { deadlineMs, maxResponseBytes };
    const node = new JsonRpc(url, limits);
    const nodes = [node, ...rpcUrls.slice(1).map((other) => new JsonRpc(other, limits))];
    this.connections.push(...nodes);
    if (chain.family === 'evm') {
      const heads = rpcUrls.map((each) => new NewHeads(each));
      this.connections.push(...heads);
      const pool = new EvmPool(chain, nodes, clock, undefined, heads);
      this.pools.set(chain.slug, pool);
      // An audit reads one node from end to end: the preferred one.
      this.auditors.set(chain.slug, new EvmAuditor(chain, node));
      return pool;
    }
    const patient = new JsonRpc(url, { deadlineMs: SCAN_DEADLINE });
    this.connections.push(patient);
    this.scanners.set(chain.slug, new CoreScanner(patient));
    return new UtxoAdapter(chain, new CoreSource(node, clock));
  }

  list(): Chain[] {
    return [...this.chains.values()];
  }

  /** @param slug lower-case, as the catalog writes it */
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

  /** A look at what addresses of Bitcoin's kind still hold, or null where nobody can be asked. */
  findScanner(slug: string): UnspentScanner | null {
    return this.scanners.get(slug) ?? null;
  }

  /** The coin or token of that code on that chain. @param currencyCode upper-case */
  findAsset(chain: Chain, currencyCode: string): ChainAsset | null {
    return chain.assets.find((asset) => asset.currencyCode === currencyCode) ?? null;
  }

  /** Which network a family's addresses are for; the main one where no chain of the family is configured. */
  networkOf(family: UtxoFamily): UtxoNetworkName {
    const network = this.list().find((chain) => chain.family === family)?.network;
    return network !== undefined && isUtxoNetwork(network) ? network : 'mainnet';
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
    await Promise.all(this.connections.map((connection) => connection.close()));
  }
}

/** Bytes; 32 MB hold what hosted nodes of EVM chains send, and a block in hex has two letters a byte. */
function largestAnswer({ family }: Chain): number {
  const usual = 32 * 2 ** 20;
  return isUtxoFamily(family) ? Math.max(usual, 2 * utxoTraits(family).maxBlockBytes + 1_000) : usual;
}
