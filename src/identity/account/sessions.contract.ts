import { Contract } from '../../platform/web/contract/contract.js';
import { Count, Flag, Instant, Text, TextList } from '../../platform/web/contract/fields.js';
import { toIsoSeconds } from '../../platform/kernel/clock.pure.js';
import type { SignInSession } from '../oauth/sessions.service.js';

export const EXAMPLE_SESSION_ID = 'k3V9x2M7q1W8e5R4t6Y0u2I8o1P3a7S5d4F6g8H0jKl';

/** A program that a user has signed in to (specification/authentication.md#sessions). */
@Contract('Session', 'A program that you have signed in to, and that may act for you.')
export class SessionContract {
  @Text({ about: 'The session; `sessionId` in paths.', example: EXAMPLE_SESSION_ID })
  id: string;

  @Text({ about: 'The OAuth client.', example: 'dashboard' })
  clientId: string;

  @Text({ nullable: true, about: 'Its name; null: it was removed.', example: 'Dashboard' })
  clientName: string | null;

  @TextList({ about: 'What it may do.', example: ['*'] })
  scopes: string[];

  @Instant({ about: 'When you signed in.' })
  signedInAt: string;

  @Instant({ about: 'When it last fetched a token.', example: '2026-01-15T12:00:00Z' })
  lastUsedAt: string;

  @Instant({ about: 'When it ends unless you sign in again.', example: '2026-02-14T10:00:00Z' })
  expiresAt: string;

  @Flag({ about: 'The session of this request.', example: true })
  current: boolean;
}

@Contract('EndedSessions', 'What was ended.')
export class EndedSessionsContract {
  @Count({ about: 'Sessions that have ended.', example: 2 })
  ended: number;
}

export function presentSession(session: SignInSession, currentId: string | null): SessionContract {
  return {
    id: session.id,
    clientId: session.clientId,
    clientName: session.clientName,
    scopes: session.scopes,
    signedInAt: toIsoSeconds(session.signedInAt),
    lastUsedAt: toIsoSeconds(session.lastUsedAt),
    expiresAt: toIsoSeconds(session.expiresAt),
    current: session.id === currentId,
  };
}
