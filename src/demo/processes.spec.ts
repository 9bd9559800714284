import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findProcess, parseStat, stopProcess, waitUntilGone } from './processes.js';

/** Fields 3 to 22 of proc(5): the state first, the start time last. */
const stat = (name: string, state: string, start = '4711') =>
  `42 (${name}) ${state} ${'0 '.repeat(18)}${start} 0 0\n`;

describe('parseStat', () => {
  it.each([
    ['a sleeping process', stat('postgres', 'S'), { name: 'postgres', startTicks: '4711' }],
    ['a running process', stat('anvil', 'R', '9'), { name: 'anvil', startTicks: '9' }],
    ['a stopped process', stat('anvil', 'T'), { name: 'anvil', startTicks: '4711' }],
    ['a name with spaces', stat('tokio rt', 'S'), { name: 'tokio rt', startTicks: '4711' }],
    ['a name with parentheses', stat('a) Z (b', 'S'), { name: 'a) Z (b', startTicks: '4711' }],
    ['a zombie', stat('postgres', 'Z'), null],
    ['a dead process', stat('postgres', 'X'), null],
    ['a line that breaks off', '42 (postgres) S 1 2', null],
    ['nothing', '', null],
  ])('%s', (_title, line, expected) => {
    expect(parseStat(line)).toEqual(expected);
  });
});

describe('findProcess', () => {
  it('finds this process, with the same identity each time', async () => {
    const found = await findProcess(process.pid);
    expect(found).not.toBeNull();
    expect(await findProcess(process.pid)).toEqual(found);
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 60])(
    'returns null for process id %p, which kill() would treat as a group',
    async (pid) => {
      expect(await findProcess(pid)).toBeNull();
    },
  );
});

describe('stopProcess', () => {
  it('sends the next signal when one is ignored', async () => {
    const child = spawn('sh', ['-c', 'trap "" TERM; echo ready; while :; do sleep 0.05; done'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    const pid = child.pid ?? 0;
    await stopProcess(pid, ['SIGTERM', 'SIGKILL'], 200);
    expect(await waitUntilGone(pid, 1_000)).toBe(true);
    expect(child.signalCode).toBe('SIGKILL');
    await expect(stopProcess(pid, ['SIGTERM'], 10)).resolves.toBeUndefined();
  });

  it('throws when a process survives every signal', async () => {
    const child = spawn('sh', ['-c', 'trap "" TERM; echo ready; while :; do sleep 0.05; done'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    await expect(stopProcess(child.pid ?? 0, ['SIGTERM'], 100)).rejects.toThrow(
      `process ${child.pid} does not stop`,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
});
