import type { Meters } from '../platform/kernel/meters.js';
import { DetectionLatencyService } from './detection-latency.service.js';

function startMeasuring() {
  let observed: number[] = [];
  const meters = {
    detection: { observe: (_labels: unknown, seconds: number) => observed.push(seconds) },
  } as unknown as Meters;
  const latency = new DetectionLatencyService(meters);
  /** The seconds recorded by a commit. */
  const commit = (chain: string, height: number, now: number) => {
    observed = [];
    latency.committed(chain, height, now);
    return observed;
  };
  return { latency, commit };
}

describe('DetectionLatencyService', () => {
  it('records the seconds from first seeing a head to the commit that reaches it', () => {
    const { latency, commit } = startMeasuring();
    latency.sawHead('a', 10, 1_000);
    latency.sawHead('a', 10, 2_000);
    latency.sawHead('a', 12, 3_000);
    latency.sawHead('b', 10, 9_000);
    expect(commit('a', 9, 4_000)).toEqual([]);
    expect(commit('a', 11, 4_000)).toEqual([3]);
    expect(commit('a', 12, 4_500)).toEqual([1.5]);
    expect(commit('a', 12, 9_000)).toEqual([]);
    expect(commit('c', 12, 9_000)).toEqual([]);
  });

  it('forgets heads that a reorg removed', () => {
    const { latency, commit } = startMeasuring();
    latency.sawHead('a', 10, 1_000);
    latency.sawHead('a', 12, 2_000);
    latency.forgetAbove('a', 10);
    latency.sawHead('a', 11, 5_000);
    expect(commit('a', 12, 6_000)).toEqual([5, 1]);
  });

  it('remembers at most a thousand heads of a chain that has stalled', () => {
    const { latency, commit } = startMeasuring();
    for (let height = 0; height < 2_000; height++) latency.sawHead('a', height, 0);
    expect(commit('a', 5_000, 1_000)).toHaveLength(1_000);
  });
});
