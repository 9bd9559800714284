/**
 * What the command line offers, in the order of its help. The options that a command takes are those that its first
 * lines name: help and program cannot differ.
 */
export const COMMANDS = {
  'create-user': `create-user --email <address> [--operator] [--password-stdin]
      A user who can sign in. The password is read from standard input, or made and printed once.`,
  'set-operator': `set-operator --email <address> [--revoke]
      Gives a user the right to the operator's views (/api/admin), or takes it back.`,
  'disable-user': `disable-user --email <address>
      Rejects every sign-in and token of a user, and of the OAuth clients that act for them. Their applications and
      payments stay, and payments under way go on.`,
  'enable-user': `enable-user --email <address>
      Undoes disable-user. The user has to sign in again.`,
  'disable-two-factor': `disable-two-factor --email <address>
      For a user who has lost device and recovery codes: the password alone signs in again. First make sure
      who is asking.`,
  verify: `verify [--json]
      Recomputes every balance and status from the chains and from the facts, while the gateway runs or not.
      Lists every difference and every unattributed deposit; exits with 1 when anything differs or was left out.`,
  'verify:audit': `verify:audit [--head <number>:<hash>]
      Computes the audit log's chain of hashes again. Prints its end, to be kept elsewhere; given the end of an
      earlier run, also proves that nothing was cut off. Exits with 1 at the first row that is not as it was.`,
  doctor: `doctor [--json]
      Checks everything around the gateway that has to be right: database, clocks, DNS, TLS, proxy headers, nodes,
      exchange rates, the shops' endpoints. Prints a fix for each finding; exits with 1 when a failure is among them.`,
  'after-restore': `after-restore [--skip <count>]
      Raises the number of the next deposit address of every wallet, by 1000 unless told, so that none is handed out
      twice, and lets the event feed go on behind every cursor. Only for restores that the gateway cannot notice: a
      copy of the disk, a dump whose wallets do not remember their database yet.`,
  'reseal-secrets': `reseal-secrets
      After a new key was put in front of APP_KEYS, seals with it what older keys have sealed, while the gateway
      runs or not. May be interrupted and run again. Exits with 1 when something could not be opened.`,
  'create-oauth-client': `create-oauth-client --name <name> --user <address>
  create-oauth-client --name <name> --redirect-uri <url> [--redirect-uri <url>…] [--confidential]
      With --user: for a merchant's own server (client_credentials), which acts for that user. Prints id and secret
      once. With --redirect-uri: for a program that people sign in to (authorization code with PKCE), without a
      secret unless --confidential is given.`,
  'list-oauth-clients': `list-oauth-clients
      Id, name, user and state of each, the newest first.`,
  'revoke-oauth-client': `revoke-oauth-client --client-id <id>
      Rejects its tokens and issues no new ones. To change a secret without a pause, create another client first.`,
} as const satisfies Record<string, string>;

export type CommandName = keyof typeof COMMANDS;

export const USAGE = `Usage: npm run --silent cli -- <command> [options]
       node dist/src/cli.js <command> [options]     in the image, and wherever the gateway is built

Works on the gateway that its environment (DATABASE_URL, APP_KEYS, …) describes. Without DATABASE_URL, and unless
NODE_ENV is "production", on the development profile that runs with DATA_DIR (default .data).
Exits with 0, with 1 when it failed or found something wrong, and with 2 when the command line is not understood.

${Object.values(COMMANDS)
  .map((text) => `  ${text}\n`)
  .join('\n')}`;

/** Option names without their dashes, from the lines of a command's usage above its explanation. */
export function optionsOf(name: CommandName): string[] {
  const synopsis = COMMANDS[name].split('\n').filter((line) => !line.startsWith('      '));
  return [...synopsis.join(' ').matchAll(/--([a-z-]+)/g)].map(([, option = '']) => option);
}

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
