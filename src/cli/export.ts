import { CONFIG, type Config } from '../config.js';
import { type Command, required, UsageError } from './command.js';
import { getNamed } from './named-user.js';
import { AccountExport } from '../operations/accounts/account-export.service.js';
import { sqlState } from '../platform/database/database-errors.pure.js';

export const exportAccount: Command = async (app, options, terminal) => {
  const named = required(options.user, 'user');
  const folder = required(options.to, 'to');
  // Users of an identity provider have no row here: their id is taken as it is.
  const isForeign = app.get<Config>(CONFIG).externalIssuer !== null && !named.includes('@');
  const userId = isForeign ? named : (await getNamed(app, named, 'user')).id;
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
