import { writeFileSync } from 'node:fs';
import { readAnswers } from './mistakes/answers.js';
import { ask, printAnswer } from './mistakes/ask.js';
import { MISTAKES } from './mistakes/table.js';
import { openMistakesHarness, type MistakesHarness } from './mistakes/mistakes-harness.js';

/*
 * What integrators get wrong, and whether the response alone says what to change. A grade is a reviewer's: who
 * changes an answer reads it again and corrects test/mistakes/answers.json. MISTAKES_ANSWERS=<file> writes all answers.
 */

const ANSWERS = readAnswers();
const shown: string[] = [];
let harness: MistakesHarness;
let close: (() => Promise<void>) | undefined;

beforeAll(async () => {
  ({ harness, close } = await openMistakesHarness());
});
afterAll(async () => {
  await close?.();
  const file = process.env['MISTAKES_ANSWERS'];
  if (file) writeFileSync(file, shown.join('\n'));
});

describe.each(MISTAKES)('$name', ({ name, mistakes }) => {
  test.each(mistakes)('$title', async (mistake) => {
    const answer = await ask(harness, mistake);
    shown.push(`## ${name}: ${mistake.title}\n${printAnswer(answer)}\n`);
    const expected = ANSWERS[name]?.[mistake.title];
    if (!expected) throw new Error(`answers.json says nothing about it: ${printAnswer(answer)}`);
    const { status, code = '', message = '', hint = '', description = '', page = '' } = expected;
    const { errors = {}, headers = {} } = expected;
    expect(answer).toMatchObject({
      status,
      code,
      message: expect.stringContaining(message) as string,
      hint: expect.stringContaining(hint) as string,
      description: expect.stringContaining(description) as string,
      page: expect.stringContaining(page) as string,
    });
    for (const [field, part] of Object.entries(errors))
      expect(answer.errors[field]?.join(' ')).toContain(part);
    for (const [header, part] of Object.entries(headers)) expect(answer.headers[header]).toContain(part);
  });
});

describe('the grades', () => {
  const rows = MISTAKES.flatMap(({ name, mistakes }) =>
    mistakes.map(({ title }) => ({ row: `${name}: ${title}`, grade: ANSWERS[name]?.[title]?.grade ?? 0 })),
  );

  test('cover at least 113 mistakes, and nothing else', () => {
    expect(new Set(rows.map(({ row }) => row)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThanOrEqual(113);
    const graded = Object.entries(ANSWERS).flatMap(([name, group]) =>
      Object.keys(group).map((title) => `${name}: ${title}`),
    );
    expect(graded.toSorted()).toEqual(rows.map(({ row }) => row).toSorted());
  });

  test('are at least 1.85 on average, and none is 0', () => {
    expect(rows.filter(({ grade }) => grade === 0)).toEqual([]);
    expect(rows.reduce((sum, { grade }) => sum + grade, 0) / rows.length).toBeGreaterThanOrEqual(1.85);
  });
});
