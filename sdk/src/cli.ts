#!/usr/bin/env node
import {
  AddressQuestionError,
  type AddressQuestion,
  findAddressOfKey,
  findAddressOfTreasury,
} from './verify-address.js';

/** What of Node it uses: the package is compiled without Node's types. */
declare const process: {
  argv: string[];
  exitCode?: number;
  stdout: { write(text: string): void };
  stderr: { write(text: string): void };
};

const USAGE = `Usage: verify-address [--family <family>] [--network <network>] [--script-type <type>] <key> <index> <address>
       verify-address --treasury <address> --namespace <digits> [--factory <address>] <index> <address>

Is <address> the one with <index> of your extended public key (xpub, ypub, zpub, tpub, ...) or output descriptor,
alone, with its origin, or in the public export of a wallet?
Works offline. The key is visible in the list of processes meanwhile: use your own machine.

  --family       evm, bitcoin, litecoin, dogecoin, bitcoincash, tron
  --network      mainnet, testnet, regtest (not with evm and tron)
  --script-type  p2pkh, p2sh-p2wpkh, p2wpkh, p2tr (not with evm and tron)

  --treasury     the account or Safe that all payments of EVM chains end up at: is <address> one that can only pay it?
  --namespace    of the treasury, 32 hexadecimal digits
  --factory      your own contract that collects, if it is not the known one

What is left out is recognized by the form of the address. Exits with 0 if it is, 1 if it is not, 2 if the question
cannot be answered.
`;

const OF_KEY = { '--family': 'family', '--network': 'network', '--script-type': 'scriptType' };
const OF_TREASURY = { '--treasury': 'treasury', '--namespace': 'namespace', '--factory': 'factory' };

/** The options by their names, and the other words; null: one is unknown or has no value. */
function readWords(args: readonly string[], known: Record<string, string>) {
  const options: Record<string, string> = {};
  const texts: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const text = args[at] ?? '';
    const name = Object.hasOwn(known, text) ? known[text] : undefined;
    if (!text.startsWith('--')) texts.push(text);
    else if (name !== undefined && at + 1 < args.length) options[name] = args[++at] ?? '';
    else return null;
  }
  return { options, texts };
}

/** What to print, and whether the address is the one; null: the command line is not valid. */
function answer(args: readonly string[]): { isIt: boolean; text: string } | null {
  return args.includes('--treasury') ? answerTreasury(args) : answerKey(args);
}

function answerKey(args: readonly string[]): { isIt: boolean; text: string } | null {
  const { options, texts = [] } = readWords(args, OF_KEY) ?? {};
  const [key = '', index = '', address = '', ...more] = texts;
  if (!options || address === '' || more.length > 0 || !/^\d{1,10}$/.test(index)) return null;
  const question: AddressQuestion = { ...options, key, index: Number(index), address };
  const found = findAddressOfKey(question);
  if (!found) return { isIt: false, text: `NO: ${address} is not address ${question.index} of this key` };
  const kind = [found.family, found.scriptType].filter((part) => part !== null).join(' ');
  const place = `${found.path} of this key, ${found.walletPath} of its wallet (${kind})`;
  return { isIt: true, text: `yes: ${found.address} is ${place}` };
}

function answerTreasury(args: readonly string[]): { isIt: boolean; text: string } | null {
  const { options, texts = [] } = readWords(args, OF_TREASURY) ?? {};
  const [index = '', address = '', ...more] = texts;
  if (!options || address === '' || more.length > 0 || !/^\d{1,16}$/.test(index)) return null;
  const { treasury = '', namespace = '', factory } = options;
  const own = factory === undefined ? {} : { factory };
  const found = findAddressOfTreasury({ treasury, namespace, index: Number(index), address, ...own });
  if (!found) return { isIt: false, text: `NO: ${address} is not address ${Number(index)} of this treasury` };
  const { factory: contract } = found;
  const text = `yes: ${found.address} can only pay ${found.treasury} (index ${Number(index)}, contract ${contract})`;
  return { isIt: true, text };
}

function run(args: readonly string[]): number {
  if (args.includes('--help')) {
    process.stdout.write(USAGE);
    return 0;
  }
  try {
    const given = answer(args);
    if (!given) process.stderr.write(USAGE);
    else process.stdout.write(`${given.text}\n`);
    if (!given) return 2;
    return given.isIt ? 0 : 1;
  } catch (error) {
    if (!(error instanceof AddressQuestionError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

process.exitCode = run(process.argv.slice(2));
