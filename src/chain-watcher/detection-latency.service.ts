import { Injectable } from '@nestjs/common';
import { Meters } from '../platform/kernel/meters.js';

/** Heads of one chain that are not committed yet; a chain with more of them has stalled. */
const MAX_WAITING = 1_000;

/** Measures the time from the first sight of a head until every block up to it is committed. */
@Injectable()
export class DetectionLatencyService {
  private readonly waiting = new Map<string, { height: number; at: number }[]>();

  constructor(private readonly meters: Meters) {}

  /** @param now milliseconds of a monotonic clock */
  sawHead(chain: string, height: number, now: number): void {
    const heads = this.waiting.get(chain) ?? [];
    this.waiting.set(chain, heads);
    const newest = heads.at(-1);
    if ((newest && newest.height >= height) || heads.length >= MAX_WAITING) return;
    heads.push({ height, at: now });
  }

  /** Records the seconds that each head up to this height waited. */
  committed(chain: string, height: number, now: number): void {
    const heads = this.waiting.get(chain) ?? [];
    const count = heads.filter((head) => head.height <= height).length;
    for (const { at } of heads.splice(0, count)) this.meters.detection.observe({ chain }, (now - at) / 1_000);
  }

  /** After a reorg: other blocks take these heights. */
  forgetAbove(chain: string, height: number): void {
    const heads = this.waiting.get(chain) ?? [];
    this.waiting.set(
      chain,
      heads.filter((head) => head.height <= height),
    );
  }
}
