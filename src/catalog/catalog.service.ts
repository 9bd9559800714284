import { Injectable } from '@nestjs/common';
import { CHAIN_CATALOG } from '../chains/chain-catalog.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import type { CatalogChain } from './blockchain-view.js';

/** The chain catalog with the configuration of this installation. */
@Injectable()
export class CatalogService {
  private readonly chains: readonly CatalogChain[];

  constructor(chains: ChainsService) {
    // Computed once: the configuration does not change while the program runs.
    this.chains = CHAIN_CATALOG.map((known) => {
      const watched = chains.find(known.slug);
      return { chain: watched ?? known, enabled: watched !== null };
    });
  }

  /** Every known chain, in the order of the catalog; watched chains as they are configured. */
  list(): readonly CatalogChain[] {
    return this.chains;
  }

  find(slug: string): CatalogChain | null {
    return this.chains.find(({ chain }) => chain.slug === slug) ?? null;
  }
}
