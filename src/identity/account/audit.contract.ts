import {
  AUDIT_ACTIONS,
  AUDIT_ACTORS,
  type AuditAction,
  type AuditActorKind,
  type AuditDetail,
} from '../../platform/kernel/audit-actions.pure.js';
import type { AuditRow } from '../../platform/integrity/audit-chain.pure.js';
import { Contract, exampleOf } from '../../platform/web/contract/contract.js';
import {
  Choice,
  FieldOf,
  Instant,
  Nested,
  QueryFlag,
  QueryInteger,
  Text,
} from '../../platform/web/contract/fields.js';
import { CursorField } from '../../platform/web/http/cursor-query.js';
import { toIsoSeconds } from '../../platform/kernel/clock.pure.js';

const MAX_LIMIT = 100;
const PLACE = /^a([1-9]\d{0,17})$/;

/** What a cursor is made of. @param number of an entry in the log of the whole gateway */
export const formatAuditPlace = (number: bigint): string => `a${number}`;

/** The number; null if {@link formatAuditPlace} did not make it. */
export function parseAuditPlace(text: string): bigint | null {
  const [, digits] = PLACE.exec(text) ?? [];
  return digits === undefined ? null : BigInt(digits);
}

/** Query of GET /api/audit (specification/authentication.md#audit-log-of-a-user). */
export class ListAuditQuery {
  @CursorField(parseAuditPlace, {
    optional: true,
    about: '`meta.cursor.next` of the previous response; without it, from the newest on.',
  })
  after?: bigint;

  @QueryInteger({
    optional: true,
    min: 1,
    max: MAX_LIMIT,
    default: 20,
    about: 'How many entries at most.',
  })
  limit = 20;

  @Choice(AUDIT_ACTIONS, { optional: true, about: 'Only this action.' })
  act?: AuditAction;

  @QueryFlag({
    optional: true,
    default: true,
    about:
      'Whether tokens that programs got are listed (`oauth_token.issued`): one for each hour of a program.',
  })
  issuedTokens = true;

  @Text({
    min: 1,
    max: 64,
    pattern: '^[a-z_]+$',
    wrongForm: 'The targetKind field must be a kind of object in small letters, e.g. application.',
    optional: true,
    about: 'Only about this kind of object, e.g. `application`.',
  })
  targetKind?: string;

  @Text({ min: 1, max: 255, optional: true, about: 'Only about the object with this id.' })
  targetId?: string;

  @Instant({ optional: true, about: 'At this time or later; with a time zone.' })
  from?: Date;

  @Instant({ optional: true, about: 'At this time or earlier; with a time zone.' })
  to?: Date;
}

@Contract('AuditActor', 'Who acted.')
export class AuditActorContract {
  @Choice(AUDIT_ACTORS, {
    about:
      '`operator` is the command line of the gateway, `customer` anyone who holds a signed link, `system` the gateway ' +
      'itself.',
    example: 'user',
  })
  kind: AuditActorKind;

  @Text({
    nullable: true,
    about: 'The user, OAuth client or client token; null for the others.',
    example: 'c0a8012e-7a1b-4c3d-9e5f-1a2b3c4d5e6f',
  })
  id: string | null;
}

@Contract('AuditTarget', 'What it was about.')
export class AuditTargetContract {
  @Text({ about: 'The kind of object.', example: 'application' })
  kind: string;

  @Text({ about: 'Its id.', example: '7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69' })
  id: string;
}

@Contract('AuditEntry', 'An action in the audit log. Entries are never changed or deleted.')
export class AuditEntryContract {
  @Instant({ about: 'When it happened.' })
  at: string;

  @Choice(AUDIT_ACTIONS, { about: 'What was done.', example: 'application.changed' })
  act: AuditAction;

  @Nested(() => AuditActorContract)
  actor: AuditActorContract;

  @Nested(() => AuditTargetContract, {
    nullable: true,
    about: 'Null: it was about no object.',
    example: exampleOf(AuditTargetContract, 'response'),
  })
  target: AuditTargetContract | null;

  @FieldOf(
    { schema: () => ({ type: 'object', additionalProperties: true }) },
    { about: 'More about it, by the kind of action; never a secret.', example: { secretRotated: true } },
  )
  details: object;

  @Text({
    nullable: true,
    about:
      'The network that the request came from: 24 bits of an IPv4 address, 48 of an IPv6 one. Null: no request, or one ' +
      'of a customer.',
    example: '203.0.113.0/24',
  })
  address: string | null;

  @Text({ nullable: true, about: '`X-Request-Id` of the request.' })
  requestId: string | null;

  @Text({
    about:
      'The hash of this entry and all before it; no other one has it. Keep one: the operator checks with `verify:audit ' +
      '--head` that the log still contains it unchanged.',
    example: '0f'.repeat(32),
  })
  head: string;
}

export function presentAuditEntry(row: AuditRow): AuditEntryContract {
  return {
    at: toIsoSeconds(row.at),
    act: row.act,
    actor: { kind: row.actorKind, id: row.actorId },
    target:
      row.targetKind === null || row.targetId === null ? null : { kind: row.targetKind, id: row.targetId },
    details: detailsOf(row),
    // Addresses of customers are theirs.
    address: row.actorKind === 'customer' ? null : row.address,
    requestId: row.requestId,
    head: row.hash.toString('hex'),
  };
}

/**
 * `token` of an entry is a kind such as `AccessToken`; under that name log filters would take it for a secret. A list of
 * rows is for whoever holds the database; of an export, `rows` is a number.
 */
function detailsOf(row: AuditRow): object {
  const { token, ...details } = JSON.parse(row.details) as Record<string, AuditDetail>;
  const isList = ([name, value]: [string, AuditDetail]) =>
    name === 'changedRows' || (name === 'rows' && Array.isArray(value));
  return {
    ...Object.fromEntries(Object.entries(details).filter((entry) => !isList(entry))),
    ...(token !== undefined && { tokenKind: token }),
  };
}
