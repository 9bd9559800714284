import { Injectable } from '@nestjs/common';
import type { ChainAdapter } from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { DepositAddressesService } from '../wallets/deposit-addresses.service.js';
import { ChainCursorRepository, CursorMovedError } from './chain-cursor.repository.js';
import { ChainLeaseService } from './chain-lease.service.js';
import { ChainStartService } from './chain-start.service.js';
import { NodeStatusService } from './node-status.service.js';

/**
 * Stands in for the watcher on a chain that has no address to watch: it asks for the newest block only, and moves the
 * cursor there unread. The newest block is read before the addresses are counted, so an address that is handed out later
 * is paid in a later block (specification/chains.md#chains-without-addresses).
 */
@Injectable()
export class IdleChainService {
  /** Chains that have an address; none loses its last one. */
  private readonly inUse = new Set<string>();

  constructor(
    private readonly chains: ChainsService,
    private readonly leases: ChainLeaseService,
    private readonly cursors: ChainCursorRepository,
    private readonly start: ChainStartService,
    private readonly node: NodeStatusService,
    private readonly addresses: DepositAddressesService,
  ) {}

  /** Whether no payment has an address on the chain. */
  async isIdle(slug: string): Promise<boolean> {
    if (this.inUse.has(slug)) return false;
    if (!(await this.addresses.hasAny(this.chains.get(slug).family))) return true;
    this.inUse.add(slug);
    return false;
  }

  /** One look at the node. Failures are reported, not thrown. */
  async lookOnce(slug: string): Promise<void> {
    try {
      await this.look(this.chains.get(slug), this.chains.adapter(slug));
      await this.node.reportSuccess(slug);
    } catch (error) {
      if (error instanceof CursorMovedError) return this.leases.doubt(slug);
      await this.node.reportFailure(slug, error);
    }
  }

  private async look(chain: Chain, adapter: ChainAdapter): Promise<void> {
    const epoch = await this.leases.acquire(chain.slug);
    if (epoch === null) return;
    await this.node.probe(adapter);
    const requested = this.node.requestTip(adapter);
    const tip = await requested.tip;
    this.node.sawTip(chain.slug, tip);
    const cursor = await this.cursors.find(chain.slug);
    if (!cursor) return this.start.begin(chain, adapter, epoch);
    if (cursor.isHalted || tip.height <= cursor.height) return;
    // Only now: the addresses that this leaves out are younger than the tip.
    if (!(await this.isIdle(chain.slug))) return;
    const kept = await this.start.historyAt(chain, adapter, tip);
    await this.cursors.skipTo(chain.slug, cursor, tip, kept, epoch);
    await this.cursors.markCaughtUp(chain.slug, tip, requested.asOf, epoch);
  }
}
