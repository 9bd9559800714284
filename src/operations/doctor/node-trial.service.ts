import { Inject, Injectable } from '@nestjs/common';
import type { Chain } from '../../chains/chain.pure.js';
import { CHAIN_CATALOG } from '../../chains/chain-catalog.pure.js';
import { familyOf } from '../../chains/chain-families.pure.js';
import { ChainsService } from '../../chains/chains.service.js';
import { CONFIG, type Config, ConfigError } from '../../config.js';
import { Clock, toIsoSecondsOrNull } from '../../platform/kernel/clock.pure.js';
import { ValidationError } from '../../platform/kernel/errors/errors.pure.js';
import { canParseUrl } from '../../platform/web/contract/url.pure.js';
import { AtOnce } from '../../platform/web/rate-limiting/at-once.js';
import type { ChainHead } from './chain-findings.js';
import { examineChain } from './chains-check.js';
import { abilitiesOf } from './node-abilities.pure.js';
import type {
  NodeTrialContract,
  NodeTrialRequestContract,
  TriableChainContract,
} from './node-trial.contract.js';

/** Milliseconds for one request: a person waits. */
const DEADLINE_MS = 5_000;
const WRONG_ADDRESS = 'The address must be that of a node; in a password, % is %25.';
/** A trial makes about a dozen requests to an address that somebody has entered. */
const AT_ONCE = { name: 'node-trials', perUser: 1, total: 3, retryAfter: 10 };

/**
 * Asks a node that is not configured what it can do for payments, by what asks those that are. Nothing is kept, and its
 * address, which often contains a key, is neither logged nor returned.
 */
@Injectable()
export class NodeTrial {
  private readonly atOnce = new AtOnce(AT_ONCE);

  constructor(
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  list(): TriableChainContract[] {
    return CHAIN_CATALOG.map(({ slug, name, family }) => ({ slug, name, takesEsplora: hasEsplora(family) }));
  }

  /** @throws ValidationError for an unknown chain, or an address that no chain could have */
  async try(userId: string, request: NodeTrialRequestContract): Promise<NodeTrialContract> {
    return this.atOnce.run(userId, async () => {
      const chains = this.connect(request);
      try {
        return await this.examine(chains, chains.get(request.blockchain));
      } finally {
        await chains.onApplicationShutdown();
      }
    });
  }

  private async examine(chains: ChainsService, chain: Chain): Promise<NodeTrialContract> {
    const { slug } = chain;
    const { head, findings } = await examineChain(chain, chains, null, this.config.chainStallBlocks, () =>
      this.clock.now(),
    );
    const latencyMs = head && (await this.timeOf(chains, slug));
    const oldest = head && (await hasOldBlocks(chains, slug, head));
    const adapter = chains.adapter(slug);
    const [endpoint] = chains.endpoints(slug);
    return {
      works: head !== null && findings.every(({ severity }) => severity !== 'failure'),
      network: chain.network ?? (chain.chainId === undefined ? null : String(chain.chainId)),
      height: head?.height ?? null,
      headTime: toIsoSecondsOrNull(head?.headTime ?? null),
      latencyMs,
      abilities: head
        ? abilitiesOf({
            hasMempool: adapter.mempool !== undefined,
            capabilities: endpoint?.capabilities ?? null,
            hasOldBlocks: oldest,
          })
        : [],
      findings,
    };
  }

  /** Milliseconds of a request over a connection that is open; null: it has failed. */
  private async timeOf(chains: ChainsService, slug: string): Promise<number | null> {
    const start = performance.now();
    return chains
      .adapter(slug)
      .tip()
      .then(() => Math.round(performance.now() - start))
      .catch(() => null);
  }

  /** Of this chain alone, with the settings that it has here; not with the key of another node. */
  private connect({ blockchain, source, address }: NodeTrialRequestContract): ChainsService {
    const known = CHAIN_CATALOG.find(({ slug }) => slug === blockchain);
    if (!known) {
      const slugs = CHAIN_CATALOG.map(({ slug }) => slug).join(', ');
      throw ValidationError.of('blockchain', `The blockchain must be one of ${slugs}.`);
    }
    if (source === 'esplora' && !hasEsplora(known.family))
      throw ValidationError.of('source', `The source must be node: ${known.name} is not read by Esplora.`);
    const {
      apiKey: _key,
      esploraUrl: _esplora,
      ...settings
    } = this.config.chains.find(({ slug }) => slug === blockchain) ?? { slug: blockchain };
    const entry =
      source === 'esplora'
        ? { ...settings, rpcUrls: [], esploraUrl: address }
        : { ...settings, rpcUrls: [address] };
    if (!canParseUrl(address)) throw ValidationError.of('address', WRONG_ADDRESS);
    const chainRpcTimeoutMs = Math.min(this.config.chainRpcTimeoutMs, DEADLINE_MS);
    try {
      return new ChainsService({ ...this.config, chains: [entry], chainRpcTimeoutMs }, this.clock);
    } catch (error) {
      // User name and password with a % that begins no byte.
      if (error instanceof ConfigError || error instanceof URIError)
        throw ValidationError.of('address', WRONG_ADDRESS);
      throw error;
    }
  }
}

const hasEsplora = (family: Chain['family']): boolean => familyOf(family).contracts === null;

/** Null: it did not say. */
async function hasOldBlocks(
  chains: ChainsService,
  slug: string,
  { keptBlocks }: ChainHead,
): Promise<boolean | null> {
  if (keptBlocks !== undefined) return false;
  return chains
    .adapter(slug)
    .header(1)
    .then((header) => header !== null)
    .catch(() => null);
}
