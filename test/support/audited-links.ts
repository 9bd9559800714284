import type { AuditAction } from '../../src/platform/kernel/audit-actions.pure.js';
import { AccountApi } from './account-api.js';
import type { AuditedRoute, AuditHarness } from './audit-harness.js';
import { Browser } from './browser.js';
import { PASSWORD } from './oauth-api.js';
import type { TestGateway } from './test-gateway.js';

type LinkAct = Extract<AuditAction, `access_link.${string}` | `member.${string}`>;

/** An owner who has invited a user, who has accepted or not. */
async function invited(gateway: TestGateway, hasAccepted: boolean) {
  const [owner, member] = [await AccountApi.open(gateway), await AccountApi.open(gateway)];
  const form = { email: member.user.email, role: 'viewer' };
  const { data } = await owner.call<{ id: string; url: string }>('POST', '/invitations', form);
  const accept = () =>
    member.call('POST', '/invitations/accept', { token: new URL(data.url).searchParams.get('token') });
  if (hasAccepted) await accept();
  return { owner, member, accept, path: `/members/${member.user.id}`, id: data.id };
}

async function done(answer: Promise<{ status: number }>): Promise<void> {
  const { status } = await answer;
  if (status >= 400) throw new Error(`answered ${status}`);
}

/**
 * The ways to make and use one-time links.
 * @param cli throws unless the command succeeded
 * @param emailOf the user whom the commands are about
 */
export function auditedLinks(
  { shop }: AuditHarness,
  cli: (args: string[]) => Promise<{ output: string }>,
  emailOf: () => string,
): Record<LinkAct, AuditedRoute<unknown>> {
  const route = <Ready>(description: AuditedRoute<Ready>) => description as AuditedRoute<unknown>;
  const makeLink = () => cli(['reset-password-link', '--email', emailOf()]);
  return {
    'access_link.created': route({
      act: makeLink,
      tables: ['access_links'],
      actor: () => 'operator',
      details: { kind: 'password' },
    }),
    'access_link.used': route({
      before: async () => (await makeLink()).output,
      act: async (output) => {
        const [url = ''] = /http\S+/.exec(output) ?? [];
        const { status } = await new Browser(shop.gateway).submit(url, { password: `${PASSWORD} anew` });
        if (status !== 200) throw new Error(`answered ${status}`);
      },
      tables: ['access_links', 'users'],
      actor: () => 'anonymous',
      details: { kind: 'password' },
    }),
    'access_link.withdrawn': route({
      before: () => invited(shop.gateway, false),
      act: ({ owner, id }) => done(owner.call('DELETE', `/invitations/${id}`)),
      tables: ['access_links'],
      actor: ({ owner }) => `user:${owner.user.id}`,
    }),
    'member.added': route({
      before: () => invited(shop.gateway, false),
      act: ({ accept }) => done(accept()),
      tables: ['account_members', 'access_links'],
      actor: ({ member }) => `user:${member.user.id}`,
      details: { role: 'viewer' },
    }),
    'member.role_changed': route({
      before: () => invited(shop.gateway, true),
      act: ({ owner, path }) => done(owner.call('PUT', path, { role: 'developer' })),
      tables: ['account_members'],
      actor: ({ owner }) => `user:${owner.user.id}`,
      details: { role: 'developer' },
    }),
    'member.removed': route({
      before: () => invited(shop.gateway, true),
      act: ({ owner, path }) => done(owner.call('DELETE', path)),
      tables: ['account_members'],
      actor: ({ owner }) => `user:${owner.user.id}`,
    }),
  };
}
