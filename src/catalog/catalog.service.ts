import { Injectable } from '@nestjs/common';
import { CHAIN_CATALOG } from '../chains/chain-catalog.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import type { CatalogChain } from './blockchain-view.js';

/** The whole chain catalog, as it stands in this installation. */
@Injectable()
export class CatalogService {
  private readonly chains: readonly CatalogChain[];

  constructor(chains: ChainsService) {
    // The configuration is frozen at start, and so is this.
    this.chains = CHAIN_CATALOG.map((known) => {
      const watched = chains.find(known.slug);
      return { chain: watched ?? known, enabled: watched !== null };
    });
  }

  /** Every known chain, in the order of the catalog; a watched one with the configuration's changes. */
  list(): readonly CatalogChain[] {
    return this.chains;
  }

  find(slug: string): CatalogChain | null {
    return this.chains.find(({ chain }) => chain.slug === slug) ?? null;
  }
}
