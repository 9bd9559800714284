// Every benchmark that takes seconds in its smallest size, without the peers of bench/package.json: shows that they still
// run.
// The last line is "N passed, M failed".
import '../scripts/register-typescript.mjs';

const { BENCHMARKS, main } = await import('./main.ts');
const SLOW = ['instances', 'verify-scale', 'grow'];
console.error(`left out, as they take a minute each: npm run bench -- ${SLOW.join(' ')} --tiny`);
process.exitCode = await main([
  '--tiny',
  ...BENCHMARKS.map(({ name }) => name).filter((name) => !SLOW.includes(name)),
]);
