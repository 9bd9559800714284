import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Milliseconds, against hanging alone. */
const LIMIT_MS = 600_000;

/** Runs a small benchmark with another checkout beside it. */
function bench(beside: string): Promise<{ code: number; log: string }> {
  return new Promise((resolve) => {
    const words = ['bench/run.mjs', 'match-scale', '--tiny', '--beside', beside];
    execFile(process.execPath, words, { timeout: LIMIT_MS }, (error, _stdout, log) =>
      resolve({ code: error ? Number(error.code) : 0, log }),
    );
  });
}

it(
  'a benchmark and the same one of another checkout measure in turns, and are compared',
  async () => {
    const { code, log } = await bench('.');
    expect({ code, log }).toEqual({ code: 0, log: expect.stringContaining('rate: here / beside') });
    expect(log).toMatch(
      /^\| gateway, 10000 addresses \| \d+\.\d\d \| \d+\.\d\d \| \d+\.\d\d, \d+\.\d\d \|$/m,
    );
    // The other side may not begin before this one has measured.
    const [here, beside] = ['', 'beside: '].map((side) => log.indexOf(`   ${side}round 1: gateway, 20000`));
    expect(here).toBeGreaterThan(-1);
    expect(beside).toBeGreaterThan(here ?? Infinity);
  },
  LIMIT_MS,
);

it(
  'a checkout whose benchmarks take no turns is refused',
  async () => {
    const empty = await mkdtemp(path.join(tmpdir(), 'gateway-test-beside-'));
    try {
      const { code, log } = await bench(empty);
      expect({ code, log }).toEqual({
        code: 1,
        log: expect.stringContaining('its benchmarks take no turns'),
      });
    } finally {
      await rm(empty, { recursive: true });
    }
  },
  LIMIT_MS,
);
