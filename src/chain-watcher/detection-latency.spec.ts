import { DetectionLatency } from './detection-latency.js';

describe('heads that were seen', () => {
  it('wait from their first sight to the commit of all up to them', () => {
    const heads = new DetectionLatency();
    heads.saw('a', 10, 1_000);
    heads.saw('a', 10, 2_000);
    heads.saw('a', 12, 3_000);
    heads.saw('b', 10, 9_000);
    expect(heads.committed('a', 9, 4_000)).toEqual([]);
    expect(heads.committed('a', 11, 4_000)).toEqual([3]);
    expect(heads.committed('a', 12, 4_500)).toEqual([1.5]);
    expect(heads.committed('a', 12, 9_000)).toEqual([]);
    expect(heads.committed('c', 12, 9_000)).toEqual([]);
  });

  it('are no longer waited for when a reorganisation took them back', () => {
    const heads = new DetectionLatency();
    heads.saw('a', 10, 1_000);
    heads.saw('a', 12, 2_000);
    heads.forgetAbove('a', 10);
    heads.saw('a', 11, 5_000);
    expect(heads.committed('a', 12, 6_000)).toEqual([5, 1]);
  });

  it('are kept in no more than a thousand places', () => {
    const heads = new DetectionLatency();
    for (let height = 0; height < 2_000; height++) heads.saw('a', height, 0);
    expect(heads.committed('a', 5_000, 1_000)).toHaveLength(1_000);
  });
});
