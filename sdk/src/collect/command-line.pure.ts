/** The message never repeats a word of the command line: somebody may have put a phrase there. */
export class UsageError extends Error {}

/**
 * Options with a value (`text`) and without (`flags`); nothing else is taken.
 * @throws UsageError
 */
export function readOptions<Text extends string, Flag extends string>(
  words: readonly string[],
  text: readonly Text[],
  flags: readonly Flag[],
): { given: Partial<Record<Text, string>>; flags: Set<Flag> } {
  const given: Partial<Record<Text, string>> = {};
  const set = new Set<Flag>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const option = text.find((name) => word === `--${name}`);
    const flag = flags.find((name) => word === `--${name}`);
    if (flag !== undefined) set.add(flag);
    else if (option === undefined)
      throw new UsageError(
        'There is a word that is no option. A key or its words never belong on the command line.',
      );
    else if (given[option] !== undefined) throw new UsageError(`--${option} is there twice.`);
    else {
      const value = words[++at];
      if (value === undefined || value.startsWith('--')) throw new UsageError(`--${option} needs a value.`);
      given[option] = value;
    }
  }
  return { given, flags: set };
}
