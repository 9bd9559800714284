// Which tests a change is most likely to break. Pure.

/** Everything is reached through these, which says nothing: a gateway of a test is the whole program. */
const WHOLE_PROGRAM = /^src\/(app|app\.module|gateway|main|cli)\.ts$/;
/** Share of the end-to-end tests that makes a file of test/support one that everything imports. */
const COMMON = 1 / 8;
/** What end-to-end tests are about without a browser, and with one; for other files only imports count. */
const PROGRAM = /^(src|sdk|migrations|docs)\//;
const PAGES = /^(web|sdk)\/|\/(page|html|receipt|dashboard|shop|i18n|oauth|branding)\//;
/** What no import leads to: these read the schema itself. */
const SCHEMA = /^test\/(migrations|migration-\w+|entities|gateway-role|database-\w+)\./;

/** Every screen in every language takes minutes, whichever part of it is run. */
export const isSpec = (file) => /\.(e2e-)?spec\.ts$/.test(file) && !file.startsWith('test/screens/');
const isEndToEnd = (file) => file.endsWith('.e2e-spec.ts');
const isBrowser = (file) => file.startsWith('test/browser/');

/** How many files run in about two minutes on two cores. */
const LIMITS = { unit: 80, endToEnd: 16, browser: 3 };

/**
 * @param changed paths from the root
 * @param texts path -> text of every file of the repository that may be searched
 * @param imports path -> paths that it imports
 * @returns `chosen` tests, nearest first, each with its reason; `left`: how many more are near; `unknown`: changed files
 *   that led to no test
 */
export function chooseTests({ changed, texts, imports, limits = LIMITS }) {
  const repository = describeRepository(texts, imports);
  const nearest = new Map();
  const unknown = [];
  for (const file of changed) {
    const near = rankTests(file, repository);
    if (near.length === 0) unknown.push(file);
    // The nearest of each changed file before the second nearest of any.
    for (const [rank, { spec, reason }] of near.entries())
      if (rank < (nearest.get(spec)?.rank ?? Infinity)) nearest.set(spec, { rank, reason });
  }
  const all = [...nearest].map(([spec, { rank, reason }]) => ({ spec, rank, reason }));
  all.sort((a, b) => a.rank - b.rank || (a.spec < b.spec ? -1 : 1));
  const unit = all.filter(({ spec }) => !isEndToEnd(spec));
  const browser = all.filter(({ spec }) => isBrowser(spec));
  const endToEnd = all.filter(({ spec }) => isEndToEnd(spec) && !isBrowser(spec));
  const chosen = [
    ...unit.slice(0, limits.unit),
    ...endToEnd.slice(0, limits.endToEnd),
    ...browser.slice(0, limits.browser),
  ].map(({ spec, reason }) => ({ spec, reason }));
  return { chosen, left: all.length - chosen.length, unknown };
}

function describeRepository(texts, imports) {
  const importers = new Map();
  for (const [file, targets] of imports)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
  const specs = [...texts.keys()].filter(isSpec);
  const endToEnd = specs.filter(isEndToEnd);
  return {
    texts,
    importers,
    specs,
    endToEnd,
    names: new WordIndex(endToEnd, nameWords),
    words: new WordIndex(endToEnd, (spec) => textWords(texts.get(spec))),
  };
}

/** Nearest first: itself, by imports, by what it is about. */
function rankTests(file, repository) {
  if (repository.specs.includes(file)) return [{ spec: file, reason: 'changed' }];
  const steps = stepsTo(file, repository);
  const unit = repository.specs
    .filter((spec) => !isEndToEnd(spec) && steps.has(spec))
    .map((spec) => ({ spec, steps: steps.get(spec), reason: reasonOf(file, steps.get(spec)) }))
    .sort((a, b) => a.steps - b.steps);
  const about = repository.names.similarTo(nameWords(file));
  const text = repository.words.similarTo(textWords(repository.texts.get(file) ?? ''));
  const endToEnd = repository.endToEnd
    .filter((spec) => steps.has(spec) || (isBrowser(spec) ? PAGES : PROGRAM).test(file))
    .map((spec) => {
      const similarity = (about.get(spec) ?? 0) + 2 * (text.get(spec) ?? 0);
      if (steps.get(spec) <= 1)
        return { spec, score: 10 + similarity, reason: reasonOf(file, steps.get(spec)) };
      if (file.startsWith('migrations/') && SCHEMA.test(spec))
        return { spec, score: 5 + similarity, reason: 'reads the schema' };
      const bonus = steps.has(spec) ? 0.2 / steps.get(spec) : 0;
      return { spec, score: similarity + bonus, reason: `is about the same as ${file}` };
    })
    .filter(({ score }) => score > 0.1)
    .sort((a, b) => b.score - a.score);
  return [...unit, ...endToEnd];
}

