import { readFileSync } from 'node:fs';
import { ponder } from 'ponder:registry';
import { credit } from 'ponder:schema';

/** Watched addresses, one a line, held in memory: no lookup costs the peer more than this. */
const watched = new Set(readFileSync(process.env['BENCH_WATCHED'] ?? '', 'utf8').split('\n'));

ponder.on('Token:Transfer', async ({ event, context }) => {
  const { to, value } = event.args;
  if (!watched.has(to.toLowerCase())) return;
  await context.db.insert(credit).values({
    id: `${event.transaction.hash}-${event.log.logIndex}`,
    recipient: to,
    value,
    block: event.block.number,
  });
});
