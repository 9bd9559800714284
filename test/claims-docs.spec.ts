import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CHAIN_CATALOG } from '../src/chains/chain-catalog.pure.js';
import { COMMANDS } from '../src/cli/usage.js';
import { LOCALES } from '../src/platform/kernel/i18n/locale.pure.js';
import { LANGUAGES } from '../web/dashboard/webhooks/snippets.pure.js';

/** What documents claim of the repository, as far as a program can compare it; for citations: scripts/citations.mjs. */
const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .trim()
  .split('\n');
/** A record of docs/decisions tells what was so when it was made. */
const PAGES = FILES.filter((file) =>
  /^(README|SECURITY|CONTRIBUTING|(docs\/(?!decisions\/)|sdk\/|migrations\/|test\/).*)\.md$/.test(file),
);
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe('decision records', () => {
  const index = read('docs/decisions/README.md');
  const rows = [...index.matchAll(/^\| \[(\d{4})\]\(([^)]+)\) +\| (.+?) +\|$/gm)];
  const records = readdirSync(path.join(root, 'docs/decisions')).filter((name) => /^\d/.test(name));

  it('have numbers of their own, and a row each in the index, in their order', () => {
    expect(rows.map(([, number, file]) => [number, file])).toEqual(
      records.sort().map((file) => [file.slice(0, 4), file]),
    );
    expect(new Set(rows.map(([, number]) => number)).size).toBe(records.length);
  });

  it.each(rows.map(([, number = '', file = '', title = '']) => [file, `# ${number}: ${title}`]))(
    '%s has the heading that its name and the index say',
    (file, heading) => {
      expect(read(`docs/decisions/${file}`).split('\n')[0]).toBe(heading);
    },
  );
});

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen'.split(
  ' ',
);
const numberOf = (text: string): number =>
  WORDS.includes(text.toLowerCase()) ? WORDS.indexOf(text.toLowerCase()) : Number(text.replace(',', ''));

const lengthOf = (text: string, lines: RegExp): number => [...text.matchAll(lines)].length;
const lastRetry = Number(/WEBHOOK_RETRY_SCHEDULE=.*?(\d+)$/m.exec(read('.env.example'))?.[1]);

/** How a page says a number, what it is the number of, and that number. */
const COUNTS: [file: string, pattern: RegExp, what: string, count: number][] = [
  [
    'README.md',
    /fill in the (\w+) empty lines/,
    'empty lines',
    lengthOf(read('.env.example'), /^[A-Z_]+=$/gm),
  ],
  ['README.md', /in (\w+) languages/, 'languages of pages', LOCALES.length],
  ['README.md', /^\| Languages of the checkout +\| (\w+) /m, 'languages of pages', LOCALES.length],
  ['README.md', /\| (\w+) networks/, 'networks', CHAIN_CATALOG.length],
  ['README.md', /(\w+) hours of retries/, 'hours of retries', Math.round(lastRetry / 3_600)],
  ['docs/explanation/checkout.md', /(\d+) languages at/, 'languages of pages', LOCALES.length],
  ['docs/explanation/checkout.md', /\| (\d+), against/, 'languages of pages', LOCALES.length],
  ['docs/how-to/dashboard.md', /signature in (\w+) languages/, 'languages of samples', LANGUAGES.length],
  ['docs/README.md', /signatures in (\w+) languages/, 'languages of samples', verifiers()],
  ['docs/explanation/reliability.md', /Each change is tested with (\w+)/, 'kills', killsOf('change')],
  ['docs/explanation/reliability.md', /a night has ([\d,]+)/, 'kills', killsOf('nightly')],
  ['CONTRIBUTING.md', /The (\w+) situations/, 'situations of a chain', situations()],
];

