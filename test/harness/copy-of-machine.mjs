// This machine once more, without an engine of containers: its files copy-on-write in memory, with processes and a network
// of their own. What is installed there is gone with it. Seconds instead of the minutes of a bare Debian (debian.mjs).
import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { until } from './checks.mjs';

const MEMORY = '/dev/shm';
const PROGRAMS = ['unshare', 'nsenter', 'dpkg', 'pg_createcluster', 'systemctl'];

/** Why there can be none here; null: there can. */
export function whyNoCopy() {
  if (process.getuid() !== 0) return 'it takes root';
  const missing = PROGRAMS.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  return missing.length > 0 ? `${missing.join(', ')} not installed` : null;
}

export class CopyOfMachine {
  #child;
  #leader;

  static async start() {
    const copy = new CopyOfMachine();
    copy.folder = await mkdtemp(path.join(MEMORY, 'gateway-copy-'));
    for (const name of ['upper', 'work', 'root']) await mkdir(path.join(copy.folder, name));
    const script = [
      'cd "$0"',
      'mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root',
      'mount -t proc proc root/proc',
      'mount --rbind /dev root/dev',
      // No `ip` on a small machine: the loopback interface is up as soon as it has its flag (ioctl SIOCSIFFLAGS).
      'perl -e \'socket(S,2,2,0); $i=pack("a16s","lo",0x49); ioctl(S,0x8914,$i) or die\'',
      'touch ready',
      'exec sleep infinity',
    ].join(' && ');
    copy.#child = spawn('unshare', ['-mnpf', '--kill-child', 'sh', '-c', script, copy.folder], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await until('the copy of the machine', async () => {
      if (copy.#child.exitCode !== null) throw new Error('no copy of this machine can be made here');
      return readFile(path.join(copy.folder, 'ready')).then(
        () => true,
        () => false,
      );
    });
    const { pid } = copy.#child;
    copy.#leader = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim();
    return copy;
  }

  get root() {
    return path.join(this.folder, 'root');
  }

  /** As root in a terminal of it. @returns exit code and output */
  run(command, input = '') {
    const enter = ['-t', this.#leader, '-m', '-n', '-p', '--', 'chroot', this.root, 'bash', '-c', command];
    const { status, stdout, stderr } = spawnSync('nsenter', enter, {
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/root',
        LANG: 'C.UTF-8',
      },
      encoding: 'utf8',
      input,
      maxBuffer: 2 ** 26,
      timeout: 300_000,
    });
    return { code: status, output: stdout + stderr };
  }

  /** @returns what it printed. @throws Error unless it succeeds */
  must(command, input) {
    const { code, output } = this.run(command, input);
    if (code !== 0) throw new Error(`${command}: exit code ${code}\n${output}`);
    return output.trim();
  }

  /** Its first process takes all others along. */
  end() {
    this.#child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  async stop() {
    this.#child.kill('SIGKILL');
    await until('its end', () => this.#child.exitCode !== null || this.#child.signalCode !== null);
    await rm(this.folder, { recursive: true, force: true });
  }
}
