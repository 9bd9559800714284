// Every benchmark in its smallest size, without the peers of bench/package.json: shows that they still run.
// The last line is "N passed, M failed".
import '../scripts/register-typescript.mjs';

const { main } = await import('./main.ts');
process.exitCode = await main(['--tiny']);
