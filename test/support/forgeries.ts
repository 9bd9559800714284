import { createHash, randomBytes } from 'node:crypto';
import { newClientToken } from '../../src/tokens/client-token.pure.js';
import { Passwords } from '../../src/identity/oauth/people/passwords.js';
import { UsersService } from '../../src/identity/oauth/people/users.service.js';
import { Browser } from './browser.js';
import { tokensPath } from './client-tokens.js';
import { authorizeUrl, createClient, createUser, fetchTokens, PASSWORD, refresh } from './oauth-api.js';
import { Stage } from './forgery-stage.js';
import { TwoFactorApi } from './two-factor.js';

/*
 * What a writer of the database who lacks APP_KEYS may try, as the owner of the schema: no trigger stops them. Each row
 * is a statement and what the writer then does through the public door.
 */

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const LATER = '2999-01-01T00:00:00Z';

export interface Forgery {
  name: string;
  /** The table that the gateway reports. */
  table: string;
  /** Forges, tries, and returns the status. */
  run(stage: Stage): Promise<number>;
  /** The status that means: refused. */
  refused: number;
}

/** A token of the writer's choice, whose hash can be stored. */
const ownToken = () => randomBytes(32).toString('base64url');
const storedId = (token: string) => sha256(token).toString('base64url');

async function copyToken(stage: Stage, columns: string, values: readonly unknown[] = []): Promise<string> {
  const token = ownToken();
  await stage.write(
    `insert into oidc_payloads (kind, id, payload, grant_id, expires_at, mac)
     select ${columns} from oidc_payloads where id = $2`,
    [storedId(token), storedId(stage.account.accessToken), ...values],
  );
  return token;
}

const CLIENT_TOKEN_FORGERIES: Forgery[] = [
  {
    name: 'a client token that was inserted with the MAC of another one',
    table: 'client_tokens',
    refused: 401,
    run: async (stage) => {
      const { id } = await stage.clientToken();
      const token = newClientToken();
      await stage.write(
        `insert into client_tokens (id, application_id, user_id, label, scopes, token_hash, token_prefix, created_at, mac)
         select gen_random_uuid(), application_id, user_id, label, scopes, $2, token_prefix, created_at, mac
         from client_tokens where id = $1`,
        [id, sha256(token)],
      );
      return stage.clientStatus(token);
    },
  },
  {
    name: 'a client token that was inserted without a MAC',
    table: 'client_tokens',
    refused: 401,
    run: async (stage) => {
      const { id } = await stage.clientToken();
      const token = newClientToken();
      await stage.write(
        `insert into client_tokens (id, application_id, user_id, label, scopes, token_hash, token_prefix, created_at)
         select gen_random_uuid(), application_id, user_id, label, scopes, $2, token_prefix, created_at
         from client_tokens where id = $1`,
        [id, sha256(token)],
      );
      return stage.clientStatus(token);
    },
  },
  ...(
    [
      ['another scope', `scopes = '{*}'`],
      ['no end', 'expires_at = null'],
      [
        'another application',
        `(application_id, user_id) = (select id, user_id from payment_applications where id <> t.application_id limit 1)`,
      ],
    ] as const
  ).map(([what, assignment]) => ({
    name: `a client token with ${what}`,
    table: 'client_tokens',
    refused: 401,
    run: async (stage: Stage) => {
      await Stage.open(stage.gateway);
      const expiresAt = new Date(stage.gateway.clock.now().getTime() + 60_000);
      const { id, token } = await stage.clientToken({ scopes: ['payments.get'], expiresAt });
      await stage.write(`update client_tokens t set ${assignment} where id = $1`, [id]);
      return stage.clientStatus(token);
    },
  })),
  {
    name: 'a client token that was un-revoked',
    table: 'client_tokens',
    refused: 401,
    run: async (stage) => {
      const { id, token } = await stage.clientToken();
      const path = `${tokensPath(stage.applicationId)}/${id}`;
      await fetch(`${stage.gateway.baseUrl}${path}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${stage.owner.accessToken}` },
      });
      await stage.write('update client_tokens set revoked_at = null where id = $1', [id]);
      return stage.clientStatus(token);
    },
  },
];

