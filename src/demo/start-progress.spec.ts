import { printProgress } from './start-progress.js';

describe('printProgress', () => {
  it('prints a step with its seconds when it is done', async () => {
    const lines: string[] = [];
    const progress = printProgress((text) => lines.push(text));
    expect(await progress('Postgres', Promise.resolve(5))).toBe(5);
    expect(lines).toEqual([expect.stringMatching(/^ {2}\u2713 Postgres +\d+\.\d s\n$/)]);
  });

  it('prints nothing about a step that was left out', async () => {
    const lines: string[] = [];
    expect(await printProgress((text) => lines.push(text))('Litecoin', Promise.resolve(null))).toBeNull();
    expect(lines).toEqual([]);
  });

  it('prints nothing about a step that failed', async () => {
    const lines: string[] = [];
    const progress = printProgress((text) => lines.push(text));
    await expect(progress('Postgres', Promise.reject(new Error('no space')))).rejects.toThrow('no space');
    expect(lines).toEqual([]);
  });
});
