import '../../scripts/register-typescript.mjs';

/** jest loads this file by plain import; the TypeScript behind it needs the hooks first. */
export default async function globalSetup() {
  const { buildWeb } = await import('../../scripts/build-web.mjs');
  await buildWeb();
  const { startTestServer } = await import('./test-server.ts');
  globalThis.testPostgres = await startTestServer();
}
