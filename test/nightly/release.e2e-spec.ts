import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const SCRIPT = path.join(root, 'scripts/release.mjs');
const NAMESPACE = 'crypto-payment-gateway-release';

let folder: string;
/** What is committed here, checked out elsewhere. */
let checkout: string;
let version: string;

const release = (...args: string[]) =>
  spawnSync(process.execPath, [SCRIPT, ...args], { cwd: checkout, encoding: 'utf8' });
const at = (...names: string[]) => path.join(folder, ...names);
const makeKey = (name: string) =>
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', at(name)]);

/** What docs/how-to/release.md tells users to run, in a folder with the files of a release. */
async function verify(files: string, signers = 'release-signers'): Promise<string> {
  const signature = `ssh-keygen -Y verify -f ${at(signers)} -I release -n ${NAMESPACE} -s SHA256SUMS.sig < SHA256SUMS`;
  const { stdout } = await run('sh', ['-ec', `${signature}\nsha256sum --check --strict SHA256SUMS`], {
    cwd: files,
  });
  return stdout;
}

/** A copy of the signed release, to be spoiled. */
function copyOf(name: string): string {
  mkdirSync(at(name));
  for (const file of readdirSync(at('first'))) copyFileSync(at('first', file), at(name, file));
  return at(name);
}

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'gateway-release-'));
  checkout = at('checkout');
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${root}`, checkout]);
  // A link is not what .gitignore calls a folder.
  appendFileSync(path.join(checkout, '.git/info/exclude'), '/node_modules\n');
  symlinkSync(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'));
  ({ version } = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8')) as {
    version: string;
  });
  makeKey('key');
  makeKey('stranger');
  const publicKey = (name: string) => readFileSync(at(`${name}.pub`), 'utf8');
  writeFileSync(at('release-signers'), `release namespaces="${NAMESPACE}" ${publicKey('key')}`);
  writeFileSync(at('other-purpose'), `release namespaces="git" ${publicKey('key')}`);
  const { status, stderr } = release('--key', at('key'), '--out', at('first'));
  if (status !== 0) throw new Error(stderr);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a release', () => {
  it('has these files, and verifies by plain tools', async () => {
    const names = [
      'Collector.sol',
      'SHA256SUMS',
      'SHA256SUMS.sig',
      `crypto-payment-gateway-${version}.tar.gz`,
      `crypto-payment-gateway-client-${version}.tgz`,
      'collector.json',
      ...['x64', 'arm64'].flatMap((arch) => [
        `payment-gateway-${version}-linux-${arch}.tar.gz`,
        `payment-gateway-${version}-linux-${arch}-node.tar.gz`,
      ]),
      `crypto-payment-gateway_${version}_amd64.deb`,
      `crypto-payment-gateway_${version}_arm64.deb`,
      'provenance.json',
      'sbom.cdx.json',
    ];
    expect(readdirSync(at('first')).sort()).toEqual(names.sort());
    const said = await verify(at('first'));
    for (const name of names.filter((one) => !one.startsWith('SHA256SUMS')))
      expect(said).toContain(`${name}: OK`);
  });

  it('holds the sources of the commit and the built client', async () => {
    const list = async (name: string) => (await run('tar', ['-tzf', at('first', name)])).stdout.split('\n');
    const sources = await list(`crypto-payment-gateway-${version}.tar.gz`);
    const tracked = execFileSync('git', ['ls-files'], { cwd: checkout, encoding: 'utf8' }).trim().split('\n');
    expect(sources.filter((file) => file !== '' && !file.endsWith('/')).sort()).toEqual(
      tracked.map((file) => `crypto-payment-gateway-${version}/${file}`).sort(),
    );
    const client = await list(`crypto-payment-gateway-client-${version}.tgz`);
    expect(client).toEqual(expect.arrayContaining(['package/dist/index.js', 'package/dist/cli.js']));
  });

  it('says which commit, lockfile and base image it was made of', () => {
    const { subject, predicate } = JSON.parse(readFileSync(at('first', 'provenance.json'), 'utf8')) as {
      subject: { name: string }[];
      predicate: {
        buildDefinition: { resolvedDependencies: { uri: string; digest: Record<string, string> }[] };
      };
    };
    expect(subject.map(({ name }) => name)).toContain(`crypto-payment-gateway-${version}.tar.gz`);
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim();
    expect(predicate.buildDefinition.resolvedDependencies).toEqual([
      { uri: expect.stringMatching(new RegExp(`@${commit}$`)) as string, digest: { gitCommit: commit } },
      { uri: 'package-lock.json', digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string } },
      {
        uri: expect.stringMatching(/^pkg:docker\/node@/) as string,
        digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      },
    ]);
  });

  it('has the same bytes when the same commit is built again', () => {
    expect(release('--unsigned', '--out', at('second'))).toMatchObject({ status: 0 });
    expect(readFileSync(at('second', 'SHA256SUMS'), 'utf8')).toBe(
      readFileSync(at('first', 'SHA256SUMS'), 'utf8'),
    );
  }, 300_000);
});

describe('the verification of a release', () => {
  it.each(['provenance.json', 'sbom.cdx.json', `crypto-payment-gateway-client`])(
    'refuses a changed %s',
    async (start) => {
      const files = copyOf(`changed-${start}`);
      const name = readdirSync(files).find((file) => file.startsWith(start)) ?? '';
      appendFileSync(path.join(files, name), ' ');
      await expect(verify(files)).rejects.toMatchObject({
        stdout: expect.stringContaining(`${name}: FAILED`) as string,
      });
    },
  );

  it('refuses changed checksums', async () => {
    const files = copyOf('changed-sums');
    appendFileSync(path.join(files, 'SHA256SUMS'), `${'0'.repeat(64)}  more\n`);
    await expect(verify(files)).rejects.toMatchObject({ code: 255 });
  });

  it('refuses the signature of another key', async () => {
    const files = copyOf('stranger-signed');
    rmSync(path.join(files, 'SHA256SUMS.sig'));
    execFileSync('ssh-keygen', [
      '-q',
      '-Y',
      'sign',
      '-f',
      at('stranger'),
      '-n',
      NAMESPACE,
      path.join(files, 'SHA256SUMS'),
    ]);
    await expect(verify(files)).rejects.toMatchObject({ code: 255 });
  });

  it('refuses a key that is listed for another purpose', async () => {
    await expect(verify(at('first'), 'other-purpose')).rejects.toMatchObject({ code: 255 });
  });
});

describe('the release script', () => {
  it('refuses what is not committed', () => {
    writeFileSync(path.join(checkout, 'left.txt'), '');
    const { status, stderr } = release('--unsigned', '--out', at('dirty'));
    rmSync(path.join(checkout, 'left.txt'));
    expect([status, stderr]).toEqual([1, 'not committed, so not in the release:\n?? left.txt\n']);
  });

  it('refuses a tag whose version has neither a changelog nor upgrade notes', () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.test', ...args], {
        cwd: checkout,
      });
    for (const file of ['CHANGELOG.md', 'docs/how-to/upgrade.md'])
      writeFileSync(path.join(checkout, file), 'None.\n');
    git('commit', '--quiet', '--all', '--message', 'docs: forget the notes');
    const { status, stderr } = release('--unsigned', '--tag', `v${version}`, '--out', at('no-notes'));
    git('reset', '--quiet', '--hard', 'HEAD^');
    expect([status, stderr]).toEqual([
      1,
      `CHANGELOG.md has no heading "## ${version}"\n` +
        `docs/how-to/upgrade.md has no heading "### ${version}"\n`,
    ]);
  });

  it.each([
    [['--unsigned'], '--out is missing'],
    [['--out', 'x'], 'give --key'],
    [['--out', 'x', '--unsigned', '--key', 'y'], 'give --key'],
    [['--out', 'x', '--unsigned', '--tag', 'v99.0.0'], 'the tag is v99.0.0, package.json says'],
    [['--out', 'sdk', '--unsigned'], 'sdk is not empty'],
  ])('refuses %j', (args, text) => {
    const { status, stderr } = release(...args);
    expect([status, stderr]).toEqual([1, expect.stringContaining(text)]);
  });
});
