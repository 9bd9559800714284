// Builds web/dashboard/ into web/build/dashboard/: one page, scripts and a style sheet with a hash in their names.
//   node scripts/build-dashboard.mjs
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import { build } from 'vite';
import { bundle as bundleDerivation, DERIVATION } from './bundle-derivation.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const SOURCE = path.join(ROOT, 'web/dashboard');
const TARGET = path.join(ROOT, 'web/build/dashboard');
const MESSAGES = path.join(ROOT, 'web/messages/dashboard');

/** Messages are parsed here and not in the browser, which then needs no parser. */
const compiledMessages = {
  name: 'compiled-messages',
  enforce: 'pre',
  async load(id) {
    if (!id.startsWith(MESSAGES)) return null;
    const messages = JSON.parse(await readFile(id, 'utf8'));
    const compiled = Object.entries(messages).map(([key, text]) => [key, parse(text, { ignoreTag: true })]);
    return { code: `export default ${JSON.stringify(Object.fromEntries(compiled))}`, moduleType: 'js' };
  },
};

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
    plugins: [compiledMessages, derivation],
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

if (process.argv[1] === import.meta.filename) await buildDashboard();
