/** Heads of one chain that are not committed yet; more would be a chain that stands still. */
const MAX_WAITING = 1_000;

/** Measures how long blocks take from the first sight of a head to the commit of everything up to it. */
export class DetectionLatency {
  private readonly waiting = new Map<string, { height: number; at: number }[]>();

  /** @param now milliseconds of a clock that never goes back */
  saw(chain: string, height: number, now: number): void {
    const heads = this.waiting.get(chain) ?? [];
    this.waiting.set(chain, heads);
    const newest = heads.at(-1);
    if ((newest && newest.height >= height) || heads.length >= MAX_WAITING) return;
    heads.push({ height, at: now });
  }

  /** Seconds that each head waited which is committed by now. */
  committed(chain: string, height: number, now: number): number[] {
    const heads = this.waiting.get(chain) ?? [];
    const count = heads.filter((head) => head.height <= height).length;
    return heads.splice(0, count).map(({ at }) => (now - at) / 1_000);
  }

  /** After a reorganisation: other blocks take these heights. */
  forgetAbove(chain: string, height: number): void {
    this.waiting.set(
      chain,
      (this.waiting.get(chain) ?? []).filter((head) => head.height <= height),
    );
  }
}
