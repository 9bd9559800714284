import { Injectable } from '@nestjs/common';
import { BlockIntervalRepository } from './block-interval.repository.js';

/** Blocks. A day of Ethereum would hide a change, ten blocks of Bitcoin would be mostly noise. */
const LOOK_BACK = 100;

/** Measures the time between blocks from those that the watcher applied, so every process gets the same result. */
@Injectable()
export class BlockIntervalService {
  constructor(private readonly blocks: BlockIntervalRepository) {}

  /** Over the last blocks of a chain, by their timestamps; null before the first block. */
  find(slug: string): Promise<{ blocks: number; seconds: number } | null> {
    return this.blocks.find(slug, LOOK_BACK);
  }
}
