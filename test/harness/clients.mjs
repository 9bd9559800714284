// The clients that people generate from the document of a running gateway: by the commands of
// docs/how-to/generate-a-client.md, loaded or compiled whole, and used by its programs, all as printed.
//   node test/harness/clients.mjs            needs network for the generators, which it installs in a temporary folder
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { check, expect } from './checks.mjs';
import { fetchOauthToken, isHere, run, withProfile } from './development.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const PAGE = 'docs/how-to/generate-a-client.md';
/** What the programs of the page ask for: more than 64 bits hold. */
const AMOUNT = '10000000000000000001';

const page = await readFile(path.join(root, PAGE), 'utf8');

/** What a language's section of the page says: commands, the program with the name of its file, and how to run it. */
function sectionOf(heading) {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [, commands, file, program, start] =
    /^```sh\n(.*?)^```\n.*?Save as `([\w.]+)`.*?^```\w+\n(.*?)^```\n+```sh\n(.*?)^```/ms.exec(section) ?? [];
  expect(start, `${PAGE} has no ${heading}`);
  return { commands, file, program, start };
}

/** One shell for each part, as for somebody who types it; a command that fails ends it. */
async function shell(folder, script, env) {
  const { code, output } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env });
  expect(code === 0, output);
  return output.trim();
}

/** @param parts what a language is called, how a whole client is loaded, and how many amounts its program prints */
async function tryLanguage(parts, work, env) {
  const { heading, needs, load, prints } = parts;
  if (!(await isHere(needs, work, `the client for ${heading}`))) return;
  const folder = path.join(work, heading);
  await mkdir(folder);
  const { commands, file, program, start } = sectionOf(heading);
  const isMade = await check(`${heading}: the client is generated`, async () => {
    await shell(folder, commands, env);
    await writeFile(path.join(folder, file), program);
    return true;
  });
  if (!isMade) return;
  const isWhole = await check(`${heading}: the whole client is good`, async () => {
    await shell(folder, load, env);
    return true;
  });
  if (!isWhole) return;
  await check(`${heading}: it creates, reads and lists 10 ETH, exactly`, async () => {
    const said = await shell(folder, start, env);
    expect(said === Array(prints).fill(AMOUNT).join(' '), said);
  });
}

const IMPORT_ALL = `import importlib, pkgutil, crypto_payment_gateway_client as client
for module in pkgutil.walk_packages(client.__path__, client.__name__ + "."): importlib.import_module(module.name)`;

const LANGUAGES = [
  {
    heading: 'Python',
    needs: ['python3', '-m', 'venv', '--help'],
    load: `venv/bin/python -m compileall -q crypto-payment-gateway-client && venv/bin/python -c '${IMPORT_ALL}'`,
    prints: 3,
  },
  {
    heading: 'Go',
    needs: ['go', 'version'],
    load: 'go vet ./...',
    prints: 3,
  },
  {
    heading: 'TypeScript',
    needs: ['npm', '--version'],
    load: 'npx tsc --strict --noEmit --target es2022 --module nodenext gateway.ts',
    prints: 2,
  },
];

await withProfile('clients', async ({ facts, work }) => {
  const env = {
    GATEWAY: facts.baseUrl,
    CLIENT_ID: facts.application.clientId,
    TOKEN: await fetchOauthToken(facts),
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
  // Side by side they wait for different things: downloads, the compiler of Go, and the types.
  await Promise.all(LANGUAGES.map((parts) => tryLanguage(parts, work, env)));
});
