import type { Chain } from '../../chains/chain.pure.js';
import { hidesInternalTransfers, isNativeOffered } from '../../chains/native-visibility.pure.js';
import type { ChainStatus } from '../../chains/chain-health.service.js';
import { type Finding, Subject } from './finding.js';

export interface ChainHead {
  height: number;
  time: Date;
}

/** The state of one endpoint as operators see it. */
export interface EndpointCondition {
  position: number;
  state: string;
  lastError: string | null;
  needs: readonly string[];
}

/** Average block times; a single block rarely takes that long. */
const OLD_HEAD_BLOCKS = 20;
/** Seconds; chains with fast blocks may pause for a moment. */
const OLD_HEAD_SECONDS = 300;

/** A node that lags behind its network shows a newest block that is old. */
export function assessHead(
  { slug, averageBlockSeconds }: Pick<Chain, 'slug' | 'averageBlockSeconds'>,
  { height, time }: ChainHead,
  now: Date,
): Finding {
  const about = new Subject(`chain ${slug}`);
  const age = Math.max(0, Math.round((now.getTime() - time.getTime()) / 1_000));
  if (age > Math.max(OLD_HEAD_SECONDS, OLD_HEAD_BLOCKS * averageBlockSeconds))
    return about.failure(
      `the newest block of its node, ${height}, is ${age} s old`,
      'wait until the node has synchronized, or check its peers and disk',
    );
  return about.ok(`its node is at block ${height}, ${age} s old`);
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
      `add an endpoint of another company to CHAIN_${slug.toUpperCase()}_RPC_URL; see docs/reference/configuration.md#large-transfers`,
    ),
  ];
}

/** The watcher's own view of the chain. */
export function assessWatching(slug: string, { state, condition, halted }: ChainStatus): Finding[] {
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
          'see docs/how-to/operations.md#alerts',
        ),
      ];
    case 'unreachable':
      return [
        about.failure(
          `its last request to the node failed: ${condition?.trouble?.message ?? 'no reason given'}`,
          'if the node responds from here, check the network of the watcher',
        ),
      ];
    case 'stalled':
      return [about.failure('it sees no new blocks', 'check whether the chain or your node has stopped')];
  }
}
