import type { Chain } from '../../chains/chain.pure.js';
import type { ChainStatus } from '../../chains/chain-health.service.js';
import { type Finding, Subject } from './finding.js';

export interface ChainHead {
  height: number;
  time: Date;
  /** Further endpoints that are not in use. */
  refused: number;
}

/** Average block times; rarely does one block take so long. */
const OLD_HEAD_BLOCKS = 20;
/** Seconds; chains of fast blocks may pause for a moment. */
const OLD_HEAD_SECONDS = 300;

/** A node that lags behind its network shows a newest block that is old. */
export function assessHead(
  { slug, averageBlockSeconds }: Pick<Chain, 'slug' | 'averageBlockSeconds'>,
  { height, time, refused }: ChainHead,
  now: Date,
): Finding {
  const about = new Subject(`chain ${slug}`);
  const age = Math.max(0, Math.round((now.getTime() - time.getTime()) / 1_000));
  if (age > Math.max(OLD_HEAD_SECONDS, OLD_HEAD_BLOCKS * averageBlockSeconds))
    return about.failure(
      `the newest block of its node, ${height}, is ${age} s old`,
      'wait until the node has synchronised, or look at its peers and disk',
    );
  if (refused > 0)
    return about.warning(
      `${refused} of its endpoints cannot be used`,
      'GET /api/admin/chains tells which and why',
    );
  return about.ok(`its node is at block ${height}, ${age} s old`);
}

/** The watcher's own view of the chain. */
export function assessWatching(slug: string, { state, condition, halted }: ChainStatus): Finding[] {
  const about = new Subject(`watcher of ${slug}`);
  switch (state) {
    case 'ok':
      return [about.ok('it looks')];
    case 'unknown':
      return [about.warning('nobody has looked yet', 'start a process with ROLE=watcher or all')];
    case 'unwatched':
      return [about.failure('nobody looks', 'start a process with ROLE=watcher or all')];
    case 'halted':
      return [
        about.failure(
          `it stands still: ${halted?.reason ?? 'no reason given'}`,
          'docs/how-to/operations.md#alerts says what to do',
        ),
      ];
    case 'unreachable':
      return [
        about.failure(
          `its last look failed: ${condition?.trouble?.message ?? 'no reason given'}`,
          'if the node serves from here, look at the network of the watcher',
        ),
      ];
    case 'stalled':
      return [about.failure('it sees no new blocks', 'look whether the chain stands still, or your node')];
  }
}
