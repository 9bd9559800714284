/** Reports each step of the start when it is done; `work` begins at once. */
export type StartProgress = <T>(step: string, work: Promise<T>) => Promise<T>;

/** Says nothing. */
export const silentProgress: StartProgress = (_step, work) => work;

/**
 * One line for each step, with its seconds: `  ✓ Postgres   1.9 s`. A step that failed prints nothing, because its error
 * follows; nor does one that returns null, which was left out.
 */
export function printProgress(print: (text: string) => void): StartProgress {
  return async (step, work) => {
    const begun = performance.now();
    const result = await work;
    if (result !== null)
      print(`  \u2713 ${step.padEnd(34)}${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s\n`);
    return result;
  };
}
