// The list of mutations and what must hold for it. Pure, but for reading the list.
import chains from '../test/mutations/chains.mjs';
import money from '../test/mutations/money.mjs';
import pages from '../test/mutations/pages.mjs';
import people from '../test/mutations/people.mjs';
import platform from '../test/mutations/platform.mjs';

const isEndToEnd = (spec) => spec.endsWith('.e2e-spec.ts');

/** Those that a unit test should notice come first, because they take seconds. */
export const MUTATIONS = [...money, ...chains, ...people, ...platform, ...pages].toSorted(
  (a, b) => Number(isEndToEnd(a.suite)) - Number(isEndToEnd(b.suite)),
);

/** Folders whose rooms each need a mutation of their own. */
const BUILDINGS = ['src', 'src/chains', 'src/identity', 'src/operations', 'src/platform', 'web'];
/** Texts, not behavior. */
const NO_ROOMS = ['web/build', 'web/messages'];

/**
 * @param texts path -> text of the repository
 * @returns mutations that cannot be planted and rooms without one, a line each
 */
export function mutationProblems(mutations, texts) {
  const problems = mutations.flatMap((mutation) => plantingProblems(mutation, texts));
  const rooms = [...texts.keys()].map(roomOf).filter((room) => room !== null && !NO_ROOMS.includes(room));
  for (const room of new Set(['migrations', ...rooms]))
    if (!mutations.some(({ file }) => file.startsWith(`${room}/`))) problems.push(`${room} has no mutation`);
  return problems;
}

function plantingProblems({ file, before, after, suite }, texts) {
  const times = (texts.get(file)?.split(before).length ?? 1) - 1;
  return [
    ...(times === 1 ? [] : [`${file} has this ${times} times, not once: ${JSON.stringify(before)}`]),
    ...(before === after ? [`${file}: nothing changes: ${JSON.stringify(before)}`] : []),
    ...(texts.has(suite) ? [] : [`${suite} does not exist`]),
  ];
}

/** The innermost room that a file is in. */
function roomOf(file) {
  const building = BUILDINGS.findLast((folder) => file.startsWith(`${folder}/`));
  const [room, ...rest] = building === undefined ? [] : file.slice(building.length + 1).split('/');
  return rest.length === 0 ? null : `${building}/${room}`;
}

/** @returns the text with the mistake in it. @throws Error unless the place is unambiguous */
export function plant({ file, before, after, suite }, text) {
  const [problem] = plantingProblems(
    { file, before, after, suite },
    new Map([
      [file, text],
      [suite, ''],
    ]),
  );
  if (problem !== undefined) throw new Error(problem);
  return text.replace(before, () => after);
}

/** It finds the text of each mutation in its file, and so would notice that any one is planted. */
const OF_THE_LIST = 'test/mutations.spec.ts';

/**
 * What is run one after the other until something fails: unit tests, the nearest end-to-end test, more of them, and those
 * that are not near.
 * @param far where to look for a mutation that no near test notices
 */
export function stagesOf({ suite }, near, far = []) {
  const tests = (specs) => [...new Set(specs)].filter((spec) => spec !== OF_THE_LIST);
  const specs = tests([suite, ...near]);
  const units = specs.filter((spec) => !isEndToEnd(spec)).slice(0, 12);
  const endToEnd = specs.filter(isEndToEnd);
  const stages = [units, endToEnd.slice(0, 1), endToEnd.slice(1, 4), endToEnd.slice(4)];
  const tried = new Set(stages.flat());
  return [...stages, tests(far).filter((spec) => !tried.has(spec))].filter((stage) => stage.length > 0);
}

export const TABLE_HEAD = [
  '| File | Mistake | Noticed by | Test | Seconds |',
  '| --- | --- | --- | --- | --- |',
];

/** A line of the table. */
export function mutationRow({ mutation: { file, breaks }, noticed, seconds }) {
  const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const by = noticed === null ? '**nobody**' : noticed.spec;
  return `| ${file} | ${cell(breaks)} | ${by} | ${cell(noticed?.title ?? '')} | ${seconds} |`;
}
