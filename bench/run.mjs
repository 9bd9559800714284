// Compares the gateway with an upper bound and with a peer, all in one run:
//   npm run bench -- evm-catchup              a benchmark by its name; without one the names are listed
//   npm run bench -- evm-catchup --tiny       its smallest size: shows that it still runs, measures nothing
//   npm run bench -- --tiny                   all of them so
import '../scripts/register-typescript.mjs';

const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
