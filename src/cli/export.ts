import { CONFIG, type Config } from '../config.js';
import { type Command, required, UsageError } from './command.js';
import { UsersService } from '../identity/oauth/people/users.service.js';
import { AccountExport } from '../operations/accounts/account-export.service.js';
import { sqlState } from '../platform/database/database-errors.pure.js';

export const exportAccount: Command = async (app, options, terminal) => {
  const named = required(options.user, 'user');
  const folder = required(options.to, 'to');
  const userId = await findAccount(app.get(UsersService), app.get<Config>(CONFIG), named);
  const files = await app
    .get(AccountExport)
    .run(userId, folder, ({ name, rows }) => terminal.writeError(`${name}: ${rows}\n`))
    .catch((error: unknown) => {
      if (sqlState(error) === 'EEXIST')
        throw new UsageError('--to must name a folder that does not exist yet');
      throw error;
    });
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  terminal.write(`account: ${userId}\nfiles:   ${files.length}\nrows:    ${rows}\nfolder:  ${folder}\n`);
};

/** Users of an identity provider have no row here: their id is taken as it is. @throws UsageError, NotFoundError */
async function findAccount(users: UsersService, { externalIssuer }: Config, named: string): Promise<string> {
  const user = named.includes('@') ? await users.findByEmail(named) : null;
  if (user) return user.id;
  if (externalIssuer !== null) return named;
  if (named.includes('@')) throw new UsageError(`there is no user ${named}`);
  return (await users.getSummary(named)).id;
}
