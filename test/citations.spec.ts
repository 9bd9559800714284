import { anchorsOf, checkCitations, slugOf } from '../scripts/citations.mjs';

const HOME = 'https://git.example.com/gateway';
const REPOSITORY: Record<string, string> = {
  'README.md': '# Gateway\n',
  'docs/guide.md':
    '# Guide\n\n## Retries\n\n## Retries\n\n<a id="work"></a>\n\n```sh\n# not a heading\n```\n',
  'docs/specification/money.md': '# Money\n\n## Exact integers\n\n### `value`, and why it lies\n',
  'docs/decisions/0501-cors.md': '# 0501: CORS\n',
  'docs/shot.png': '',
  'src/money/money.pure.ts': '',
  'test/utxo-story.e2e-spec.ts': '',
};

/** The dead citations of one more file, without the name of that file. */
function deadIn(text: string, file = 'src/money/rates.ts'): string[] {
  const { dead } = checkCitations(new Map([...Object.entries(REPOSITORY), [file, text]]), HOME);
  return dead.map((line) => line.slice(file.length + 1));
}

function countIn(text: string, file = 'src/money/rates.ts'): number {
  return checkCitations(new Map([...Object.entries(REPOSITORY), [file, text]]), HOME).count;
}

describe('a citation in source code', () => {
  it.each([
    ['a heading of the specification', '// rounded down (specification/money.md#exact-integers)'],
    ['a page of the specification', '/** See specification/money.md. */'],
    ['a path from the root', '// docs/guide.md#retries-1'],
    ['a heading in quotes', '// docs/guide.md, "Retries", says so'],
    ['a page in a string', "const hint = 'docs/guide.md#work';"],
    ['a source', '// see src/money/money.pure.ts'],
    ['a source under the name it is imported by', '// see src/money/money.pure.js'],
    ['the beginning of test names', '// npm test -- test/utxo'],
    ['a folder', '// everything below src/money/'],
    ['the name of a source', '// see money.pure.ts'],
    ['a pattern of sources', '// src/*/money.pure.ts'],
    ['a pattern of folders, too', '// src/**/*.pure.ts'],
    ['a decision record', '// decision 0501'],
  ])('passes when it names %s that exists', (_what, line) => {
    expect(deadIn(line)).toEqual([]);
    expect(countIn(line)).toBe(1);
  });

  it.each([
    [
      'a missing heading',
      '// (specification/money.md#floats)',
      '1: specification/money.md#floats: no such heading',
    ],
    ['a missing page', '// specification/gold.md#bars', '1: specification/gold.md#bars: no such file'],
    [
      'a missing heading in quotes',
      '// docs/guide.md, "Hooks"',
      '1: docs/guide.md, "Hooks": no such heading',
    ],
    ['a missing page in a string', "\nconst hint = 'docs/old.md';", '2: docs/old.md: no such file'],
    [
      'a heading in passing',
      '// docs/guide.md, Retries',
      '1: docs/guide.md, Retries: a heading is named by #anchor or in quotes',
    ],
    ['a missing source', '// see src/common/sql.ts', '1: src/common/sql.ts: no such file'],
    ['a missing folder', '// everything below src/common/', '1: src/common: no such file'],
    [
      'a pattern that no file matches',
      '// test/story-*.e2e-spec.ts',
      '1: test/story-*.e2e-spec.ts: no file matches',
    ],
    ['the name of a missing source', '// see one-by-one.ts', '1: one-by-one.ts: no file of this name'],
    ['a missing decision record', '// ADR 0999', '1: ADR 0999: no such decision record'],
    ['a retired page', '// exact (api.md B1)', '1: api.md: is not in the repository'],
    ['a retired contract', '// as of api contract K', '1: api contract K: is not in the repository'],
  ])('fails when it names %s', (_what, line, problem) => {
    expect(deadIn(line)).toEqual([problem]);
  });

  it.each([
    ['the page of another project', '// https://github.com/other/project/blob/main/docs/missing.md'],
    ['a path of another project', '// core/src/validation.cpp'],
    ['a placeholder', '// src/<module>/missing.ts'],
    ['what a build makes', '// sdk/dist'],
    ['a path in a string', "read('src/missing.ts');"],
    ['a page in a format', '// %s.md'],
    ['a retired name as part of another', '// openapi.md5, my-spec.mdx'],
  ])('does not count when it is %s', (_what, line) => {
    expect(countIn(line)).toBe(0);
  });
});

describe('a link in Markdown', () => {
  const dead = (text: string) => deadIn(text, 'docs/specification/index.md');

  it.each([
    '[integers](money.md#exact-integers)',
    '[integers](money.md#value-and-why-it-lies)',
    '[here](#a-title)\n\n# A title',
    '[guide](../guide.md)',
    '![shot](../shot.png)',
    '[decisions](../decisions/)',
    `[home](${HOME}/blob/main/docs/guide.md#retries)`,
    '[elsewhere](https://example.com/missing.md#nothing)',
    '`[in code](money.md)`',
  ])('passes: %s', (text) => {
    expect(dead(text)).toEqual([]);
  });

  it.each([
    ['[integers](money.md#floats)', '1: money.md#floats: no such heading'],
    ['[gold](gold.md)', '1: gold.md: no such file'],
    ['[here](#nowhere)', '1: #nowhere: no such heading'],
    ['[out](../../../etc/hosts)', '1: ../../../etc/hosts: leads out of the repository'],
    ['[root](/docs/guide.md)', '1: /docs/guide.md: starts at no root'],
    ['[shot](../shot.png#part)', '1: ../shot.png#part: an anchor in what has no headings'],
    ['[guide]: ../missing.md', '1: ../missing.md: no such file'],
    [`[home](${HOME}/blob/main/docs/missing.md)`, `1: ${HOME}/blob/main/docs/missing.md: no such file`],
  ])('fails: %s', (text, problem) => {
    expect(dead(text)).toContain(problem);
  });
});

describe('anchors', () => {
  it.each([
    ['Exact integers', 'exact-integers'],
    ['401 and 403', '401-and-403'],
    ['`value`, and why it lies', 'value-and-why-it-lies'],
    ['A [link](x.md) inside', 'a-link-inside'],
    ['Über Geld & Münzen', 'über-geld--münzen'],
  ])('of "%s" is %s, as GitHub names it', (heading, slug) => {
    expect(slugOf(heading)).toBe(slug);
  });

  it('number repeated headings, include HTML anchors and ignore code blocks', () => {
    expect([...anchorsOf(REPOSITORY['docs/guide.md'] ?? '')]).toEqual([
      'guide',
      'retries',
      'retries-1',
      'work',
    ]);
  });
});