/** Languages of the samples of docs/how-to/webhooks.md. */
function verifiers(): number {
  const [, part = ''] =
    /## Verify the signature\n([\s\S]*?)\n## /.exec(read('docs/how-to/webhooks.md')) ?? [];
  const languages = [...part.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
  return new Set(languages.filter((one) => one !== 'text')).size;
}

/** As .ci/run sets them: first for each change, then for the night. */
function killsOf(gate: 'change' | 'nightly'): number {
  const [change, nightly] = [...read('.ci/run').matchAll(/CHAOS_KILLS=(\d+)/g)].map(([, kills]) =>
    Number(kills),
  );
  return (gate === 'change' ? change : nightly) ?? Number.NaN;
}

function situations(): number {
  const [, list = ''] = /ITEMS = \[\n([\s\S]*?)\]/.exec(read('test/chain-engine.contract.ts')) ?? [];
  return lengthOf(list, /^ +'/gm);
}

it.each(COUNTS)('%s, %s: the number of %s', (file, pattern, _what, count) => {
  expect(numberOf(pattern.exec(read(file))?.[1] ?? 'not said')).toBe(count);
});

/** `[name, where]` of what pages name, once each. */
function named(pattern: RegExp): [string, string][] {
  const found = PAGES.flatMap((page) =>
    [...read(page).matchAll(pattern)].map(([, name = '']): [string, string] => [name, page]),
  );
  return [...new Map(found)];
}

describe('what pages tell the reader to type exists', () => {
  it.each(named(/npm run (?:--silent |-s )?([a-z][\w:]*)/g))('npm run %s (%s)', (name) => {
    expect(Object.keys(scripts)).toContain(name);
  });

  it.each(named(/\b(?:cli\.js|npm run cli --) ([a-z][\w:-]+)/g))('the command %s (%s)', (name) => {
    expect(Object.keys(COMMANDS)).toContain(name);
  });

  const code = FILES.filter((file) => !/\.(md|png|ico)$|^docs\/|package-lock\.json$/.test(file))
    .map(read)
    .join('\n');
  /** Read by libraries, not by our code, and by shells. */
  const FOREIGN = /^(OTEL_|HTTPS_PROXY$)/;
  const settings = named(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g).filter(
    ([name]) => !FOREIGN.test(name),
  );
  it.each(settings)('the name %s (%s)', (name) => {
    // A chain's keys are its name between CHAIN_ and the key.
    const key = name.replace(/^CHAIN_[A-Z]+_/, '');
    expect(code.includes(name) || (key !== name && code.includes(`  ${key}:`))).toBe(true);
  });
});

describe('pictures', () => {
  it('are all shown by a page', () => {
    const shown = PAGES.flatMap((page) =>
      [...read(page).matchAll(/\]\([^)]*screenshots\/([\w-]+\.png)\)/g)].map(([, name = '']) => name),
    );
    expect([...new Set(shown)].sort()).toEqual(readdirSync(path.join(root, 'docs/screenshots')).sort());
  });
});

/** What is said to be missing, and what the repository would have if it were not. */
const MISSING: [claim: RegExp, isThere: () => boolean][] = [
  [
    /No release .*yet|There has been n(?:one|o release) yet/,
    () => /^## \[?\d(?!.*\(unreleased\))/m.test(read('CHANGELOG.md')),
  ],
  [/No shop plugins yet/, () => FILES.some((file) => /(^|\/)plugins?\//.test(file))],
];

it('nothing is said to be missing that is there, or that nobody looks for', () => {
  const pages = PAGES.filter((page) =>
    /^(README|SECURITY|docs\/README|docs\/how-to\/(release|upgrade))/.test(page),
  );
  const claims = pages.flatMap((page) =>
    [...read(page).matchAll(/[^.|*]*\b(?:no|not|none)\b[^.|*]*\byet\b/gi)].map(([claim]) => claim.trim()),
  );
  expect(claims.length).toBeGreaterThan(2);
  expect(
    claims.filter((claim) => MISSING.every(([known, isThere]) => !known.test(claim) || isThere())),
  ).toEqual([]);
});

it('the guide to the dashboard has a row for each entry of its menu', () => {
  const texts = JSON.parse(read('web/messages/dashboard/en.json')) as Record<string, string>;
  const entries = [...read('web/dashboard/shell/shell.tsx').matchAll(/\['\/\w*', '(nav\.\w+)'\]/g)];
  const rows = [...read('docs/how-to/dashboard.md').matchAll(/^\| ([A-Z][\w ]+?) +\|/gm)].map(
    ([, row]) => row,
  );
  expect(entries.length).toBeGreaterThan(10);
  expect(entries.map(([, key = '']) => texts[key]).filter((label) => !rows.includes(label))).toEqual([]);
});

it('the upgrade notes name what each migration of development versions locks', () => {
  const [, table = ''] = /### 0\.1\.0\n([\s\S]*?)\n## /.exec(read('docs/how-to/upgrade.md')) ?? [];
  const listed = [...table.matchAll(/^\|([\d, ]+)/gm)].flatMap(
    ([, numbers = '']) => numbers.match(/\d{4}/g) ?? [],
  );
  const files = readdirSync(path.join(root, 'migrations')).filter((name) => /^\d{4}-.+\.ts$/.test(name));
  // The first is the baseline.
  const numbers = files.map((name) => name.slice(0, 4)).filter((number) => number !== '0001');
  expect(listed.sort()).toEqual(numbers.sort());
});

it('a harness that is said to run with every change is in the gate of each change', () => {
  const [, gate = ''] = /if \[ "\$gate" = change \]; then\n([\s\S]*?)\nfi/.exec(read('.ci/run')) ?? [];
  const claims = PAGES.flatMap((page) =>
    read(page)
      .split('\n')
      .filter((line) => /(every|each) run of CI|with every change/i.test(line))
      .flatMap((line) => line.match(/test\/[\w/-]+\.mjs/g) ?? []),
  );
  expect(claims.filter((harness) => !gate.includes(harness))).toEqual([]);
});
