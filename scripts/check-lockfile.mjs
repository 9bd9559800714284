// Fails when the lockfile lost an optional platform package: `npm ci` would refuse such a lock.
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const incomplete = Object.entries(packages).filter(
  ([path, pkg]) =>
    path &&
    Object.keys(pkg.optionalDependencies ?? {}).some(
      (name) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`],
    ),
);
for (const [path, pkg] of incomplete) console.error(`${path} ${pkg.version} lacks an optional package`);
const pinned = JSON.parse(readFileSync('package.json', 'utf8'));
const loose = Object.entries({ ...pinned.dependencies, ...pinned.devDependencies }).filter(
  ([, version]) => !/^\d+\.\d+\.\d+/.test(version),
);
for (const [name, version] of loose) console.error(`${name} is not pinned exactly: ${version}`);
process.exit(incomplete.length + loose.length > 0 ? 1 : 0);
