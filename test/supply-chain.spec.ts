import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  auditVerdict,
  billOfMaterials,
  keptPaths,
  type Lock,
  lockfileProblems,
  materialProblems,
} from '../scripts/supply-chain.mjs';

const root = path.resolve(import.meta.dirname, '..');
const INTEGRITY = `sha512-${Buffer.alloc(64, 7).toString('base64')}`;
const entry = (fields: Record<string, unknown> = {}) => ({
  version: '1.2.3',
  integrity: INTEGRITY,
  license: 'MIT',
  ...fields,
});
const lockOf = (packages: Record<string, Record<string, unknown>>): Lock => ({
  packages: { '': { name: 'gateway', version: '0.1.0', license: 'MIT' }, ...packages },
});

describe('the lockfile', () => {
  const problemsOf = (fields: Record<string, unknown>, at = 'node_modules/left') =>
    lockfileProblems({}, lockOf({ [at]: entry(fields) }));

  it('of this project passes', () => {
    const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Lock;
    const lock = read('package-lock.json');
    expect(Object.keys(lock.packages).length).toBeGreaterThan(500);
    expect(lockfileProblems(read('package.json'), lock)).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a version', { version: '2.0.0-beta.17' }, 'node_modules/left'],
    ['a scope', {}, 'node_modules/@scope/left'],
    ['a second version below another', {}, 'node_modules/left/node_modules/@scope/right'],
    [
      'a known program at install time, for development',
      { hasInstallScript: true, dev: true },
      'node_modules/@swc/core',
    ],
    ['a known alias, for development', { name: 'strip-ansi', dev: true }, 'node_modules/strip-ansi-cjs'],
    ['a harmless stand-in', { name: 'toidentifier' }, 'node_modules/@scarf/scarf'],
  ])('may have %s', (_name, fields, at) => {
    expect(problemsOf(fields, at)).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no hash', { integrity: undefined }, /has no SHA-512/],
    ['a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, /has no SHA-512/],
    ['half a hash', { integrity: INTEGRITY.slice(0, -10) }, /has no SHA-512/],
    [
      'a weak hash beside a good one',
      { integrity: `${INTEGRITY} sha1-2jmj7l5rSw0yVb/vlW=` },
      /has no SHA-512/,
    ],
    ['git', { resolved: 'git+ssh://git@github.com/x/left.git#abc' }, /address of its own/],
    ['plain HTTP', { resolved: 'http://registry.example.com/left.tgz' }, /address of its own/],
    ['another registry', { resolved: 'https://registry.example.com/left.tgz' }, /address of its own/],
    ['a file', { resolved: 'file:left.tgz' }, /address of its own/],
    ['a version that is an address', { version: 'https://example.com/left.tgz' }, /no version of a registry/],
    ['no version', { version: undefined }, /no version of a registry/],
    ['a link', { link: true }, /not a package of a registry/],
    ['a program at install time', { hasInstallScript: true, dev: true }, /runs a program/],
    ['another package under this name', { name: 'right' }, /is another package, right/],
    ['a lost platform package', { optionalDependencies: { 'left-linux': '1.2.3' } }, /lacks .* left-linux/],
  ])('is refused for %s', (_name, fields, problem) => {
    expect(problemsOf(fields)).toEqual([expect.stringMatching(problem)]);
  });

  it('is refused when a runtime package does what is allowed to development packages only', () => {
    const run = problemsOf({ hasInstallScript: true }, 'node_modules/@swc/core');
    expect(run).toEqual([expect.stringMatching(/runs a program/)]);
    const alias = problemsOf({ name: 'strip-ansi' }, 'node_modules/strip-ansi-cjs');
    expect(alias).toEqual([expect.stringMatching(/is another package, strip-ansi/)]);
  });

  it.each([{}, { name: 'right' }])('is refused when @scarf/scarf is not the stand-in but %j', (fields) => {
    expect(problemsOf(fields, 'node_modules/@scarf/scarf')).toContainEqual(
      expect.stringMatching(/is not replaced by toidentifier/),
    );
  });

  it('is refused for a folder of its own', () => {
    expect(problemsOf({}, 'vendor/left')).toEqual([expect.stringMatching(/not a package of a registry/)]);
  });

  it.each([
    '^1.2.3',
    '1.x',
    '*',
    'latest',
    'git+https://example.com/left.git',
    'file:../left',
    'npm:right@1.2.3',
  ])('is refused for a dependency on %s', (version) => {
    for (const field of ['dependencies', 'optionalDependencies', 'devDependencies'])
      expect(lockfileProblems({ [field]: { left: version } }, lockOf({}))).toEqual([
        `left is not pinned exactly: ${version}`,
      ]);
  });
});

describe('the response of an audit', () => {
  const counts = (changes: Record<string, number> = {}) => ({
    metadata: {
      vulnerabilities: { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 0, ...changes },
    },
  });
  const hole = (severity: string) => ({
    left: {
      name: 'left',
      severity,
      range: '<2.0.0',
      via: [{ title: 'Padding runs away', url: 'https://example.com/advisory' }],
    },
  });

  it.each<[string, unknown, string]>([
    ['nothing found', { vulnerabilities: {}, ...counts() }, 'clean'],
    ['a moderate hole', { vulnerabilities: hole('moderate'), ...counts({ moderate: 1, total: 1 }) }, 'clean'],
    ['a high hole', { vulnerabilities: hole('high'), ...counts({ high: 1, total: 1 }) }, 'vulnerable'],
    [
      'a critical hole',
      { vulnerabilities: hole('critical'), ...counts({ critical: 1, total: 1 }) },
      'vulnerable',
    ],
    [
      'a vulnerability that is counted but not listed',
      { vulnerabilities: {}, ...counts({ high: 1, total: 1 }) },
      'vulnerable',
    ],
    ['a registry without advisories', { message: '405 Method Not Allowed', method: 'POST' }, 'not done'],
    ['no network', { error: { code: 'ENOTFOUND', summary: 'getaddrinfo ENOTFOUND' } }, 'not done'],
    ['an error beside empty counts', { error: { summary: 'broken' }, ...counts() }, 'not done'],
    ['another format', { advisories: {}, metadata: {} }, 'not done'],
    ['an empty object', {}, 'not done'],
    ['null', null, 'not done'],
  ])('%s', (_name, report, verdict) => {
    expect(auditVerdict(JSON.stringify(report)).verdict).toBe(verdict);
  });

  it.each(['', '<html>502 Bad Gateway</html>', '{"vulnerabilities":'])('that is not JSON, %j', (output) => {
    expect(auditVerdict(output)).toEqual({
      verdict: 'not done',
      lines: ['npm said nothing that can be read'],
    });
  });

  it('names package, versions and advisory', () => {
    const report = { vulnerabilities: hole('high'), ...counts({ high: 1, total: 1 }) };
    expect(auditVerdict(JSON.stringify(report)).lines).toEqual([
      'left <2.0.0, high: Padding runs away (https://example.com/advisory)',
    ]);
  });
});

describe('the bill of materials', () => {
  const lock = lockOf({
    'node_modules/left': entry({ dependencies: { right: '^1.0.0' } }),
    'node_modules/left/node_modules/right': entry({ version: '1.0.0', license: 'ISC' }),
    'node_modules/@scope/right': entry({ version: '2.0.0' }),
    'node_modules/tool': entry({ dev: true }),
    'node_modules/elsewhere': entry({ optional: true, os: ['aix'] }),
  });
  lock.packages[''] = { ...lock.packages[''], dependencies: { left: '1.2.3', '@scope/right': '2.0.0' } };
  const bill = billOfMaterials(lock, (at) => at !== 'node_modules/elsewhere');

  it('lists every runtime package with version, hash and license', () => {
    const hashes = [{ alg: 'SHA-512', content: '07'.repeat(64) }];
    expect(bill.components).toMatchObject([
      {
        name: 'left',
        version: '1.2.3',
        purl: 'pkg:npm/left@1.2.3',
        hashes,
        licenses: [{ expression: 'MIT' }],
      },
      {
        name: 'right',
        version: '1.0.0',
        purl: 'pkg:npm/right@1.0.0',
        hashes,
        licenses: [{ expression: 'ISC' }],
      },
      { name: '@scope/right', version: '2.0.0', purl: 'pkg:npm/%40scope/right@2.0.0', hashes },
    ]);
    expect(materialProblems(bill)).toEqual([]);
  });

  it('calls a stand-in by its own name', () => {
    const replaced = lockOf({ 'node_modules/@scarf/scarf': entry({ name: 'toidentifier' }) });
    expect(billOfMaterials(replaced, () => true).components).toMatchObject([
      { name: 'toidentifier', purl: 'pkg:npm/toidentifier@1.2.3' },
    ]);
  });

  it('resolves dependencies as Node does', () => {
    expect(bill.dependencies).toEqual([
      { ref: 'gateway', dependsOn: ['left@1.2.3', '@scope/right@2.0.0'] },
      { ref: 'left@1.2.3', dependsOn: ['right@1.0.0'] },
      { ref: 'right@1.0.0', dependsOn: [] },
      { ref: '@scope/right@2.0.0', dependsOn: [] },
    ]);
  });

  const problemsOf = (license: unknown) =>
    materialProblems(billOfMaterials(lockOf({ 'node_modules/left': entry({ license }) }), () => true));

  it.each(['MIT', 'Apache-2.0', '(MIT OR GPL-3.0-only)', 'MIT AND ISC', 'GPL-3.0-only OR MIT AND ISC'])(
    'allows %s',
    (license) => {
      expect(problemsOf(license)).toEqual([]);
    },
  );
  it.each([
    'GPL-3.0-only',
    'MIT AND AGPL-3.0-only',
    'SEE LICENSE IN LICENSE',
    'UNLICENSED',
    'mit',
    '((MIT) OR X)',
    '',
  ])('refuses %j', (license) => {
    expect(problemsOf(license)).toEqual([`left@1.2.3: ${license}`]);
  });
  it('rejects a package without license or hash', () => {
    expect(problemsOf(undefined)).toEqual(['left@1.2.3: no license']);
    const bare = lockOf({ 'node_modules/left': entry({ integrity: undefined }) });
    expect(materialProblems(billOfMaterials(bare, () => true))).toEqual(['left@1.2.3 has no SHA-512']);
  });
});

describe('the packages beside the bundle', () => {
  const lock = lockOf({
    'node_modules/pg': entry({ dependencies: { types: '1.2.3' }, peerDependencies: { absent: '1.2.3' } }),
    'node_modules/types': entry({}),
    'node_modules/pg/node_modules/types': entry({ dependencies: { left: '1.2.3' } }),
    'node_modules/left': entry({ dependencies: { left: '1.2.3' } }),
    'node_modules/typeorm': entry({}),
    'node_modules/pino': entry({ dev: true }),
  });
  lock.packages[''] = { ...lock.packages[''], dependencies: { pg: '1.2.3', typeorm: '1.2.3' } };

  it('are those that cannot be part of it, with what they need', () => {
    expect([...keptPaths(lock)]).toEqual([
      'node_modules/pg',
      'node_modules/pg/node_modules/types',
      'node_modules/left',
    ]);
  });
});

describe('the search for secrets', () => {
  // Put together here, so that the search does not find them in this file.
  const PLANTED: [string, string, string][] = [
    [
      'key.pem',
      `-----BEGIN RSA PRIVATE${''} KEY-----\n${'MIIEpAIBAAKCAQEA'.repeat(20)}\n-----END RSA PRIVATE${''} KEY-----\n`,
      'PrivateKey',
    ],
    ['settings.ts', `export const token = '${'ghp'}_${'a1B2c3D4e5F6'.repeat(3)}';\n`, 'GitHub'],
    [
      '.env',
      `DATABASE_URL=postgres://gateway:${'hunter2hunter2'}@db.pay-me.io/gateway\n`,
      'PostgreSQLConnection',
    ],
  ];
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'gateway-planted-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const search = () => {
    const script = path.join(root, 'scripts/check-secrets.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  };

  it('accepts harmless files', () => {
    writeFileSync(
      path.join(folder, 'harmless.ts'),
      "export const url = 'postgres://user:word@db.example.com/x';\n",
    );
    expect(search()).toMatchObject({ status: 0, output: expect.stringContaining('1 files') });
  });

  it('finds every planted secret and does not print it', () => {
    for (const [name, text] of PLANTED) writeFileSync(path.join(folder, name), text);
    const { status, output } = search();
    expect(status).toBe(1);
    for (const [name, , rule] of PLANTED) {
      expect(output).toContain(name);
      expect(output).toContain(rule);
    }
    expect(output).not.toContain('hunter2');
  });
});
