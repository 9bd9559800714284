import type { ChainHealthService, ChainStatus } from '../../chains/chain-health.service.js';
import type { Chain } from '../../chains/chain.pure.js';
import type { ChainsService } from '../../chains/chains.service.js';
import {
  type ChainHead,
  assessEndpoints,
  assessHead,
  assessOutage,
  assessTraces,
  assessTrust,
  assessWatching,
} from './chain-findings.js';
import { type Finding, reasonOf, Subject } from './finding.js';

/** Queries the node of every chain from here and compares with what the watcher last wrote. */
export async function checkChains(
  chains: ChainsService,
  conditions: ChainHealthService | null,
  stallBlocks: number,
  now: () => Date,
): Promise<Finding[]> {
  const list = chains.list();
  if (list.length === 0)
    return [
      new Subject('chains').failure(
        'no chain is configured',
        'set CHAIN_<SLUG>_RPC_URL or CHAIN_<SLUG>_ESPLORA_URL for at least one; on an installed server, payment-gateway set-node <chain> <address>',
      ),
    ];
  const statuses = conditions && (await conditions.statusesOf(list.map(({ slug }) => slug)));
  const findings = await Promise.all(
    list.map((chain, i) => examineChain(chain, chains, statuses?.[i] ?? null, stallBlocks, now)),
  );
  return findings.flatMap((one) => one.findings);
}

/** Asks the node of one chain. `head` is null where it does not show its newest block. */
export async function examineChain(
  chain: Chain,
  chains: ChainsService,
  status: ChainStatus | null,
  stallBlocks: number,
  now: () => Date,
): Promise<{ head: ChainHead | null; findings: Finding[] }> {
  const watching = status ? assessWatching(chain.slug, status) : [];
  try {
    const head = await readHead(chain, chains);
    const endpoints = assessEndpoints(chain.slug, chains.endpoints(chain.slug));
    const traces = assessTraces(chain, chains.endpoints(chain.slug));
    const outage = assessOutage(chain, head.keptBlocks, chains.endpoints(chain.slug));
    const trust = assessTrust(chain, chains.endpoints(chain.slug));
    const first = assessHead(chain, head, stallBlocks, now());
    return { head, findings: [first, ...endpoints, ...traces, ...trust, ...outage, ...watching] };
  } catch (error) {
    const about = new Subject(`chain ${chain.slug}`);
    const prefix = `CHAIN_${chain.slug.toUpperCase()}`;
    const fix =
      `check ${prefix}_RPC_URL or ${prefix}_ESPLORA_URL, its key, and that the node runs; ` +
      `on an installed server, payment-gateway set-node ${chain.slug} <address> names another`;
    const failure = about.failure(`its node does not respond correctly: ${reasonOf(error)}`, fix);
    return { head: null, findings: [failure, ...watching] };
  }
}

async function readHead({ slug }: Chain, chains: ChainsService): Promise<ChainHead> {
  const adapter = chains.adapter(slug);
  await adapter.probe();
  const { height } = await adapter.tip();
  return { height, ...(await adapter.progress()) };
}
