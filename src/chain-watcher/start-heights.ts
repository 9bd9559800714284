import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';

/** Where the operator wants new cursors to start (CHAIN_<SLUG>_START_HEIGHT). */
@Injectable()
export class StartHeights {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  find(slug: string): number | null {
    return this.config.chains.find((chain) => chain.slug === slug)?.startHeight ?? null;
  }
}
