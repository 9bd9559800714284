import { type DeepFork, findResumePoint } from './resume-point.pure.js';

const block = (height: number) => ({ height, hash: `block ${height}` });
const same = (height: number) => ({ kept: block(height), shown: `block ${height}` });
const replaced = (height: number) => ({ kept: block(height), shown: `another ${height}` });
const missing = (height: number) => ({ kept: block(height), shown: null });

/** Blocks from 900 on are kept without a gap and were replaced; 600 is safe. */
const FORK: DeepFork = {
  safe: block(600),
  shownAtSafe: 'block 600',
  ordinaryFrom: 800,
  lowestReplaced: 900,
  marks: [replaced(768), same(512), same(256)],
};

describe('the block from which a chain resumes after a deep fork', () => {
  it.each<[what: string, fork: Partial<DeepFork>, expected: number | null]>([
    ['the highest mark that the chain still has', {}, 512],
    ['a mark above the safe block, if the chain still has it', { marks: [same(768), same(512)] }, 768],
    ['a mark at the safe block', { safe: block(512), shownAtSafe: 'block 512' }, 512],
    ['a mark below one that the nodes do not have yet', { marks: [missing(768), same(512)] }, 512],
    ['none, when no node names a safe block', { safe: null, shownAtSafe: null }, null],
    ['none, when the safe block is not part of the chain', { shownAtSafe: 'another 600' }, null],
    ['none, when the nodes do not have the safe block', { shownAtSafe: null }, null],
    ['none, when blocks were replaced that are safe', { safe: block(900), shownAtSafe: 'block 900' }, null],
    [
      'none, when the lowest replaced block is safe, though no mark was replaced',
      { safe: block(900), shownAtSafe: 'block 900', marks: [same(512)] },
      null,
    ],
    ['none, when a mark was replaced that is safe', { marks: [replaced(512), same(256)] }, null],
    [
      'none, when the mark at the safe block was replaced',
      { safe: block(768), shownAtSafe: 'block 768' },
      null,
    ],
    [
      'none, when all marks were replaced',
      { safe: block(100), shownAtSafe: 'block 100', marks: [replaced(768), replaced(512)] },
      null,
    ],
    ['none, when there are no marks', { marks: [] }, null],
    [
      'a mark that is not deep, whatever is safe',
      { safe: null, shownAtSafe: null, marks: [replaced(850), same(800)] },
      800,
    ],
    [
      'none, when the only common mark is too deep',
      { safe: null, shownAtSafe: null, marks: [same(799)] },
      null,
    ],
    ['none, when it is not deep and one below it was replaced', { marks: [same(850), replaced(512)] }, null],
    ['none, when the nodes contradict themselves', { marks: [same(768), replaced(512)] }, null],
  ])('is %s', (_what, fork, expected) => {
    expect(findResumePoint({ ...FORK, ...fork })).toEqual(expected === null ? null : block(expected));
  });
});
