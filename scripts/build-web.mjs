// Writes web/build/: what pages are served of web/, as small as readable code can be. `npm run build` copies it to dist/.
//   node scripts/build-web.mjs
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { transform } from '@swc/core';
import { build } from 'esbuild-wasm';
import { bundle } from './bundle-derivation.mjs';

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

/** Before each style sheet. */
const TOKENS = 'tokens.css';

/** Further parts of a style sheet, by its name. */
const STYLE_PARTS = { 'page.css': ['page-after.css'] };
const PARTS_OF_STYLES = new Set(Object.values(STYLE_PARTS).flat());

/** Scripts of pages by the name of the built file. Each is one file, whatever modules it is made of. */
const PAGE_SCRIPTS = {
  'checkout.js': 'checkout/main.ts',
  'receipt.js': 'receipt.ts',
  'refund.js': 'refund.ts',
};
const SOURCES_OF_SCRIPTS = ['web', 'scripts', 'package-lock.json'];
/** They import code of src/, and take seconds. */
const BUNDLED = new Set(['collector.ts', 'verify-address.ts']);
const SOURCES_OF_BUNDLES = ['src/wallets', 'src/chains', 'src/money', ...SOURCES_OF_SCRIPTS];
/** Not built one by one. */
const PARTS_OF_BUNDLES = new Set([...BUNDLED, ...Object.values(PAGE_SCRIPTS)]);

async function modifiedAt(file) {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** Whether a bundle is newer than everything that it can be made of. */
async function isFresh(output, sources) {
  const root = path.dirname(source);
  const builtAt = await modifiedAt(output);
  for (const place of sources) {
    const names = await readdir(path.join(root, place), { recursive: true }).catch(() => ['']);
    for (const name of names.filter((one) => !one.startsWith('build')))
      if ((await modifiedAt(path.join(root, place, name))) > builtAt) return false;
  }
  return true;
}

/** `script-src 'sha256-…'`: the page runs this text and no other. */
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** One file without anything beside it, which also works from a disk. */
function buildPage(html, script, style) {
  const csp = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html
    .replace('content="policy"', () => `content="${csp}"`)
    .replace('<!-- style -->', () => `<style>${style}</style>`)
    .replace('<!-- script -->', () => `<script>${script}</script>`);
}

/**
 * One file of all modules, without types and comments. It keeps its names and lines, so that customers can read what
 * runs in their browser, and nothing of it is global.
 */
async function buildPageScripts() {
  for (const [name, entry] of Object.entries(PAGE_SCRIPTS)) {
    const output = path.join(target, name);
    if (await isFresh(output, SOURCES_OF_SCRIPTS)) continue;
    const { outputFiles } = await build({
      entryPoints: [path.join(source, entry)],
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      target: 'es2022',
      charset: 'utf8',
      tsconfigRaw: { compilerOptions: { alwaysStrict: true } },
    });
    // The names of files that esbuild leaves between the modules are the only comments.
    await writeFile(output, outputFiles[0].text.replace(/^ *\/\/ .*\n/gm, ''));
  }
}

/** What the dashboard is made of; it takes seconds to build. */
const SOURCES_OF_DASHBOARD = [
  'web/dashboard',
  'web/messages/dashboard',
  'sdk/src',
  'src/wallets',
  'src/chains',
  'src/money',
  'scripts',
  'package-lock.json',
];

async function buildDashboardIfStale() {
  if (await isFresh(path.join(target, 'dashboard/index.html'), [...SOURCES_OF_DASHBOARD, 'web/tokens.css']))
    return;
  // Vite is loaded only where there is something to build.
  const { buildDashboard } = await import('./build-dashboard.mjs');
  await buildDashboard();
}

async function buildPages() {
  for (const name of BUNDLED) {
    const base = path.join(target, name.replace(/\.ts$/, ''));
    if (await isFresh(`${base}.html`, SOURCES_OF_BUNDLES)) continue;
    const { text } = await bundle(path.join(source, name), 'iife');
    // No end tag may occur inside of a script; a backslash does not change the text.
    const script = text.replaceAll('</script', '<\\/script');
    await writeFile(`${base}.js`, script);
    const html = await readFile(path.join(source, name.replace(/\.ts$/, '.html')), 'utf8');
    await writeFile(`${base}.html`, buildPage(html, script, await readFile(`${base}.css`, 'utf8')));
  }
}

/** The commit for the log and gateway_info. An image is built without .git, and gets it in GATEWAY_COMMIT. */
function commitOfSources() {
  const { GATEWAY_COMMIT } = process.env;
  if (GATEWAY_COMMIT) return GATEWAY_COMMIT;
  try {
    const stdio = ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: path.dirname(source), encoding: 'utf8', stdio });
  } catch {
    return 'unknown';
  }
}

export async function buildWeb() {
  await mkdir(target, { recursive: true });
  await writeFile(path.join(target, 'commit.txt'), commitOfSources());
  const tokens = await readFile(path.join(source, TOKENS), 'utf8');
  for (const name of await readdir(source)) {
    if (!/\.(ts|css)$/.test(name) || PARTS_OF_BUNDLES.has(name) || name === TOKENS) continue;
    if (PARTS_OF_STYLES.has(name)) continue;
    const parts = [name, ...(STYLE_PARTS[name] ?? [])];
    const texts = await Promise.all(parts.map((part) => readFile(path.join(source, part), 'utf8')));
    const text = texts.join('');
    const isScript = name.endsWith('.ts');
    const output = path.join(target, name.replace(/\.ts$/, '.js'));
    await writeFile(output, isScript ? await buildScript(text) : buildStyle(tokens + text));
  }
  await buildPageScripts();
  await buildPages();
  await buildDashboardIfStale();
}

if (process.argv[1] === import.meta.filename) await buildWeb();
