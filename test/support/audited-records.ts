import { AuditWatch } from '../../src/platform/integrity/audit-watch.service.js';
import type { AuditedRoute } from './audit-harness.js';
import { asOwner } from './as-owner.js';
import type { Shop, ShopApplication } from './shop.js';
import { skipNextBlock } from './skipped-blocks.js';

/** The ways to the acts that repair records, or take them out. @param cli throws unless the command succeeded */
export function auditedRecords(
  shop: Shop,
  application: ShopApplication,
  cli: (args: string[]) => Promise<unknown>,
): Record<
  'chain.rescanned' | 'chain.resumed' | 'chain.blocks_skipped' | 'audit_log.resumed',
  AuditedRoute<unknown>
> {
  const rescan: AuditedRoute<string> = {
    before: async () => {
      const payment = await shop.createPayment(application);
      await shop.send(await shop.instructions(payment));
      return String(await skipNextBlock(shop));
    },
    act: (height) => cli(['rescan', '--chain', 'ethereum', '--from', height, '--to', height]),
    tables: ['payment_transfers', 'payments', 'payment_status_history'],
    actor: () => 'operator',
    details: expect.objectContaining({ transfers: 1 }) as unknown as Record<string, unknown>,
  };
  return {
    'chain.rescanned': rescan as AuditedRoute<unknown>,
    'chain.resumed': {
      before: () =>
        shop.gateway.sql.query(
          `update chain_cursors set halted_at = now(), halt_reason = 'deep fork' where chain = 'ethereum'`,
        ),
      act: () => cli(['resume-chain', '--chain', 'ethereum']),
      tables: ['chain_cursors'],
      actor: () => 'operator',
      details: expect.objectContaining({ reason: 'deep fork' }) as unknown as Record<string, unknown>,
    },
    'chain.blocks_skipped': {
      before: async () => {
        await shop.watch();
        const height = await shop.chain.blockNumber();
        await shop.chain.mine(5);
        return height + 3;
      },
      act: (height) =>
        cli(['set-start-height', '--chain', 'ethereum', '--height', String(height), '--force']),
      tables: ['chain_cursors', 'chain_blocks'],
      actor: () => 'operator',
      details: expect.objectContaining({ forced: true }) as unknown as Record<string, unknown>,
    },
    'audit_log.resumed': {
      before: () =>
        asOwner(shop.gateway, async (sql) => {
          await sql.query(`update audit_anchor set mac = 'm1.old.AAAA'`);
        }),
      act: () => shop.gateway.get(AuditWatch).runOnce(),
      tables: ['audit_anchor'],
      actor: () => 'system',
    },
  };
}
