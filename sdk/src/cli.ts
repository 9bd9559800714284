#!/usr/bin/env node
import { AddressQuestionError, type AddressQuestion, findAddressOfKey } from './verify-address.js';

/** What of Node it uses: the package is compiled without Node's types. */
declare const process: {
  argv: string[];
  exitCode?: number;
  stdout: { write(text: string): void };
  stderr: { write(text: string): void };
};

const USAGE = `Usage: verify-address [--family <family>] [--network <network>] [--script-type <type>] <key> <index> <address>

Is <address> the one with <index> of your extended public key (xpub, ypub, zpub, tpub, ...) or output descriptor,
alone, with its origin, or in the public export of a wallet?
Works offline. The key is visible in the list of processes meanwhile: use your own machine.

  --family       evm, bitcoin, litecoin, dogecoin, bitcoincash, tron
  --network      mainnet, testnet, regtest (not with evm and tron)
  --script-type  p2pkh, p2sh-p2wpkh, p2wpkh, p2tr (not with evm and tron)

What is left out is recognized by the form of the address. Exits with 0 if it is, 1 if it is not, 2 if the question
cannot be answered.
`;

const OPTIONS = { '--family': 'family', '--network': 'network', '--script-type': 'scriptType' } as const;

/** Null: the command line is not valid. */
function readQuestion(args: readonly string[]): AddressQuestion | null {
  const question: Record<string, string> = {};
  const texts: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const text = args[at] ?? '';
    if (!text.startsWith('--')) texts.push(text);
    else if (Object.hasOwn(OPTIONS, text) && at + 1 < args.length)
      question[OPTIONS[text as keyof typeof OPTIONS]] = args[++at] ?? '';
    else return null;
  }
  const [key = '', index = '', address = '', ...more] = texts;
  if (address === '' || more.length > 0 || !/^\d{1,10}$/.test(index)) return null;
  return { ...question, key, index: Number(index), address };
}

function run(args: readonly string[]): number {
  if (args.includes('--help')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const question = readQuestion(args);
  if (!question) {
    process.stderr.write(USAGE);
    return 2;
  }
  try {
    const found = findAddressOfKey(question);
    const kind = found && [found.family, found.scriptType].filter((part) => part !== null).join(' ');
    process.stdout.write(
      found
        ? `yes: ${found.address} is ${found.path} of this key, ${found.walletPath} of its wallet (${kind})\n`
        : `NO: ${question.address} is not address ${question.index} of this key\n`,
    );
    return found ? 0 : 1;
  } catch (error) {
    if (!(error instanceof AddressQuestionError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

process.exitCode = run(process.argv.slice(2));
