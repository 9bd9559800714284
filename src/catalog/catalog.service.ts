import { Injectable } from '@nestjs/common';
import { CHAIN_CATALOGUE } from '../chains/chain-catalogue.js';
import { ChainsService } from '../chains/chains.service.js';
import type { CatalogChain } from './blockchain-view.js';

/** The whole chain catalogue, as it stands in this installation. */
@Injectable()
export class CatalogService {
  private readonly chains: readonly CatalogChain[];

  constructor(chains: ChainsService) {
    // The configuration is frozen at start, and so is this.
    this.chains = CHAIN_CATALOGUE.map((known) => {
      const watched = chains.find(known.slug);
      return { chain: watched ?? known, enabled: watched !== null };
    });
  }

  /** Every known chain, in the order of the catalogue; a watched one with the configuration's changes. */
  list(): readonly CatalogChain[] {
    return this.chains;
  }

  find(slug: string): CatalogChain | null {
    return this.chains.find(({ chain }) => chain.slug === slug) ?? null;
  }
}
