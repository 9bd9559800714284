import type { INestApplicationContext } from '@nestjs/common';
import { ChainHaltService } from './chain-watcher/chain-halt.service.js';
import { RescanService } from './chain-watcher/rescan.service.js';
import { ChainsService } from './chains/chains.service.js';
import { type Command, required, UsageError } from './cli-command.js';

/** Blocks between two lines of progress. */
const PROGRESS_EVERY = 1_000;

export const rescan: Command = async (app, options, terminal) => {
  const chain = required(options.chain, 'chain');
  const from = heightOf(required(options.from, 'from'), 'from');
  refuseUnknown(app, chain);
  const service = app.get(RescanService);
  const tip = await service.findTip(chain);
  if (!tip) throw new UsageError(`${chain} is halted, or was never watched`);
  const to = options.to === undefined ? tip.height : heightOf(options.to, 'to');
  if (to > tip.height) throw new UsageError(`--to must not be above the newest applied block, ${tip.height}`);
  if (from > to) throw new UsageError('--from must not be above --to');

  let next = from;
  let shownAt = from;
  const total = { recorded: 0, conflicting: 0 };
  try {
    for await (const { height, recorded, conflicting } of service.run({ chain, from, to })) {
      next = height + 1;
      total.recorded += recorded;
      total.conflicting += conflicting.length;
      for (const txHash of conflicting)
        terminal.writeError(`left out: ${txHash} is recorded with other transfers; see npm run verify\n`);
      if (recorded === 0 && next - shownAt < PROGRESS_EVERY) continue;
      shownAt = next;
      terminal.writeError(`blocks up to ${height} read, transfers credited: ${total.recorded}\n`);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    terminal.writeError(
      `stopped: ${reason}\nto continue: rescan --chain ${chain} --from ${next} --to ${to}\n`,
    );
  }
  terminal.write(`blocks read:        ${next - from} (${from} to ${next - 1})\n`);
  terminal.write(`transfers credited: ${total.recorded}\n`);
  return next > to && total.conflicting === 0 ? 0 : 1;
};

export const resumeChain: Command = async (app, options, terminal) => {
  const chain = required(options.chain, 'chain');
  refuseUnknown(app, chain);
  const reason = await app.get(ChainHaltService).resume(chain);
  terminal.write(
    reason === null
      ? `chain:   ${chain}\nresumed: no, it is not halted\n`
      : `chain:      ${chain}\nhalted for: ${reason}\nresumed:    yes\n`,
  );
};

/** @throws UsageError when the chain is not configured */
function refuseUnknown(app: INestApplicationContext, chain: string): void {
  const configured = app
    .get(ChainsService)
    .list()
    .map(({ slug }) => slug);
  if (!configured.includes(chain))
    throw new UsageError(`--chain must be one of the configured chains: ${configured.join(', ') || 'none'}`);
}

/** @throws UsageError when it is not the height of a block */
function heightOf(text: string, option: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${option} must be the height of a block`);
  return Number(text);
}
