import { actorIdOf, grantIdOf, type Principal } from './principal.pure.js';

const owner: Principal = {
  kind: 'oauth',
  userId: 'owner',
  clientId: 'dashboard',
  grantId: 'sign-in',
  scopes: ['*'],
  signIn: null,
};
const member: Principal = { ...owner, member: { userId: 'member', role: 'viewer' } };
const server: Principal = { ...owner, clientId: 'server', grantId: null };
const token: Principal = {
  kind: 'client',
  userId: 'owner',
  applicationId: 'application',
  tokenId: 'token',
  scopes: ['*'],
};

it.each([
  ['the owner of an account', owner, 'owner', 'sign-in'],
  ['a member, who has rights of the account', member, 'member', 'sign-in'],
  ['a server of the owner, which never signed in', server, 'owner', null],
  ['a client token', token, 'owner', null],
])('%s acts as who it is', (_who, principal, actor, grant) => {
  expect([actorIdOf(principal), grantIdOf(principal)]).toEqual([actor, grant]);
});
