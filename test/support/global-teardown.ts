export default async function globalTeardown(): Promise<void> {
  const { testPostgres } = globalThis as { testPostgres?: { stop(): Promise<void> } };
  await testPostgres?.stop();
}
