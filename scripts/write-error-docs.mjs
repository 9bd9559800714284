// Writes docs/errors.md from the table that the code uses.
//   npm run docs:errors
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorDocs } from '../test/support/error-docs.ts';

await writeFile(path.resolve(import.meta.dirname, '../docs/errors.md'), errorDocs());
