import { Injectable } from '@nestjs/common';
import { ChainHealthService } from '../../chains/chain-health.service.js';
import { ChainsService } from '../../chains/chains.service.js';
import { ChainPositionRepository } from './chain-position.repository.js';
import type { ChainOverview, ChainPosition } from './chain-presenter.js';

const UNKNOWN: ChainPosition = { cursor: null, lease: null, awaitingAgreement: 0, unreadTraces: 0 };

/** Every configured chain as an operator sees it, from the database alone. */
@Injectable()
export class ChainOverviews {
  constructor(
    private readonly positions: ChainPositionRepository,
    private readonly chains: ChainsService,
    private readonly conditions: ChainHealthService,
  ) {}

  async list(): Promise<ChainOverview[]> {
    const chains = this.chains.list();
    const slugs = chains.map(({ slug }) => slug);
    const [statuses, positions] = await Promise.all([
      this.conditions.statusesOf(slugs),
      this.positions.list(slugs),
    ]);
    return chains.flatMap((chain, i) => {
      const status = statuses[i];
      const position = positions.get(chain.slug) ?? UNKNOWN;
      return status ? [{ chain, ...status, ...position }] : [];
    });
  }
}
