// Writes docs/openapi.json from the decorators of controllers and contracts.
//   npm run docs:openapi
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import prettier from 'prettier';
import { VERSION } from '../src/platform/kernel/version.ts';
import { controllersOf } from '../src/openapi/controllers-of.ts';
import { createDocument } from '../src/openapi/document.ts';
import { buildWeb } from './build-web.mjs';

// Pages read their scripts and styles when their modules are loaded.
await buildWeb();
const { FEATURE_MODULES } = await import('../src/app.module.ts');

const file = path.resolve(import.meta.dirname, '../docs/openapi.json');
const options = await prettier.resolveConfig(file);
const text = JSON.stringify(createDocument(controllersOf(FEATURE_MODULES), VERSION), null, 2);
await writeFile(file, await prettier.format(text, { ...options, filepath: file }));
