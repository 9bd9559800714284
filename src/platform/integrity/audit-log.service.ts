import { Injectable } from '@nestjs/common';
import type { AuditActor, AuditDetail, AuditEntry } from '../kernel/audit-actions.pure.js';
import { addressNetwork, clientAddress } from '../kernel/client-address.pure.js';
import { Clock } from '../kernel/clock.pure.js';
import { afterCommit } from '../database/unit-of-work.js';
import { ContextVariable } from '../kernel/context-variable.js';
import { RecentReads } from '../database/recent-reads.js';
import { currentRequest } from '../kernel/request-context.js';
import { actorIdOf } from '../kernel/principal.pure.js';
import { AuditWriter } from './audit-writer.service.js';
import { RowFingerprints } from './row-fingerprints.service.js';

const operator = new ContextVariable<AuditActor>('operator');

/** Runs `work` with the command line recorded as the actor. */
export function asOperator<T>(work: () => Promise<T>): Promise<T> {
  return operator.run({ kind: 'operator', id: null }, work);
}

/** Appends security-relevant actions in order; `verify:audit` proves that no entry was changed afterwards. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly writer: AuditWriter,
    private readonly clock: Clock,
    private readonly recent: RecentReads,
    private readonly fingerprints: RowFingerprints,
  ) {}

  /**
   * Call it as the last statement of the action's own transaction: from here to the commit every other recorded action
   * waits, so that there is one order. Payments are not recorded one by one, and do not wait. The entry also lists how
   * the transaction has left the rows that it changed.
   */
  async record({ act, userId, target, details = {}, actor }: AuditEntry): Promise<void> {
    const { kind, id } = actor ?? currentActor();
    const request = currentRequest();
    const rows = await this.fingerprints.takeChanged();
    await this.writer.append([
      {
        at: this.clock.now(),
        actorKind: kind,
        actorId: id,
        act,
        userId,
        targetKind: target?.kind ?? null,
        targetId: target?.id ?? null,
        details: rows.length === 0 ? details : withList(details, rows),
        address: request ? addressNetwork(clientAddress(request.request)) : null,
        requestId: request?.id ?? null,
      },
    ]);
    // Whatever it was, it may have ended a right that is remembered.
    afterCommit(() => this.recent.clear());
  }
}

/** Where the act has a number of rows, such as `secrets.resealed`, the list has another name beside it. */
function withList(
  details: Readonly<Record<string, AuditDetail>>,
  rows: string[],
): Readonly<Record<string, AuditDetail>> {
  return 'rows' in details ? { ...details, changedRows: rows } : { ...details, rows };
}

/** From the token of the request; outside of a request, the command line or the gateway itself. */
function currentActor(): AuditActor {
  const request = currentRequest();
  if (!request) return operator.get() ?? { kind: 'system', id: null };
  const principal = request.request.user;
  if (!principal) return { kind: 'anonymous', id: null };
  if (principal.kind === 'client') return { kind: 'client_token', id: principal.tokenId };
  // A client's token without a sign-in is a merchant's own server.
  return principal.grantId === null && principal.clientId !== null
    ? { kind: 'oauth_client', id: principal.clientId }
    : { kind: 'user', id: actorIdOf(principal) };
}
