import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { AuditAction } from '../../src/platform/kernel/audit-actions.pure.js';
import type { AuditedRoute, AuditHarness } from './audit-harness.js';
import { createUser } from './oauth-api.js';

type UserAct = Extract<AuditAction, 'user.transferred' | 'user.erased' | 'account.exported'>;

/**
 * What ends the use of an account by a person, or takes everything out of it, each time of a user of its own.
 * @param cli throws unless the command succeeded
 */
export function auditedUsers(
  { shop }: AuditHarness,
  cli: (args: string[]) => Promise<{ output: string }>,
): Record<UserAct, AuditedRoute<unknown>> {
  const route = <Ready>(description: AuditedRoute<Ready>) => description as AuditedRoute<unknown>;
  const actor = () => 'operator';
  return {
    'user.transferred': route({
      before: () => createUser(shop.gateway),
      act: (former) => cli(['transfer-account', '--user', former.email, '--to', `next-${former.email}`]),
      tables: ['users', 'access_links'],
      actor,
    }),
    'user.erased': route({
      before: async () => {
        const leaver = await createUser(shop.gateway);
        await cli(['disable-user', '--email', leaver.email]);
        return leaver;
      },
      act: (leaver) => cli(['erase-user', '--user', leaver.email]),
      tables: ['users'],
      actor,
    }),
    'account.exported': route({
      before: async () => ({
        ...(await createUser(shop.gateway)),
        folder: path.join(await mkdtemp(path.join(os.tmpdir(), 'audited-export-')), 'account'),
      }),
      act: ({ email, folder }) => cli(['export-account', '--user', email, '--to', folder]),
      // It only reads.
      tables: [],
      actor,
      details: expect.objectContaining({ rows: 2 }) as unknown as Record<string, unknown>,
    }),
  };
}
