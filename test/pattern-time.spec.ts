import { checkSync, type Diagnostics } from 'recheck';
import { type SourcePattern, sourcePatterns } from './support/source-patterns.js';

// Without it, the library starts a program of its own for each platform.
process.env['RECHECK_SYNC_BACKEND'] = 'pure';

/**
 * What is fixed for the fuzzer, so that every run reports the same. A text of 20,000 characters takes a linear pattern
 * some hundred thousand steps, and a quadratic one 200 million.
 */
const FUZZER = {
  checker: 'fuzz',
  randomSeed: 38,
  maxAttackStringSize: 20_000,
  attackLimit: 20_000_000,
  timeout: 120_000,
} as const;
/** Milliseconds; a pattern whose automaton takes longer is given to the fuzzer, as are those with lookarounds. */
const AUTOMATON_TIMEOUT = 2_000;

/**
 * Whether the steps of a backtracking engine grow faster than the text. The automaton decides it exactly; the fuzzer
 * counts steps of texts that it makes longer and longer.
 */
function check({ source, flags }: SourcePattern): Diagnostics {
  const exact = checkSync(source, flags, { checker: 'automaton', timeout: AUTOMATON_TIMEOUT });
  return exact.status === 'unknown' ? checkSync(source, flags, FUZZER) : exact;
}

/** The texts of attacks, for the message. */
const isLinear = (pattern: SourcePattern) => {
  const result = check(pattern);
  if (result.status === 'safe') return [];
  const why =
    result.status === 'vulnerable'
      ? `${result.complexity.summary}, e.g. for ${result.attack.pattern}`
      : `unknown time (${result.error.kind})`;
  return [`${pattern.places.join(', ')}: ${pattern.source} takes ${why}`];
};

const PATTERNS = sourcePatterns('src', 'sdk/src', 'migrations', 'web');

describe('the patterns of the program', () => {
  it('are found: literals, and those of constants', () => {
    expect(PATTERNS.length).toBeGreaterThan(300);
    expect(PATTERNS.map(({ source }) => source)).toEqual(
      expect.arrayContaining([
        String.raw`^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$`,
      ]),
    );
  });

  it.each([
    String.raw`\s*([\w\s.,#*>-]+)\{([^{}]*)\}\s*`,
    '/+$',
    String.raw`^(https?):\/\/([^\s\\/?#]+)[^\s\\]*$`,
    String.raw`\B(?=(\d{3})+$)`,
    '(a|a)*b',
  ])('%s would be refused', (source) => {
    expect(check({ source, flags: '', places: [] }).status).toBe('vulnerable');
  });

  it('take no time that grows faster than the text', () => {
    expect(PATTERNS.flatMap(isLinear)).toEqual([]);
  }, 600_000);
});
