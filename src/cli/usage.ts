/**
 * The commands with their help, in its order. A command takes the options that the first lines of its help name, so help
 * and program cannot differ.
 */
export const COMMANDS = {
  users: `users
      Prints id, state, rights, second factor and address of every user.`,
  'create-user': `create-user --email <address> [--operator] [--password-stdin]
      Creates a user who can sign in. The password is read from standard input, or generated and printed once. An address
      that its user chose, or who invited them, is taken over: that user keeps their account, without it.`,
  'reset-password-link': `reset-password-link --email <address or id>
      For a user who has forgotten the password: prints a link that works once, for an hour, and replaces the one before.
      The new password ends every sign-in of the user; a second factor stays. Verify the user's identity first.`,
  'set-operator': `set-operator --email <address or id> [--revoke]
      Gives a user access to the operator's views (/api/admin), or revokes it. Not a user whose address they chose
      themselves, or who invited them; no command finds such a user by the address, only by the id.`,
  'disable-user': `disable-user --email <address or id>
      Rejects every sign-in and token of a user, and of the OAuth clients that act for them. Their applications and
      payments stay, and open payments are processed further. Not for the only operator.`,
  'enable-user': `enable-user --email <address or id>
      Undoes disable-user. The user has to sign in again.`,
  'transfer-account': `transfer-account --user <address or id> --to <address>
      Hands a whole account, with its applications, wallets and payments, to another person, who must not be a user yet:
      prints the link by which they set a password. The former person cannot sign in any more. Members, client tokens and
      OAuth clients stay, because shops work with them: replace their secrets where the former person knows them.`,
  'erase-user': `erase-user --user <address or id>
      Erases, for good, what is known of a person: address, name, password, second factor, sign-ins, memberships and saved
      views. Revokes their OAuth clients and deletes their applications, whose open payments are still followed. Records
      of money and the audit log stay, with the id alone. Run disable-user before.`,
  'export-account': `export-account --user <address or id> --to <folder>
      Writes everything that is stored of an account into a new folder: one file for each table, a line of JSON for each
      row, and a manifest with their numbers and SHA-256. Secrets are left out; the manifest says which and why.`,
  'restore-user': `restore-user --email <address or id>
      For a user whose row was changed outside of the gateway, and who is therefore refused: gives them a new password,
      which is printed once, takes an operator's rights away and ends every sign-in. Check the address first.`,
  'disable-two-factor': `disable-two-factor --email <address or id>
      For a user who has lost the device and the recovery codes: signing in needs only the password again. Verify the
      user's identity first.`,
  verify: `verify [--full] [--json]
      Recomputes balances and statuses from the chains and the recorded facts, whether the gateway runs or not: of the
      payments that are new, could be paid or changed since the last run, and of those that differed then; of all of
      them with --full, and the first time. Goes on where an interrupted run stopped. Lists every difference and every
      unattributed deposit of these; exits with 1 if anything differs or was left out. Reports progress on standard error.`,
  'verify:audit': `verify:audit [--head <number>:<hash> | --head <hash>] [--investigated <number>]
      Checks every entry of the audit log, its order and its end under APP_KEYS, and prints its head. With a head that
      the gateway logged, an earlier run printed or a user got from GET /api/audit, also proves that the log was not put
      back to a time before it. Exits with 1 at the first row that was changed, and at an entry audit_log.resumed, unless its number is at most that of
      --investigated.`,
  rescan: `rescan --chain <slug> --from <height> [--to <height>]
      Reads applied blocks of a chain again, beside the running gateway, and credits the transfers that are not recorded:
      for blocks that a node without traces, a faulty node or a wrong list of tokens has left incomplete. Can be
      interrupted and repeated. Exits with 1 if it stopped before the end, or left out a transaction.`,
  'resume-chain': `resume-chain --chain <slug>
      Ends the halt of a chain, whose node follows the right fork again. The watcher goes on from the applied block, and
      halts again if it still finds no common block.`,
  'set-start-height': `set-start-height --chain <slug> --height <height> [--force]
      Changes where the reading of a chain begins, beside the running gateway. Below the newest applied block: reads the
      blocks from there on again, as rescan. Above it: leaves out the blocks in between; those that could have paid an
      address only with --force.`,
  payment: `payment --id <id>
      Tells what is known of a payment: its addresses with their paths, rates, transfers, moves, refunds, what people
      did, and events with the outcome of their delivery. Changes nothing.`,
  'replay-webhooks': `replay-webhooks --since <time>
      Makes failed and given-up deliveries of all applications due at once, those of events since a time such as
      2026-01-15T10:00:00Z: after an outage of the gateway's own network. Prints the number of each application.`,
  migrate: `migrate
      Brings the schema up to date, and grants the role of DATABASE_URL its rights, with the role of
      DATABASE_MIGRATION_URL. Needs these two and APP_KEYS only. A start of the gateway does the same, unless it has no
      DATABASE_MIGRATION_URL: then it expects that nothing is left to do, or owns the schema itself.`,
  doctor: `doctor [--json]
      Checks everything around the gateway: database, clocks, DNS, TLS, proxy headers, nodes, exchange rates, the
      shops' endpoints. Prints a fix for each finding; exits with 1 if any of them is a failure.`,
  'restore-drill': `restore-drill [--dump <file>] [--keep] [--database <name>]
      Proves a backup: restores it into a new database beside the gateway's, migrates that, runs verify and verify:audit
      in it and drops it. Without --dump (of pg_dump -Fc) dumps first. With --database only checks a copy that is there
      already, so that no tools of Postgres are needed. Exits with 1 unless the backup holds as a whole.`,
  'after-restore': `after-restore [--skip <count>]
      Advances every wallet by 1000 deposit addresses, or by --skip, so that no address is issued twice, and the event
      feed past every cursor. Needed only after a restore that the gateway cannot detect: a copy of the disk, or a
      dump in which the wallets do not record their database yet.`,
  'reseal-secrets': `reseal-secrets
      After a new key was added at the front of APP_KEYS, encrypts and authenticates with it what older keys have,
      whether the gateway runs or not. Can be interrupted and run again. Exits with 1 if no key fits something.`,
  'instruction-key': `instruction-key
      Prints the public keys that payment instructions are signed with, the newest first, and their thumbprints. Give
      the key to merchants on another way than through this gateway: they pin it.`,
  'create-oauth-client': `create-oauth-client --name <name> --user <address or id> [--scope <scope>…]
  create-oauth-client --name <name> --redirect-uri <url> [--redirect-uri <url>…] [--confidential] [--scope <scope>…]
      With --user: for a merchant's own server (client_credentials), which acts for that user. Prints id and secret
      once. With --redirect-uri: for an application that users sign in to (authorization code with PKCE), without a
      secret unless --confidential is given. --scope limits the client to the scopes that are named. Without it, it may
      have all, but --user only those that do not change wallets: name wallets:write for a server that may do that.`,
  'list-oauth-clients': `list-oauth-clients
      Prints id, name, user, state and granted scopes of each, newest first.`,
  'rotate-oauth-client': `rotate-oauth-client --client-id <id>
      Gives it another secret, which is printed once, and refuses the old one at once. To change a secret without
      downtime, create another client first.`,
  'revoke-oauth-client': `revoke-oauth-client --client-id <id>
      Rejects its tokens and issues no new ones.`,
} as const satisfies Record<string, string>;

export type CommandName = keyof typeof COMMANDS;

export const USAGE = `Usage: npm run --silent cli -- <command> [options]
       node dist/src/cli.js <command> [options]     in the image, and wherever the gateway is built
       payment-gateway <command> [options]          on a server that install.sh has set up

Works on the gateway that its environment (DATABASE_URL, APP_KEYS, …) describes. Without DATABASE_URL, and unless
NODE_ENV is "production", it works on the development profile that runs with DATA_DIR (default .data).
Exits with 0, with 1 if it failed or found a problem, and with 2 if the command line is invalid.

${Object.values(COMMANDS)
  .map((text) => `  ${text}\n`)
  .join('\n')}`;

/** Option names without their dashes, from the lines of a command's help above its explanation. */
export function optionsOf(name: CommandName): string[] {
  const synopsis = COMMANDS[name].split('\n').filter((line) => !line.startsWith('      '));
  return [...synopsis.join(' ').matchAll(/--([a-z-]+)/g)].map(([, option = '']) => option);
}

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
