import { AccountApi } from './account-api.js';
import type { AuditedRoute, AuditHarness } from './audit-harness.js';

/** The ways to end sessions. @param done throws unless the gateway did it */
export function auditedSessions(
  { shop }: AuditHarness,
  done: (answer: Promise<{ status: number }>) => Promise<void>,
): Record<'session.ended' | 'sessions.ended', AuditedRoute<unknown>> {
  const route = <Ready>(description: AuditedRoute<Ready>) => description as AuditedRoute<unknown>;
  return {
    'session.ended': route({
      before: () => AccountApi.open(shop.gateway),
      act: async (person) => {
        const { data } = await person.call<{ id: string }[]>('GET', '/sessions');
        await done(person.call('DELETE', `/sessions/${data[0]?.id}`));
      },
      tables: ['oidc_payloads'],
      actor: (person) => `user:${person.user.id}`,
    }),
    'sessions.ended': route({
      before: () => AccountApi.open(shop.gateway),
      act: (person) => done(person.call('POST', '/sessions/end-others')),
      tables: ['oidc_payloads'],
      actor: (person) => `user:${person.user.id}`,
      details: { count: 0 },
    }),
  };
}
