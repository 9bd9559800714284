import { type Command, newSecret, required, type Terminal, UsageError } from './command.js';
import { getNamed } from './named-user.js';
import { AccountTransfer } from '../identity/oauth/people/account-transfer.service.js';
import { AccessLinksService } from '../identity/oauth/access-links.service.js';
import { OwnClientsService } from '../identity/oauth/own-clients.service.js';
import { TwoFactorService } from '../identity/oauth/people/two-factor.service.js';
import { Sql } from '../platform/database/sql.js';
import { UserErasure } from '../identity/oauth/people/user-erasure.service.js';
import { UsersService } from '../identity/oauth/people/users.service.js';

const freed = (email: string, former: string) =>
  `nobody had vouched for ${email}: its former user ${former} keeps their account, and is signed out\n`;

export const createUser: Command = async (app, options, terminal) => {
  const isGiven = options['password-stdin'];
  const password = isGiven ? await readPassword(terminal.input) : newSecret();
  const email = required(options.email, 'email');
  const users = app.get(UsersService);
  const { former, user } = await app.get(Sql).transaction(async () => ({
    former: await users.freeAddress(email),
    user: await users.create({ email, password, isOperator: options.operator }),
  }));
  if (former !== null) terminal.writeError(freed(email, former));
  terminal.write(`user id:  ${user.id}\nemail:    ${user.email}\n`);
  if (!isGiven) terminal.write(`password: ${password}   (shown this once)\n`);
};

export const setOperator: Command = async (app, options, terminal) => {
  const user = await getNamed(app, options.email, 'email');
  await app.get(UsersService).setOperator(user.id, !options.revoke);
  terminal.write(`email:    ${user.email}\noperator: ${options.revoke ? 'no' : 'yes'}\n`);
};

export const disableUser: Command = async (app, options, terminal) => {
  const user = await getNamed(app, options.email, 'email');
  await app.get(UsersService).disable(user.id);
  terminal.write(`email:    ${user.email}\ndisabled: yes\n`);
};

export const enableUser: Command = async (app, options, terminal) => {
  const user = await getNamed(app, options.email, 'email');
  await app.get(UsersService).enable(user.id);
  terminal.write(`email:    ${user.email}\ndisabled: no\n`);
};

export const eraseUser: Command = async (app, options, terminal) => {
  const user = await getNamed(app, options.user, 'user');
  await app.get(UserErasure).erase(user.id);
  terminal.write(`user id: ${user.id}\nerased:  yes\n`);
};

export const transferAccount: Command = async (app, options, terminal) => {
  const user = await getNamed(app, options.user, 'user');
  const to = required(options.to, 'to');
  const { url, former } = await app.get(AccountTransfer).transfer(user.id, to);
  if (former !== null) terminal.writeError(freed(to, former));
  terminal.write(`account: ${user.id}\nformer:  ${user.email}\nnow:     ${to}\n`);
  terminal.write(`link:    ${url}   (works once, for an hour)\n`);
  const clients = await app.get(OwnClientsService).list(user.id);
  for (const { clientId, name } of clients)
    terminal.write(`OAuth client that keeps its secret: ${clientId} (${JSON.stringify(name)})\n`);
};

export const listUsers: Command = async (app, _options, terminal) => {
  for (const user of await app.get(UsersService).list()) {
    const state = user.isAuthentic
      ? user.disabledAt
        ? 'disabled'
        : 'active'
      : 'changed outside of the gateway';
    const rights = user.isOperator ? 'operator' : 'merchant';
    const factor = user.hasSecondFactor ? 'second factor' : 'password only';
    terminal.write(`${user.id}  ${state}  ${rights}  ${factor}  ${user.email}\n`);
  }
};

export const resetPasswordLink: Command = async (app, options, terminal) => {
  const user = await getNamed(app, options.email, 'email');
  if (user.disabledAt !== null) throw new UsageError(`${user.email} is disabled: run enable-user first`);
  const { url } = await app.get(AccessLinksService).createPasswordReset(user.id);
  terminal.write(`email: ${user.email}\nlink:  ${url}   (works once, for an hour)\n`);
};

export const restoreUser: Command = async (app, options, terminal) => {
  const password = newSecret();
  const user = await app.get(UsersService).restore(required(options.email, 'email'), password);
  terminal.write(`user id:  ${user.id}\nemail:    ${user.email}\noperator: no\n`);
  terminal.write(`password: ${password}   (shown this once)\n`);
};

export const disableTwoFactor: Command = async (app, options, terminal) => {
  const user = await getNamed(app, options.email, 'email');
  const wasEnabled = await app.get(TwoFactorService).reset(user.id);
  const outcome = wasEnabled ? 'is disabled' : 'was not enabled';
  terminal.write(`two-factor authentication of ${user.email} ${outcome}\n`);
};

/** Without the line end that `echo` and password managers add. */
async function readPassword(input: Terminal['input']): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
