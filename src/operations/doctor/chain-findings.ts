import type { Chain } from '../../chains/chain.pure.js';
import { hidesInternalTransfers, isNativeOffered } from '../../chains/native-visibility.pure.js';
import type { ChainStatus } from '../../chains/chain-health.service.js';
import { findCatchUp, stallSeconds } from '../../chains/chain-health.pure.js';
import { backlogOf, describeCatchUp, type NodeProgress, roughly } from '../../chains/node-progress.pure.js';
import { type Finding, Subject } from './finding.js';

/** How far a node is, as it answers the doctor. */
export interface ChainHead extends NodeProgress {
  height: number;
}

/** The state of one endpoint as operators see it. */
export interface EndpointCondition {
  position: number;
  state: string;
  lastError: string | null;
  needs: readonly string[];
}

/** A node that is catching up with its network says so, or shows a newest block that is old. */
export function assessHead(
  chain: Pick<Chain, 'slug' | 'averageBlockSeconds'>,
  { height, ...progress }: ChainHead,
  stallBlocks: number,
  now: Date,
): Finding {
  const about = new Subject(`chain ${chain.slug}`);
  const age = Math.max(0, Math.round((now.getTime() - progress.headTime.getTime()) / 1_000));
  const backlog = backlogOf(progress, chain, stallSeconds(chain, stallBlocks), now);
  if (backlog)
    return about.failure(
      `its node is catching up: its newest block, ${height}, is ${age} s old; about ${backlog.blocks} blocks are left`,
      'wait until the node has synchronized, or check its peers and disk',
    );
  return about.ok(`its node is at block ${height}, ${age} s old`);
}

/** Blocks whose state a full EVM node keeps, which traces need (go-ethereum, core/blockchain.go: TriesInMemory). */
const KEPT_STATES = 128;

/** How long the gateway may be cut off; nothing where its nodes keep everything that it reads. */
export function assessOutage(
  { slug, averageBlockSeconds }: Pick<Chain, 'slug' | 'averageBlockSeconds'>,
  keptBlocks: number | undefined,
  endpoints: readonly { capabilities: { native: string } | null }[],
): Finding[] {
  const about = new Subject(`outage of ${slug}`);
  const lasting = (blocks: number) => `about ${roughly(blocks * averageBlockSeconds)}`;
  if (keptBlocks !== undefined)
    return [
      about.ok(`its pruned node keeps ${keptBlocks} blocks: an outage may last ${lasting(keptBlocks)}`),
    ];
  const hasTraces = endpoints.some(
    ({ capabilities }) => capabilities && capabilities.native !== 'transactions',
  );
  if (!hasTraces) return [];
  return [
    about.ok(
      `a full node keeps what traces need for ${KEPT_STATES} blocks: an outage may last ${lasting(KEPT_STATES)}, with an archive node any time`,
    ),
  ];
}

/** Endpoints that are not used as configured, and what they need. */
export function assessEndpoints(slug: string, endpoints: readonly EndpointCondition[]): Finding[] {
  return endpoints.flatMap(({ position, state, lastError, needs }) => {
    const about = new Subject(`endpoint ${position} of ${slug}`);
    const lacks = needs.map((need) =>
      about.warning(`it lacks ${need}`, 'choose a plan or a node that includes it, or add a second endpoint'),
    );
    const why = lastError ?? 'no reason given';
    switch (state) {
      case 'limited':
        return [...lacks, about.warning(`it limits the rate of requests: ${why}`, 'choose a larger plan')];
      case 'lagging':
        return [...lacks, about.warning('it lags behind', 'wait, or ask its provider')];
      case 'resting':
      case 'refused':
        return [...lacks, about.warning(`it cannot be used: ${why}`, 'see GET /api/admin/chains')];
      default:
        return lacks;
    }
  });
}

/** Nothing where an endpoint shows payments by contracts, or every transfer is in the block. */
export function assessTraces(
  chain: Pick<Chain, 'slug' | 'nativeOffer'>,
  endpoints: Parameters<typeof hidesInternalTransfers>[0],
): Finding[] {
  if (!hidesInternalTransfers(endpoints)) return [];
  const about = new Subject(`chain ${chain.slug}`);
  const isOffered = isNativeOffered(chain, endpoints);
  return [
    about.warning(
      `no endpoint has traces: payments by contracts in the native coin are not seen${isOffered ? '' : ', so checkout does not offer it'}`,
      'use a node with trace_block or debug_traceBlockByHash; see docs/reference/chains.md#traces',
    ),
  ];
}

/** Nothing where large transfers need more than one endpoint's word; only EVM chains list their endpoints. */
export function assessTrust(
  { slug, testnet, agreeFrom, proveFrom }: Pick<Chain, 'slug' | 'testnet' | 'agreeFrom' | 'proveFrom'>,
  endpoints: readonly unknown[],
): Finding[] {
  if (testnet || endpoints.length === 0 || agreeFrom || proveFrom) return [];
  return [
    new Subject(`chain ${slug}`).warning(
      'a large transfer counts by the word of one endpoint: no second one confirms it, and its block does not prove it',
      `add an endpoint of another company to CHAIN_${slug.toUpperCase()}_RPC_URL; see docs/reference/configuration-chains.md#large-transfers`,
    ),
  ];
}

/** The watcher's own view of the chain. */
export function assessWatching(slug: string, status: ChainStatus): Finding[] {
  const { state, condition, halted } = status;
  const catchUp = findCatchUp(state, condition);
  const about = new Subject(`watcher of ${slug}`);
  switch (state) {
    case 'ok':
      return [about.ok('it follows the chain')];
    case 'unknown':
      return [about.warning('no watcher has run yet', 'start a process with ROLE=watcher or all')];
    case 'unwatched':
      return [about.failure('no watcher runs', 'start a process with ROLE=watcher or all')];
    case 'halted':
      return [
        about.failure(
          `it is halted: ${halted?.reason ?? 'no reason given'}`,
          'see docs/how-to/watch-chains.md#alerts',
        ),
      ];
    case 'unreachable':
      return [
        about.failure(
          `its last request to the node failed: ${condition?.trouble?.message ?? 'no reason given'}`,
          'if the node responds from here, check the network of the watcher',
        ),
      ];
    case 'catching_up':
      return [
        about.failure(
          `its node is catching up, so checkout does not offer the chain${catchUp ? `. ${describeCatchUp(catchUp)}` : ''}`,
          'wait until the node has synchronized; if the number does not fall, check its peers and disk',
        ),
      ];
    case 'stalled':
      return [about.failure('it sees no new blocks', 'check whether the chain or your node has stopped')];
  }
}
