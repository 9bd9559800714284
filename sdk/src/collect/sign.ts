#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { isOfAccount, KeyError, keysOf, readAccount } from './account-key.pure.js';
import { readOptions, UsageError } from './command-line.pure.js';
import { DestinationError, readDestination } from './destination.pure.js';
import { Answers } from './hidden-input.js';
import { type Plan, PlanError, readPlan } from './plan.pure.js';
import { COIN_DECIMALS, type Choices, prepare, signAll } from './sign-plan.pure.js';
import { amountText, summaryOf } from './words.pure.js';

const USAGE = `Usage: collect-sign --plan <file> --to <address> [--out <file>] [options]

Signs what sends everything from the addresses of a plan (POST …/collections, "plans") to one address. Works offline:
run it on a machine that is not connected. It asks for the recovery phrase, or the extended private key (xprv), on
standard input without showing them, derives every address again, says what it will sign, and asks.

  --out <file>      what collect-send sends; default: signed-transactions.json. It must not exist.
  --account <path>  of the account, where the wallet has another than the plan: m/44'/60'/1'
  --passphrase      ask for the passphrase of the words, too (BIP39; "25th word")
  --contract        the destination is a contract, such as a Safe, which uses more gas when coin arrives
  --legacy          with a gas price in place of EIP-1559
  --take-rest       send what the account that pays the fees has left, too

Exits with 0 when the file was written, 1 when you said no, 2 when something is wrong.
`;

/** What the person who runs it has to put right. */
class Refusal extends Error {}

async function run(words: readonly string[]): Promise<number> {
  if (words.includes('--help')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const { given, flags } = readOptions(
    words,
    ['plan', 'to', 'out', 'account'],
    ['passphrase', 'contract', 'legacy', 'take-rest'],
  );
  if (given.plan === undefined || given.to === undefined) throw new UsageError('--plan and --to are needed.');
  const plan = readPlan(readFileSync(given.plan, 'utf8'));
  const accountPath = given.account ?? plan.accountPath;
  if (!/^m(\/\d{1,10}'?){1,10}$/.test(accountPath))
    throw new UsageError("--account must be a path as in m/44'/60'/0'.");
  const choices: Choices = {
    destination: readDestination(given.to, plan),
    isContract: flags.has('contract'),
    isLegacy: flags.has('legacy'),
    takesRest: flags.has('take-rest'),
  };
  const answers = new Answers(process.stdin, process.stderr);
  try {
    return await signWith(answers, plan, choices, {
      accountPath,
      hasPassphrase: flags.has('passphrase'),
      out: given.out ?? 'signed-transactions.json',
    });
  } finally {
    answers.close();
  }
}

async function signWith(
  answers: Answers,
  plan: Plan,
  choices: Choices,
  { accountPath, hasPassphrase, out }: { accountPath: string; hasPassphrase: boolean; out: string },
): Promise<number> {
  const secret = await answers.ask('Recovery phrase or xprv (not shown): ', { isShown: false });
  const passphrase = hasPassphrase ? await answers.ask('Passphrase (not shown): ', { isShown: false }) : '';
  if (secret === null || passphrase === null) throw new Refusal('No key was given.');
  const account = readAccount(secret, passphrase, accountPath);
  const keys = keysOf(account, plan);
  if (isOfAccount(account, plan, choices.destination))
    throw new Refusal('--to is an address of this account, on which payments are received.');
  account.wipePrivateData();
  const preparation = prepare(plan, choices);
  const { missing, transactions } = preparation;
  if (missing > 0n) {
    const amount = amountText(missing, COIN_DECIMALS, plan.currencyCode);
    throw new Refusal(
      `For the fees, ${plan.funding.address} lacks ${amount}. Send it there from any wallet, and ask for a new plan.`,
    );
  }
  process.stderr.write(summaryOf(plan, preparation, choices));
  if (transactions.length === 0) throw new Refusal('There is nothing to send.');
  if ((await answers.ask('Type yes to sign: ', { isShown: true }))?.trim() !== 'yes') {
    process.stderr.write('Nothing was signed.\n');
    return 1;
  }
  const file = signAll(plan, choices, transactions, keys);
  for (const { privateKey } of [keys.funding, ...keys.addresses]) privateKey.fill(0);
  // Never over another one: it may have been sent in part.
  writeFileSync(out, `${JSON.stringify(file, null, 1)}\n`, { flag: 'wx', mode: 0o600 });
  process.stderr.write(`${out} has ${transactions.length} signed transactions: collect-send sends them.\n`);
  return 0;
}

/** What is expected is said in a line; files that cannot be read or written say why themselves. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  const isKnown = [PlanError, KeyError, DestinationError, Refusal].some((kind) => error instanceof kind);
  if (error instanceof Error && (isKnown || 'syscall' in error)) return `${error.message}\n`;
  throw error;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(explain(error));
  process.exitCode = 2;
}
