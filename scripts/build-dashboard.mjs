// Builds web/dashboard/ into web/build/dashboard/: one page with its style, scripts with a hash in their names, and the
// messages of each language, which the gateway writes into the page.
//   node scripts/build-dashboard.mjs
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import { build } from 'vite';
import { bundle as bundleDerivation, DERIVATION } from './bundle-derivation.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const SOURCE = path.join(ROOT, 'web/dashboard');
const TARGET = path.join(ROOT, 'web/build/dashboard');
const PAGE = path.join(TARGET, 'index.html');
const MESSAGES = path.join(ROOT, 'web/messages/dashboard');

/** The gateway's own derivation of addresses, so that the server need not be believed. A part that one screen loads. */
const derivation = {
  name: 'derivation',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('/derivation.js') ? DERIVATION : null),
  load: async (id) => (id === DERIVATION ? { code: (await bundleDerivation(DERIVATION, 'esm')).text } : null),
};

export async function buildDashboard() {
  const { NODE_ENV } = process.env;
  try {
    await bundle();
    const page = await readFile(PAGE, 'utf8');
    // Written last: where it is, the build is complete.
    await rm(PAGE);
    await compileMessages();
    await writeFile(PAGE, await shortenTheWay(page));
  } finally {
    // Vite sets it for the whole process, and `npm start` starts the gateway with the environment of the build.
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

async function bundle() {
  await build({
    root: SOURCE,
    configFile: false,
    logLevel: 'warn',
    base: '/dashboard/',
    // The same whoever builds, tests too: Vite would make code for development where NODE_ENV says so.
    mode: 'production',
    oxc: { jsx: { runtime: 'automatic', development: false } },
    // Nothing of the environment goes into the build.
    envPrefix: 'GATEWAY_DASHBOARD_',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [derivation],
    resolve: {
      alias: [
        {
          find: /^@formatjs\/icu-messageformat-parser$/,
          replacement: '@formatjs/icu-messageformat-parser/no-parser.js',
        },
      ],
    },
    build: {
      outDir: TARGET,
      emptyOutDir: true,
      target: 'es2022',
      // One style sheet: it is small, and screens must not wait for theirs.
      cssCodeSplit: false,
      // A data: address would be a style or script that the policy does not allow.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        // What the first screen needs is one file; the screens have theirs.
        output: {
          codeSplitting: {
            groups: [{ name: 'first', test: /web\/dashboard\/main\.tsx$|rolldown\/runtime/ }],
          },
        },
        // "use client" is for servers that render React, which there are none of.
        onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
      },
    },
  });
}

/** The first screen waits for the page, one script and the sign-in: what else it would load first is put into these. */
async function shortenTheWay(built) {
  let page = built;
  const take = (pattern) => {
    const [tag, name] = pattern.exec(page) ?? [];
    if (!tag) throw new Error(`the built page has no ${pattern}`);
    page = page.replace(tag, '');
    return name;
  };
  const style = path.join(
    TARGET,
    take(/\s*<link rel="stylesheet" crossorigin href="\/dashboard\/([\w./-]+)">/),
  );
  const css = await readFile(style, 'utf8');
  if (css.includes('</')) throw new Error('the style sheet cannot be part of a page');
  page = page.replace('</head>', () => `  <style>${css.trim()}</style>\n  </head>`);
  await rm(style);
  const runtime = take(
    /\s*<script type="module" crossorigin src="\/dashboard\/assets\/(rolldown-runtime-[\w-]+\.js)"><\/script>/,
  );
  const [, first] =
    /<script type="module" crossorigin src="\/dashboard\/assets\/(first-[\w-]+\.js)">/.exec(page) ?? [];
  await inline(runtime, path.join(TARGET, 'assets', first));
  return page;
}

/**
 * Puts the bundler's few helpers, which are always a file of their own, into the script that imports them. Its name stays
 * a hash of the content: the import that is replaced has the hash of the helpers.
 */
async function inline(name, importer) {
  const helpers = await readFile(path.join(TARGET, 'assets', name), 'utf8');
  const [exported, list] = /export\{([^}]*)\};?\s*$/.exec(helpers) ?? [];
  const script = await readFile(importer, 'utf8');
  const [imported, names] = new RegExp(`import\\{([^}]*)\\}from"\\./${name}";`).exec(script) ?? [];
  if (!exported || !imported) throw new Error(`${importer} does not import ${name} as expected`);
  const pairs = (text) => text.split(',').map((one) => one.trim().split(' as '));
  const members = pairs(list).map(([local, shown = local]) => `${shown}:${local}`);
  const wanted = pairs(names).map(([shown, local = shown]) => `${shown}:${local}`);
  const body = helpers.slice(0, -exported.length);
  const code = `const{${wanted}}=(()=>{${body}return{${members}}})();`;
  await writeFile(
    importer,
    script.replace(imported, () => code),
  );
}

/** Messages are parsed here and not in the browser, which then needs no parser. */
async function compileMessages() {
  const folder = path.join(TARGET, 'messages');
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(MESSAGES)) {
    const messages = JSON.parse(await readFile(path.join(MESSAGES, name), 'utf8'));
    const compiled = Object.entries(messages).map(([key, text]) => [key, parse(text, { ignoreTag: true })]);
    await writeFile(path.join(folder, name), JSON.stringify(Object.fromEntries(compiled)));
  }
}

if (process.argv[1] === import.meta.filename) await buildDashboard();
