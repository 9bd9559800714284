import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A merchant's OAuth client, made with the command line. */
export interface MerchantClient {
  clientId: string;
  secret: string;
}

/** Runs the built command line and returns its output. @throws Error unless it exits with 0 */
export async function runCli(root: string, env: Record<string, string>, args: string[]): Promise<string> {
  const program = path.join(root, 'dist/src/cli.js');
  const inherited = { PATH: process.env['PATH'] ?? '' };
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${args[0]} exited with ${code}:\n${output}`);
  return output;
}

/** Creates a merchant and their OAuth client with the command line, which also creates the schema. */
export async function provisionMerchant(
  root: string,
  env: Record<string, string>,
  email = 'merchant@example.test',
): Promise<MerchantClient> {
  await runCli(root, env, ['create-user', '--email', email]);
  const output = await runCli(root, env, ['create-oauth-client', '--name', 'Shop', '--user', email]);
  const [, clientId, secret] = /client id: +(\S+)[\s\S]*client secret: +(\S+)/.exec(output) ?? [];
  if (clientId === undefined || secret === undefined) throw new Error(`no client in:\n${output}`);
  return { clientId, secret };
}
