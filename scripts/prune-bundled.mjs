// Removes the code of packages that is in the bundle already (scripts/bundle-server.mjs). Their manifest and license stay:
// the first is what scanners look for, and the second has to go with every copy.
//   node scripts/prune-bundled.mjs <packages.json>
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptPaths } from './supply-chain.mjs';

const STAYS = /^(package\.json|(licen[cs]e|notice|copying).*)$/i;

/** @param bundled paths of the lockfile. Whatever is neither kept nor bundled is removed as a whole. */
export async function pruneBundled(root, lock, bundled) {
  const kept = keptPaths(lock);
  const places = Object.keys(lock.packages).filter((place) => place && existsSync(path.join(root, place)));
  const staying = places.filter((place) => kept.has(place) || bundled.includes(place));
  for (const place of places.filter((one) => !kept.has(one))) {
    const hasPackages = staying.some((other) => other.startsWith(`${place}/`));
    const stays = (name) =>
      (name === 'node_modules' && hasPackages) || (bundled.includes(place) && STAYS.test(name));
    // Gone with the package that it was in.
    if (!existsSync(path.join(root, place))) continue;
    const names = await readdir(path.join(root, place));
    const gone = names.some(stays) ? names.filter((name) => !stays(name)) : [''];
    for (const name of gone) await rm(path.join(root, place, name), { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.resolve(import.meta.dirname, '..');
  const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));
  await pruneBundled(
    root,
    await readJson(path.join(root, 'package-lock.json')),
    await readJson(process.argv[2]),
  );
}
