import type { INestApplicationContext } from '@nestjs/common';
import { ChainHaltService } from '../chain-watcher/chain-halt.service.js';
import { RescanService } from '../chain-watcher/rescan.service.js';
import { StartHeightService } from '../chain-watcher/start-height.service.js';
import { ChainsService } from '../chains/chains.service.js';
import { type Command, required, UsageError } from './command.js';
import { GatewayError } from '../platform/kernel/errors/errors.pure.js';

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
  const total = { recorded: 0, conflicting: 0, unread: 0 };
  try {
    for await (const { height, recorded, conflicting, unread } of service.run({ chain, from, to })) {
      next = height + 1;
      total.recorded += recorded;
      total.conflicting += conflicting.length;
      total.unread += unread.length;
      for (const block of unread)
        terminal.writeError(`payments by contracts in block ${block.height} not read: ${block.reason}\n`);
      for (const txHash of conflicting)
        terminal.writeError(`left out: ${txHash} is recorded with other transfers; see the command verify\n`);
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
  if (total.unread > 0) terminal.write(`blocks with unread traces: ${total.unread}\n`);
  return next > to && total.conflicting === 0 && total.unread === 0 ? 0 : 1;
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

export const setStartHeight: Command = async (app, options, terminal) => {
  const chain = required(options.chain, 'chain');
  const height = heightOf(required(options.height, 'height'), 'height');
  refuseUnknown(app, chain);
  const applied = await app.get(RescanService).findTip(chain);
  if (applied && height <= applied.height) {
    terminal.writeError(
      `blocks up to ${applied.height} are applied: they are read again from ${height} on\n`,
    );
    return rescan(app, { ...options, from: String(height) }, terminal);
  }
  const decision = await app
    .get(StartHeightService)
    .skipTo(chain, height, options.force)
    .catch((error: unknown) => {
      if (error instanceof GatewayError) throw error;
      // The node does not respond, is on a fork, or the watcher has followed one meanwhile.
      terminal.writeError(`nothing was skipped: ${error instanceof Error ? error.message : String(error)}\n`);
      return null;
    });
  if (!decision) return 1;
  if (decision.kind === 'above-tip')
    throw new UsageError('--height must not be above the block after the newest one of the node');
  if (decision.kind === 'nothing') {
    terminal.write(`chain:   ${chain}\nskipped: none, block ${height} is the next one that is read\n`);
    return 0;
  }
  const { from, to } = decision.blocks;
  const later = `rescan --chain ${chain} --from ${from} --to ${to}`;
  if (decision.kind === 'payable') {
    terminal.writeError(
      `nothing was skipped: there are deposit addresses since ${decision.since.toISOString()}, and the blocks ${from} to ` +
        `${to} could have paid one. With --force they are left out; to read them later: ${later}\n`,
    );
    return 1;
  }
  terminal.write(`chain:         ${chain}\nskipped:       ${from} to ${to}\nto read them:  ${later}\n`);
  return 0;
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
