import { type AnnouncedStage, announcedStage } from './announced-stage.pure.js';

describe('announcedStage', () => {
  it.each<[number, number, AnnouncedStage]>([
    [0, 0, 'seen'],
    [0, 1, 'seen'],
    [0, 2, 'seen'],
    [1, 2, 'last'],
    [1, 3, 'seen'],
    [2, 3, 'last'],
    [1, 12, 'seen'],
    [5, 12, 'seen'],
    [6, 12, 'half'],
    [10, 12, 'half'],
    [11, 12, 'last'],
    [12, 12, 'last'],
    [499, 1_000, 'seen'],
    [500, 1_000, 'half'],
  ])('%i of %i blocks: %s', (seen, required, stage) => {
    expect(announcedStage({ seen, required, delayed: false })).toBe(stage);
    expect(announcedStage({ seen, required, delayed: true })).toBe('delayed');
  });

  it('of nothing known is that it was seen', () => {
    expect(announcedStage(null)).toBe('seen');
  });

  it('changes three times at most over 1,000 blocks', () => {
    const stages = Array.from({ length: 1_000 }, (_, seen) =>
      announcedStage({ seen, required: 1_000, delayed: false }),
    );
    expect(stages.filter((stage, at) => stage !== stages[at - 1])).toEqual(['seen', 'half', 'last']);
  });
});
