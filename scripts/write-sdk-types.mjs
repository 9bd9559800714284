// Writes sdk/src/api-types.ts and web/dashboard/api/operations.ts from docs/openapi.json.
//   npm run sdk:types
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dashboardTypes, sdkTypes } from '../test/support/sdk-types.ts';

const root = path.resolve(import.meta.dirname, '..');

const document = JSON.parse(await readFile(path.join(root, 'docs/openapi.json'), 'utf8'));
await writeFile(path.join(root, 'sdk/src/api-types.ts'), await sdkTypes(document));
await writeFile(path.join(root, 'web/dashboard/api/operations.ts'), await dashboardTypes(document));
