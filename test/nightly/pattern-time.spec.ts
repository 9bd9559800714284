import { type AttackPattern, checkSync } from 'recheck';
import { type SourcePattern, sourcePatterns } from '../support/source-patterns.js';

// Without it, the library starts a program of its own for each platform.
process.env['RECHECK_SYNC_BACKEND'] = 'pure';

/** Milliseconds for the automaton, which has no answer for the largest patterns and for those that look around. */
const TIMEOUT = 20_000;
/** So that every run tries the same texts. */
const FUZZER = { checker: 'fuzz', randomSeed: 38, timeout: 120_000 } as const;

/**
 * Texts for which a backtracking engine takes steps that grow faster than the text. The automaton decides it exactly.
 * Where it cannot, the fuzzer looks for texts, and counts many steps as growth; so these have to grow here as well.
 */
function findAttack(pattern: SourcePattern): string | null {
  const { source, flags } = pattern;
  const exact = checkSync(source, flags, { checker: 'automaton', timeout: TIMEOUT });
  if (exact.status === 'safe') return null;
  if (exact.status === 'vulnerable') return exact.attack.pattern;
  const tried = checkSync(source, flags, FUZZER);
  if (tried.status === 'safe') return null;
  if (tried.status === 'unknown') return `unknown: ${tried.error.kind}`;
  const isProved = tried.complexity.type === 'exponential' || isGrowing(pattern, tried.attack);
  return isProved ? tried.attack.pattern : null;
}

/** Whether four times the text takes more than six times the work of the processor, in microseconds. */
function isGrowing({ source, flags }: SourcePattern, { pumps, suffix }: AttackPattern): boolean {
  const pattern = new RegExp(source, flags.replace(/[gy]/g, ''));
  const work = (length: number) => {
    const times = Math.ceil(length / Math.max(1, pumps.map(({ pump }) => pump).join('').length));
    const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
    const before = process.cpuUsage();
    pattern.test(text);
    return process.cpuUsage(before).user;
  };
  const short = work(8_000);
  return work(32_000) > 6 * short + 20_000;
}

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
    '(a|a)*b',
  ])('%s would be refused', (source) => {
    expect(findAttack({ source, flags: '', places: [] })).not.toBeNull();
  });

  it('take no time that grows faster than the text', () => {
    const attacks = PATTERNS.flatMap((pattern) => {
      const attack = findAttack(pattern);
      return attack === null ? [] : [`${pattern.places.join(', ')}: ${pattern.source}, e.g. for ${attack}`];
    });
    expect(attacks).toEqual([]);
  }, 1_200_000);
});
