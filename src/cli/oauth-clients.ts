import { randomBytes } from 'node:crypto';
import { type Command, newSecret, required, UsageError } from './command.js';
import { getNamed } from './named-user.js';
import { OAuthClientsService } from '../identity/oauth/oauth-clients.service.js';
import { ProvisioningService } from '../identity/oauth/provisioning.service.js';
import { isOAuthScope, OAUTH_SCOPES, type OAuthScope } from '../platform/kernel/oauth-scopes.pure.js';
import { toIsoSeconds } from '../platform/kernel/clock.pure.js';

export const createOAuthClient: Command = async (app, options, terminal) => {
  const redirectUris = options['redirect-uri'];
  const isForServer = redirectUris.length === 0;
  if (isForServer === !options.user) throw new UsageError('give either --user or --redirect-uri');
  const user = options.user ? await getNamed(app, options.user, 'user') : null;
  const scopes = options.scope.map(scopeOption);
  const clientId = randomBytes(16).toString('hex');
  const secret = isForServer || options.confidential ? newSecret() : null;
  await app.get(ProvisioningService).ensureClient({
    clientId,
    name: required(options.name, 'name'),
    secret,
    userId: user?.id ?? null,
    grantTypes: isForServer ? ['client_credentials'] : ['authorization_code', 'refresh_token'],
    redirectUris,
    ...(scopes.length > 0 && { scopes }),
  });
  terminal.write(`client id:     ${clientId}\n`);
  if (secret) terminal.write(`client secret: ${secret}   (shown this once)\n`);
};

function scopeOption(text: string): OAuthScope {
  if (isOAuthScope(text)) return text;
  throw new UsageError(`--scope ${text} is not one of ${OAUTH_SCOPES.join(', ')}`);
}

export const listOAuthClients: Command = async (app, _options, terminal) => {
  for (const client of await app.get(OAuthClientsService).list()) {
    const { clientId, name, email, scopes, createdAt, revokedAt } = client;
    const state = revokedAt ? `revoked ${toIsoSeconds(revokedAt)}` : `created ${toIsoSeconds(createdAt)}`;
    const granted = scopes ? `  [${scopes.join(' ')}]` : '';
    terminal.write(`${clientId}  ${state}  ${email ?? 'for sign-in'}  ${name}${granted}\n`);
  }
};

export const rotateOAuthClient: Command = async (app, options, terminal) => {
  const clientId = required(options['client-id'], 'client-id');
  const secret = newSecret();
  if (!(await app.get(ProvisioningService).changeSecret(clientId, secret)))
    throw new UsageError(`there is no client ${clientId} with a secret that could be changed`);
  terminal.write(`client id:     ${clientId}\nclient secret: ${secret}   (shown this once)\n`);
};

export const revokeOAuthClient: Command = async (app, options, terminal) => {
  const clientId = required(options['client-id'], 'client-id');
  if (!(await app.get(ProvisioningService).revokeClient(clientId)))
    throw new UsageError(`there is no client ${clientId} that could be revoked`);
  terminal.write(`client id: ${clientId}\nrevoked:   yes\n`);
};
