import { register } from 'node:module';
import '../../scripts/register-typescript.mjs';
import { buildIfStale } from '../../scripts/build.mjs';

/** jest loads this file by plain import; the TypeScript behind it needs the hooks first, and they need the build. */
export default async function globalSetup() {
  await buildIfStale();
  register('./jest/build-hooks.mjs', import.meta.url);
  const { startTestServer } = await import('./test-server.ts');
  globalThis.testPostgres = await startTestServer();
}
