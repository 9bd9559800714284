/** Index of one of two sides. */
export type Side = 0 | 1;

/** Whoever measures first in a pair is a few percent faster, so each side is first in every other pair. */
const ORDER: readonly Side[] = [0, 1, 1, 0];

/**
 * Who of two sides may measure. A turn begins only when both sides wait for one, so that neither prepares anything
 * meanwhile, or when the other side has nothing to measure.
 */
export class TurnOrder {
  private turns = 0;
  private holder: Side | null = null;
  private readonly waiting: [(() => void) | null, (() => void) | null] = [null, null];
  private readonly isResting = [false, false];

  /** Calls `begin` when it is the side's turn, which {@link pass} or {@link rest} ends. */
  wait(side: Side, begin: () => void): void {
    this.waiting[side] = begin;
    this.next();
  }

  pass(side: Side): void {
    if (this.holder !== side) return;
    this.holder = null;
    this.turns++;
    this.next();
  }

  /** The side has nothing to measure until {@link resume}. */
  rest(side: Side): void {
    this.isResting[side] = true;
    this.waiting[side] = null;
    this.pass(side);
    this.next();
  }

  /** The side will wait again: no turn begins before. */
  resume(side: Side): void {
    this.isResting[side] = false;
  }

  private next(): void {
    if (this.holder !== null) return;
    const areReady = ([0, 1] as const).every((side) => this.isResting[side] || this.waiting[side]);
    if (!areReady) return;
    const due = ORDER[this.turns % ORDER.length] ?? 0;
    const side = this.waiting[due] ? due : due === 0 ? 1 : 0;
    const begin = this.waiting[side];
    if (!begin) return;
    this.waiting[side] = null;
    this.holder = side;
    begin();
  }
}
