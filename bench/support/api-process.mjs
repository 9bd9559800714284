// A server of the benchmarks of requests, in a process of its own so that its CPU is counted alone:
//   api-process.mjs <kind> <database URL> <JSON of what it needs>
import '../../scripts/register-typescript.mjs';

const { serve } = await import('./api-servers.ts');
const [kind, databaseUrl, needs] = process.argv.slice(2);
process.send(await serve(kind, databaseUrl, JSON.parse(needs)));
process.once('disconnect', () => process.exit());
