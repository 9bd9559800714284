// Writes docs/openapi.json from the description of the API in src/openapi/.
//   npm run docs:openapi
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import prettier from 'prettier';
import { VERSION } from '../src/platform/runtime/version.ts';
import { createDocument } from '../src/openapi/document.ts';

const file = path.resolve(import.meta.dirname, '../docs/openapi.json');
const options = await prettier.resolveConfig(file);
const text = JSON.stringify(createDocument(VERSION), null, 2);
await writeFile(file, await prettier.format(text, { ...options, filepath: file }));
