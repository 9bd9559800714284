import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { startDevelopment } from '../src/demo/development.js';

/** A process that holds the data directory of its argument, as a gateway does. */
const HOLDER = `
  const { lockDataDir } = await import('./src/demo/data-dir-lock.ts');
  await lockDataDir(process.argv[1]);
  process.stdout.write('locked');
  setInterval(() => undefined, 60_000);`;
const FACTS = '{"pid":1,"checkoutUrl":"http://localhost:3000/checkout/x"}';

describe('a start of the development profile that is refused', () => {
  const holders: ChildProcess[] = [];
  let dataDir: string;
  let factsFile: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'gateway-second-start-'));
    factsFile = path.join(dataDir, 'demo.json');
    await writeFile(factsFile, FACTS);
  });
  afterEach(async () => {
    for (const holder of holders.splice(0)) {
      holder.kill('SIGKILL');
      await once(holder, 'exit');
    }
    await rm(dataDir, { recursive: true });
  });

  async function hold(): Promise<void> {
    const loader = path.resolve('scripts/register-typescript.mjs');
    const child = spawn(
      process.execPath,
      ['--import', loader, '--input-type=module', '-e', HOLDER, dataDir],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    holders.push(child);
    await once(child.stdout, 'data');
  }

  it("because another gateway runs there keeps that gateway's demo.json", async () => {
    await hold();
    await expect(startDevelopment({ DATA_DIR: dataDir })).rejects.toThrow(/is in use by another gateway/);
    expect(await readFile(factsFile, 'utf8')).toBe(FACTS);
  });

  it('because its port is taken removes the outdated demo.json of an earlier start', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const environment = { DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1' };
      await expect(startDevelopment(environment)).rejects.toThrow(/is taken by another program/);
    } finally {
      server.close();
    }
    expect(await readdir(dataDir)).not.toContain('demo.json');
  });
});
