// Fails on text that is too faint on its background in the light or dark scheme or on paper (scripts/contrast.mjs), and on a color
// that is not in web/tokens.css.
//   npm run contrast [-- --all]
import { readdirSync, readFileSync } from 'node:fs';
import { checkContrast } from './contrast.mjs';

const folder = new URL('../web/', import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), 'utf8');
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.css') && name !== 'tokens.css' && !name.startsWith('build'),
);
const { rows, problems } = checkContrast(
  read('tokens.css'),
  new Map(names.map((name) => [`web/${name}`, read(name)])),
);
if (process.argv.includes('--all'))
  for (const { pair, light, dark, print, least } of rows)
    console.log(
      `${pair.padEnd(22)} light ${light.toFixed(2)}  dark ${dark.toFixed(2)}  print ${print.toFixed(2)}  needs ${least}`,
    );
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
