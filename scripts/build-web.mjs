// Writes web/build/: what pages are served of web/, as small as readable code can be. `npm run build` copies it to dist/.
//   node scripts/build-web.mjs
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { transform } from '@swc/core';

const source = path.resolve(import.meta.dirname, '../web');
const target = path.join(source, 'build');

/** Without types, comments and indentation; names stay, so that customers can read what runs in their browser. */
async function buildScript(text) {
  const jsc = { target: 'es2022', parser: { syntax: 'typescript' } };
  const { code } = await transform(text, { swcrc: false, module: { type: 'es6' }, jsc });
  // An inline script is no module: a function keeps its names out of the page's global scope.
  const { code: script } = await transform(`(() => {'use strict';\n${code}\n})();`, {
    swcrc: false,
    isModule: false,
    minify: true,
    jsc: { target: 'es2022', minify: { compress: false, mangle: false, format: { comments: false } } },
  });
  return `${script.trim()}\n`;
}

/** Without comments and indentation. No string in our style sheets has a brace, a semicolon or two spaces. */
function buildStyle(text) {
  const line = text.replace(/\/\*[^]*?\*\//g, '').replace(/\s+/g, ' ');
  return `${line
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/;\}/g, '}')
    .trim()}\n`;
}

export async function buildWeb() {
  await mkdir(target, { recursive: true });
  for (const name of await readdir(source)) {
    if (!/\.(ts|css)$/.test(name)) continue;
    const text = await readFile(path.join(source, name), 'utf8');
    const isScript = name.endsWith('.ts');
    const output = path.join(target, name.replace(/\.ts$/, '.js'));
    await writeFile(output, isScript ? await buildScript(text) : buildStyle(text));
  }
}

if (process.argv[1] === import.meta.filename) await buildWeb();