const OAUTH_FORGERIES: Forgery[] = [
  {
    name: 'an access token that was copied to another id, with its MAC',
    table: 'oidc_payloads',
    refused: 401,
    run: async (stage) =>
      stage.oauthStatus(await copyToken(stage, 'kind, $1, payload, grant_id, expires_at, mac')),
  },
  {
    name: 'an access token without a MAC',
    table: 'oidc_payloads',
    refused: 401,
    run: async (stage) =>
      stage.oauthStatus(await copyToken(stage, 'kind, $1, payload, grant_id, expires_at, null')),
  },
  {
    name: 'a token of a client that is good for a thousand years',
    table: 'oidc_payloads',
    refused: 401,
    run: async (stage) => {
      const token = ownToken();
      const payload = { kind: 'ClientCredentials', clientId: stage.owner.clientId, scope: '*' };
      await stage.write(
        `insert into oidc_payloads (kind, id, payload, expires_at) values ('ClientCredentials', $1, $2, $3)`,
        [storedId(token), payload, LATER],
      );
      return stage.oauthStatus(token);
    },
  },
  {
    name: 'an access token of another user',
    table: 'oidc_payloads',
    refused: 401,
    run: async (stage) => {
      await stage.write(
        `update oidc_payloads set payload = jsonb_set(payload, '{accountId}', to_jsonb($2::text)) where id = $1`,
        [storedId(stage.account.accessToken), await stage.newOperator()],
      );
      return stage.operatorStatus(stage.account.accessToken);
    },
  },
  {
    name: 'an access token whose end was moved',
    table: 'oidc_payloads',
    refused: 401,
    run: async (stage) => {
      await stage.write(`update oidc_payloads set expires_at = $2 where id = $1`, [
        storedId(stage.account.accessToken),
        LATER,
      ]);
      return stage.oauthStatus(stage.account.accessToken);
    },
  },
  {
    name: 'a refresh token that was made unused again',
    table: 'oidc_payloads',
    refused: 400,
    run: async (stage) => {
      const { gateway, clientId, user } = stage.account;
      const tokens = await fetchTokens(gateway, clientId, user.email);
      await refresh(gateway, clientId, tokens['refresh_token']);
      await stage.write('update oidc_payloads set consumed_at = null where id = $1', [
        storedId(String(tokens['refresh_token'])),
      ]);
      return (await refresh(gateway, clientId, tokens['refresh_token'])).status;
    },
  },
  {
    name: "a browser's session that was given another user",
    table: 'oidc_payloads',
    // The page for the password.
    refused: 200,
    run: async (stage) => {
      const { gateway, clientId, user } = stage.account;
      const thief = await createUser(gateway);
      const browser = new Browser(gateway);
      const login = await browser.follow(await browser.get(authorizeUrl(clientId)));
      const fields = { email: thief.email, password: PASSWORD, decision: 'allow' };
      await browser.follow(await browser.submit(login.url, fields));
      await stage.write(
        `update oidc_payloads set payload = jsonb_set(payload, '{accountId}', to_jsonb($2::text))
         where kind = 'Session' and payload->>'accountId' = $1`,
        [thief.id, user.id],
      );
      const page = await browser.follow(await browser.get(authorizeUrl(clientId)));
      return page.body.includes('type="password"') ? page.status : 303;
    },
  },
  {
    name: 'a client that was given another redirect address',
    table: 'oauth_clients',
    refused: 400,
    run: async (stage) => {
      const clientId = await createClient(stage.gateway);
      await stage.write('update oauth_clients set redirect_uris = $2 where client_id = $1', [
        clientId,
        ['https://thief.example/'],
      ]);
      const url = authorizeUrl(clientId, { redirect_uri: 'https://thief.example/' });
      return (await new Browser(stage.gateway).get(url)).status;
    },
  },
  ...(
    [
      ['secret', 'secret_hash', () => sha256('a secret of the thief')],
      ['user', 'user_id', (operator: string) => operator],
      ['grant', 'grant_types', () => ['client_credentials', 'authorization_code']],
    ] as const
  ).map(([what, column, value]) => ({
    name: `a client that was given another ${what}`,
    table: 'oauth_clients',
    refused: 401,
    run: async (stage: Stage) => {
      await stage.write(`update oauth_clients set ${column} = $2 where client_id = $1`, [
        stage.owner.clientId,
        value(await stage.newOperator()),
      ]);
      return stage.operatorStatus(stage.owner.accessToken);
    },
  })),
];

