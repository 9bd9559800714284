import { parseArgs } from 'node:util';
import { canParseUrl } from '../../platform/web/contract/url.pure.js';

/** The part of the amount due that is sent. */
export type PayAmount = 'exact' | 'less' | 'more';

/** The options of `npm run pay`. */
export interface PayOrder {
  checkoutUrl: URL;
  amount: PayAmount;
  /** A second transfer of the same amount. */
  isTwice: boolean;
  /** The (first) transaction is replaced by one with a higher fee before a block contains it. */
  isReplaced: boolean;
  /** Blocks to remove once the payment is in one; null: none. */
  reorg: number | null;
  /** The same coin or token, sent on another EVM network than the instructions name. */
  isWrongNetwork: boolean;
  /** `<provider>/<method>`; null: the customer's selection, otherwise the first that can be paid here. */
  method: { provider: string; method: string } | null;
}

/** An invalid command line; the message says why. */
export class PayUsageError extends Error {}

export const PAY_USAGE = `Usage: npm run pay -- <checkout url> [options], while \`npm start\` runs

  Pays a checkout of the development profile with play money, through its real nodes.

  --amount exact|less|more   the amount due (default), half of it, or a tenth more
  --method <provider>/<method>
                             e.g. ethereum/usdt; default: the method chosen on the page, or the first available one
  --twice                    pays a second time
  --rbf                      replaces the transaction by one with a higher fee before it is mined
  --reorg <n>                removes the last n blocks once one contains the payment; it is mined again later
  --wrong-network            sends it on another EVM network than the requested one

  DATA_DIR selects the gateway, as for \`npm start\`.
`;

/** The development chains keep enough history for this depth (`--prune-history` of anvil is 64). */
export const DEEPEST_REORG = 60;

/**
 * Parses the command line; null if help was requested.
 * @throws PayUsageError naming the option that is wrong
 */
export function parsePayArguments(args: string[]): PayOrder | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const [link, ...rest] = positionals;
  if (link === undefined) throw new PayUsageError('which checkout url?');
  if (rest.length > 0) throw new PayUsageError(`one checkout url only, not also ${rest.join(' ')}`);
  return {
    checkoutUrl: toUrl(link),
    amount: toAmount(values.amount),
    isTwice: values.twice,
    isReplaced: values.rbf,
    reorg: values.reorg === undefined ? null : toDepth(values.reorg),
    isWrongNetwork: values['wrong-network'],
    method: values.method === undefined ? null : toMethod(values.method),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        amount: { type: 'string', default: 'exact' },
        method: { type: 'string' },
        twice: { type: 'boolean', default: false },
        rbf: { type: 'boolean', default: false },
        reorg: { type: 'string' },
        'wrong-network': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new PayUsageError(error instanceof Error ? error.message : String(error));
  }
}

function toUrl(text: string): URL {
  if (!canParseUrl(text)) throw new PayUsageError(`"${text}" is no url`);
  const url = new URL(text);
  // The shell cuts an unquoted link at "&".
  if (!url.searchParams.has('signature'))
    throw new PayUsageError('the checkout url has no signature: put it in quotes');
  return url;
}

function toAmount(text: string): PayAmount {
  if (text === 'exact' || text === 'less' || text === 'more') return text;
  throw new PayUsageError(`--amount is exact, less or more, not "${text}"`);
}

function toDepth(text: string): number {
  const depth = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  if (depth < 1 || depth > DEEPEST_REORG) {
    throw new PayUsageError(`--reorg is a number of blocks from 1 to ${DEEPEST_REORG}, not "${text}"`);
  }
  return depth;
}

function toMethod(text: string): { provider: string; method: string } {
  const [, provider, method] = /^([a-z][a-z0-9-]*)\/([a-z0-9]+)$/.exec(text.toLowerCase()) ?? [];
  if (!provider || !method) throw new PayUsageError(`--method is <provider>/<method>, not "${text}"`);
  return { provider, method };
}

/**
 * The amount to send, in the asset's smallest unit.
 * @param due remaining amount, at least 1
 */
export function amountToSend(due: bigint, amount: PayAmount): bigint {
  switch (amount) {
    case 'exact':
      return due;
    case 'less':
      // At least one unit.
      return due > 1n ? due / 2n : 1n;
    case 'more':
      return due + due / 10n + 1n;
  }
}
