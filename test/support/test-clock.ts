import { Clock } from '../../src/platform/kernel/clock.pure.js';

/** A clock that only the test moves; starts at the real time, on a full second. */
export class TestClock extends Clock {
  private time = Math.floor(Date.now() / 1000) * 1000;

  now(): Date {
    return new Date(this.time);
  }

  advanceSeconds(seconds: number): void {
    this.time += seconds * 1000;
  }
}