/** @param change of the row of the account's user */
const ofUser = (
  name: string,
  change: string,
  refused: number,
  attempt: (stage: Stage) => Promise<number>,
  value: (stage: Stage) => unknown = () => null,
): Forgery => ({
  name,
  table: 'users',
  refused,
  run: async (stage) => {
    const values = [stage.account.user.id, await value(stage)].slice(0, change.includes('$2') ? 2 : 1);
    await stage.write(`update users set ${change} where id = $1`, values);
    return attempt(stage);
  },
});

const USER_FORGERIES: Forgery[] = [
  ofUser("an operator's rights", 'is_operator = true', 401, (stage) =>
    stage.operatorStatus(stage.account.accessToken),
  ),
  ofUser(
    'another password hash',
    'password_hash = $2',
    422,
    (stage) => stage.signInStatus(stage.account.user.email, 'a password of the thief'),
    // Peppered, as only somebody with APP_KEYS can: the row alone has to be refused.
    async (stage) => (await stage.gateway.get(Passwords).hash('a password of the thief')).passwordHash,
  ),
  ofUser('another email address', `email = 'thief-' || id || '@example.test'`, 422, (stage) =>
    stage.signInStatus(`thief-${stage.account.user.id}@example.test`),
  ),
  {
    name: 'a user who was enabled again',
    table: 'users',
    refused: 422,
    run: async (stage) => {
      const { id, email } = stage.account.user;
      await stage.gateway.get(UsersService).disable(id);
      await stage.write('update users set disabled_at = null where id = $1', [id]);
      return stage.signInStatus(email);
    },
  },
  {
    name: 'the client token of a user who was enabled again',
    table: 'users',
    refused: 401,
    run: async (stage) => {
      const { token } = await stage.clientToken();
      await stage.gateway.get(UsersService).disable(stage.owner.userId);
      await stage.write('update users set disabled_at = null where id = $1', [stage.owner.userId]);
      return stage.clientStatus(token);
    },
  },
  {
    name: 'a second factor that was deleted',
    table: 'second_factors',
    // The page for the code.
    refused: 200,
    run: async (stage) => {
      await TwoFactorApi.open(stage.account);
      const { id, email } = stage.account.user;
      await stage.write('delete from second_factors where user_id = $1', [id]);
      return stage.signInStatus(email);
    },
  },
  {
    name: 'a second factor that was deleted, with its mark',
    table: 'users',
    refused: 422,
    run: async (stage) => {
      await TwoFactorApi.open(stage.account);
      const { id, email } = stage.account.user;
      await stage.write('delete from second_factors where user_id = $1', [id]);
      await stage.write('update users set has_second_factor = false where id = $1', [id]);
      return stage.signInStatus(email);
    },
  },
  {
    name: 'a recovery code of the writer',
    table: 'recovery_codes',
    refused: 422,
    run: async (stage) => {
      const factor = await TwoFactorApi.open(stage.account);
      const { id } = stage.account.user;
      await stage.write('update recovery_codes set code_hash = $2 where user_id = $1 and slot = 1', [
        id,
        sha256(`recovery-code|${id}|0000000000000000`),
      ]);
      return factor.signInStatus('0000-0000-0000-0000');
    },
  },
  {
    name: 'a recovery code that was made unused again',
    table: 'recovery_codes',
    refused: 422,
    run: async (stage) => {
      const factor = await TwoFactorApi.open(stage.account);
      const [code = ''] = factor.recoveryCodes;
      await factor.signInStatus(code);
      await stage.write('update recovery_codes set used_at = null where user_id = $1', [
        stage.account.user.id,
      ]);
      return factor.signInStatus(code);
    },
  },
];

export const FORGERIES: readonly Forgery[] = [
  ...CLIENT_TOKEN_FORGERIES,
  ...OAUTH_FORGERIES,
  ...USER_FORGERIES,
];