function reasonOf(file, steps) {
  return steps === 1 ? `uses ${file}` : `uses ${file}, ${steps} imports away`;
}

/** How many imports away each file is that depends on this one, without those that depend on everything. */
function stepsTo(start, { importers, texts, endToEnd }) {
  const steps = new Map([[start, 0]]);
  const isCommon = (file) =>
    WHOLE_PROGRAM.test(file) ||
    (file.startsWith('test/') &&
      (importers.get(file) ?? []).filter(isEndToEnd).length > endToEnd.length * COMMON);
  // A file that is read and not imported is one that others name.
  const named =
    /\.(m?ts|tsx)$/.test(start) && !start.startsWith('migrations/') ? [] : filesThatName(start, texts);
  for (const file of named) steps.set(file, 1);
  const queue = [start, ...named];
  for (const file of queue) {
    if (file !== start && isCommon(file)) continue;
    for (const importer of importers.get(file) ?? []) {
      if (steps.has(importer)) continue;
      steps.set(importer, steps.get(file) + 1);
      queue.push(importer);
    }
  }
  return steps;
}

/** Code that names a file by its path, its last two parts, or its folder. */
function filesThatName(file, texts) {
  const parts = file.split('/');
  const names = [file, `/${parts.at(-1)}'`, `'${parts.at(-1)}'`];
  if (parts.length > 2) names.push(`${parts.slice(0, -1).join('/')}'`, `${parts.slice(0, -1).join('/')}/'`);
  return [...texts.keys()].filter(
    (other) =>
      other !== file &&
      /\.(ts|tsx|mjs)$/.test(other) &&
      names.some((name) => texts.get(other).includes(name)),
  );
}

/** `src/webhooks/retry-schedule.pure.ts` -> webhook, retry, schedule. */
function nameWords(file) {
  const words = file.toLowerCase().split(/[^a-z0-9]+/);
  const general = new Set([
    'src',
    'test',
    'web',
    'docs',
    'ts',
    'tsx',
    'mjs',
    'md',
    'css',
    'pure',
    'e2e',
    'spec',
    '',
  ]);
  const singular = (word) => word.replace(/ies$/, 'y').replace(/(?<=..)s$/, '');
  return new Set(words.filter((word) => !general.has(word)).map(singular));
}

/** Names, codes, routes and events, whole. */
const textWords = (text) => new Set(text.match(/[A-Za-z][\w.-]{2,}\w/g));

/** Finds the files that share the rarest words: the cosine of their vectors, in which a word weighs as it is rare. */
class WordIndex {
  #files;
  #weights = new Map();

  constructor(files, wordsOf) {
    this.#files = files.map((file) => ({ file, words: wordsOf(file) }));
    const counts = new Map();
    for (const { words } of this.#files)
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) this.#weights.set(word, Math.log((files.length + 1) / count));
  }

  #length(words) {
    return Math.hypot(...[...words].map((word) => this.#weights.get(word) ?? 0));
  }

  similarTo(words) {
    const length = this.#length(words);
    const similar = new Map();
    for (const { file, words: others } of this.#files) {
      let product = 0;
      for (const word of words) if (others.has(word)) product += this.#weights.get(word) ** 2;
      if (product > 0) similar.set(file, product / length / this.#length(others));
    }
    return similar;
  }
}
