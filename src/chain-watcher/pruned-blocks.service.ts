import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import {
  type BlockHeader,
  type ChainAdapter,
  ChainInconsistencyError,
  type ObservedTransfer,
  PrunedBlockError,
} from '../chains/chain-adapter.pure.js';
import type { UnspentOutput } from '../chains/chain-auditor.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { type MinedTransfer, TransfersService } from '../payments/transfers/transfers.service.js';
import { AuditLog } from '../platform/integrity/audit-log.service.js';
import { Sql } from '../platform/database/sql.js';
import { DepositAddressesService } from '../wallets/deposit-addresses.service.js';
import { BlockMatcher } from './block-matcher.service.js';
import { ChainCursorRepository } from './chain-cursor.repository.js';
import { ChainLeaseService } from './chain-lease.service.js';
import { ChainStartService } from './chain-start.service.js';
import type { WatchStep } from './watch-step.js';

/** Milliseconds; a lease lasts longer. */
const KEEP_LEASE_EVERY_MS = 1_000;

/** What crossing pruned blocks needs of the addresses, and leaves in the audit log. */
@Injectable()
export class PrunedBlocksRecords {
  constructor(
    private readonly addresses: DepositAddressesService,
    private readonly audit: AuditLog,
  ) {}

  listKeys(family: Parameters<DepositAddressesService['listKeys']>[0]): Promise<Buffer[]> {
    return this.addresses.listKeys(family);
  }

  async record(slug: string, { from, to }: { from: number; to: number }, credited: number): Promise<void> {
    const target = { kind: 'chain', id: slug };
    const details = { from, to, forced: false, credited };
    await this.audit.record({ act: 'chain.blocks_skipped', userId: null, target, details });
  }
}

/**
 * Goes on after an outage in which a UTXO node has deleted blocks: what they paid to deposit addresses is credited from
 * the node's set of unspent outputs (specification/chains.md#pruned-blocks).
 */
@Injectable()
export class PrunedBlocksService {
  private readonly logger = new Logger('PrunedBlocks');

  constructor(
    private readonly sql: Sql,
    private readonly chains: ChainsService,
    private readonly cursors: ChainCursorRepository,
    private readonly leases: ChainLeaseService,
    private readonly start: ChainStartService,
    private readonly matcher: BlockMatcher,
    private readonly transfers: TransfersService,
    private readonly records: PrunedBlocksRecords,
  ) {}

  /** @throws Error when the node has no such set, or contradicts itself; then nothing has changed */
  async cross({ chain, adapter, cursor, tip, epoch }: WatchStep): Promise<void> {
    const keys = await this.records.listKeys(chain.family);
    const scanner = this.chains.findScanner(chain.slug);
    const scan = scanner && (await this.whileLeased(chain.slug, scanner.scan(keys)));
    if (!scan)
      throw new PrunedBlockError(`${chain.slug}: the node has pruned the blocks above ${cursor.height}`);
    const last = await findLastPruned(adapter, cursor.height + 1, tip.height);
    if ((await adapter.header(cursor.height))?.hash !== cursor.hash || last.height > scan.at.height)
      throw new ChainInconsistencyError(`${chain.slug}: the node has left block ${cursor.height}`);
    const gone = scan.outputs.filter(({ height }) => height > cursor.height && height <= last.height);
    const found = (await Promise.all(gone.map((output) => this.toMined(chain.slug, adapter, output)))).flat();
    if ((await adapter.header(scan.at.height))?.hash !== scan.at.hash)
      throw new ChainInconsistencyError(`${chain.slug}: the node has left block ${scan.at.height}`);
    const kept = await this.start.historyAt(chain, adapter, last);
    const range = { from: cursor.height + 1, to: last.height };
    await this.sql.transaction(async () => {
      await this.cursors.skipTo(chain.slug, cursor, last, kept, epoch);
      await this.transfers.applyBlocks({ chain: chain.slug, height: last.height, transfers: found });
      await this.records.record(chain.slug, range, found.length);
    });
    this.logger.error(
      { chain: chain.slug, ...range, credited: found.length },
      'the node has pruned blocks that were not read: credited what its unspent outputs show; coins that were spent again are not among them',
    );
  }

  private async toMined(
    slug: string,
    adapter: ChainAdapter,
    output: UnspentOutput,
  ): Promise<MinedTransfer[]> {
    const block = await adapter.header(output.height);
    if (!block) throw new ChainInconsistencyError(`${slug}: the node has no block ${output.height}`);
    const { txHash, ordinal, key, amount } = output;
    const transfer: ObservedTransfer = { txHash, ordinal, key, amount, asset: 'native' };
    const matched = await this.matcher.matchTransfers(this.chains.get(slug), [transfer]);
    // Its inputs are not known. A coinbase so deep can be spent: nodes keep 288 blocks (Bitcoin Core, MIN_BLOCKS_TO_KEEP).
    return matched.map((one) => ({ ...one, block }));
  }

  /** A scan takes minutes, in which no other process should begin one. */
  private async whileLeased<T>(slug: string, work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    const ended = work.then(end, end);
    while (!isOver) {
      await Promise.race([ended, delay(KEEP_LEASE_EVERY_MS)]);
      await this.leases.keep(slug);
    }
    return work;
  }
}

/** Nodes prune from below, so the blocks that are left are found by halving. */
async function findLastPruned(adapter: ChainAdapter, from: number, to: number): Promise<BlockHeader> {
  let [pruned, readable] = [from, to];
  while (readable - pruned > 1) {
    const middle = Math.floor((pruned + readable) / 2);
    if (await isPruned(adapter, middle)) pruned = middle;
    else readable = middle;
  }
  const header = await adapter.header(pruned);
  if (!header) throw new ChainInconsistencyError(`${adapter.chain}: the node has no block ${pruned}`);
  return header;
}

async function isPruned(adapter: ChainAdapter, height: number): Promise<boolean> {
  try {
    await adapter.block(height);
    return false;
  } catch (error) {
    if (error instanceof PrunedBlockError) return true;
    throw error;
  }
}
