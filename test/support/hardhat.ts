import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { callRpc } from '../../src/demo/json-rpc.js';
import { type Hex, TestChain } from './anvil.js';
import { freePort } from './free-port.js';

const CHAIN_ID = 31_337;
const START_TIMEOUT_MS = 120_000;

/**
 * Hardhat's node with manual mining, as a second implementation beside anvil; without traces and block receipts.
 * @param folder a project in which the packages of test/hardhat are installed: Hardhat runs in no other
 */
export async function startHardhat(folder: string): Promise<TestChain> {
  const network = { chainId: CHAIN_ID, mining: { auto: false, interval: 0 }, loggingEnabled: false };
  const config = { solidity: '0.8.28', networks: { hardhat: network } };
  await writeFile(path.join(folder, 'hardhat.config.js'), `module.exports = ${JSON.stringify(config)};`);
  const port = await freePort();
  const cli = path.join(folder, 'node_modules/hardhat/internal/cli/cli.js');
  const child = spawn(process.execPath, [cli, 'node', '--hostname', '127.0.0.1', '--port', String(port)], {
    cwd: folder,
    // Neither telemetry nor a look for updates, and its files below our folder.
    env: { PATH: process.env['PATH'], HOME: folder, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', CI: 'true' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await untilStarted(child);
  const url = `http://127.0.0.1:${port}`;
  const accounts = (await callRpc(url, 'eth_accounts', [])) as Hex[];
  const end = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return new TestChain(url, CHAIN_ID, accounts, child.pid ?? 0, end, 'hardhat');
}

function untilStarted(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error('hardhat is not ready'));
    }, START_TIMEOUT_MS);
    child.once('error', reject);
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!chunk.toString().includes('Started HTTP')) return;
      clearTimeout(timer);
      resolve();
    });
  });
}
