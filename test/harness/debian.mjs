// A bare Debian in a folder, booted with its own systemd, without an engine of containers: what an operator's new server is.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from './checks.mjs';

/** Why this machine cannot boot one; null: it can. */
export function whyNoDebian() {
  if (process.getuid() !== 0) return 'it takes root';
  for (const program of ['debootstrap', 'systemd-nspawn', 'nsenter'])
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0) return `${program} is not installed`;
  return null;
}

/** With the programs that Debian's installer has put on every server, and nothing else. */
export async function makeDebian(root) {
  const include = 'ca-certificates,dbus,systemd,systemd-sysv';
  const made = spawnSync('debootstrap', ['--variant=minbase', `--include=${include}`, 'bookworm', root], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (made.status !== 0) throw new Error(made.stdout + made.stderr);
  // What reaches the mirror from here: proxies and authorities of this machine.
  for (const file of ['/etc/resolv.conf', '/etc/ssl/certs/ca-certificates.crt'])
    if (existsSync(file)) await cp(file, path.join(root, file), { dereference: true });
  const proxies = await readdir('/etc/apt/apt.conf.d');
  for (const name of proxies)
    await cp(path.join('/etc/apt/apt.conf.d', name), path.join(root, 'etc/apt/apt.conf.d', name));
  await mkdir(path.join(root, 'root'), { recursive: true });
}

export class Debian {
  #leader = null;
  #child = null;
  output = '';

  constructor(root) {
    this.root = root;
  }

  /** Boots it in the network of this machine. */
  async boot() {
    this.#child = spawn(
      'systemd-nspawn',
      ['-D', this.root, '--register=no', '--keep-unit', '--boot', '--console=pipe'],
      { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on('data', (chunk) => (this.output += chunk));
    await until('the boot', async () => {
      if (this.#child.exitCode !== null) throw new Error(`it does not boot here: ${this.output}`);
      this.#leader ??= await this.#findLeader();
      return (
        this.#leader !== null && this.run('systemctl is-system-running').output.match(/running|degraded/)
      );
    });
  }

  async #findLeader() {
    for (const name of await readdir('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const status = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      const parent = status.slice(status.lastIndexOf(')') + 2).split(' ')[1];
      if (parent !== String(this.#child.pid)) continue;
      const program = await readlink(`/proc/${name}/exe`).catch(() => '');
      if (program.endsWith('/systemd')) return name;
    }
    return null;
  }

  #enter = (command) => [
    '-t',
    this.#leader,
    '-m',
    '-u',
    '-i',
    '-p',
    '-n',
    '-C',
    '-r',
    '-w',
    '--',
    'sh',
    '-c',
    command,
  ];
  #environment = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    LANG: 'C.UTF-8',
  };

  /** As root in a terminal of it, without a terminal. */
  run(command) {
    const { status, stdout, stderr } = spawnSync('nsenter', this.#enter(command), {
      env: this.#environment,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { code: status, output: stdout + stderr };
  }

  /** @returns what it printed. @throws Error unless it succeeds */
  must(command) {
    const { code, output } = this.run(command);
    if (code !== 0) throw new Error(`${command}: exit code ${code}\n${output}`);
    return output.trim();
  }

  /** Runs beside this program. */
  async begin(command) {
    const child = spawn('nsenter', this.#enter(command), {
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const code = await new Promise((resolve) => child.once('close', resolve));
    return { code, output };
  }

  /** The first process of a space takes all others with it, and so does the folder's last one. */
  end() {
    if (this.#child === null || this.#child.exitCode !== null) return;
    for (const pid of [Number(this.#leader), -this.#child.pid].filter((one) => one !== 0))
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        if (error.code !== 'ESRCH') throw error;
      }
  }

  async stop() {
    if (this.#leader !== null) this.run('systemctl poweroff');
    for (let i = 0; i < 600 && this.#child !== null && this.#child.exitCode === null; i++) await delay(100);
    this.end();
    this.#leader = null;
  }
}
