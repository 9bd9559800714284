import type { AuditedRoute, AuditHarness } from './audit-harness.js';
import { Browser } from './browser.js';
import { PASSWORD } from './oauth-api.js';

/**
 * The ways to make and use one-time links.
 * @param cli throws unless the command succeeded
 * @param emailOf the user whom the commands are about
 */
export function auditedLinks(
  { shop }: AuditHarness,
  cli: (args: string[]) => Promise<{ output: string }>,
  emailOf: () => string,
): Record<'access_link.created' | 'access_link.used', AuditedRoute<unknown>> {
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
  };
}
