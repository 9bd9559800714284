import type { MethodName } from '../method-choice.pure.js';
import { FEE_CLASSES, type FeeClass, feeClassOf } from '../fee-class.pure.js';
import type { PaymentMethodContract, UnavailableReason } from '../payment-methods.contract.js';

/** A method as the picker needs it. */
export type PickableMethod = Pick<
  PaymentMethodContract,
  | 'provider'
  | 'method'
  | 'selected'
  | 'currency'
  | 'blockchain'
  | 'token'
  | 'available'
  | 'unavailableReason'
  | 'estimatedAmount'
  | 'estimatedConfirmationSeconds'
>;

/** A network of a coin. */
export interface NetworkChoice {
  method: PickableMethod;
  fee: FeeClass;
  /** Of the usable networks with the lowest class of fees, the fastest; never where there is no other network. */
  isCheapest: boolean;
  isFastest: boolean;
}

/** A coin, on one or more networks. */
export interface CoinChoice {
  /** As in paths: "usdt". */
  method: string;
  code: string;
  name: string;
  isSelected: boolean;
  /** Best first, those that cannot be used last. */
  networks: NetworkChoice[];
  /** The best one that can be used now; null: none can. */
  best: NetworkChoice | null;
}

/** Why the picker is shown although a method was named. */
export type PickerProblem =
  | { kind: 'incomplete' }
  /** There is no such method, or this payment does not take it. */
  | { kind: 'unknown' }
  | { kind: 'unavailable'; method: PickableMethod; reason: UnavailableReason };

/** What the page shows of an open payment. */
export type PickerStep =
  /** The instructions that were requested before. */
  | { kind: 'pay' }
  | { kind: 'coins'; problem: PickerProblem | null }
  | { kind: 'networks'; coin: CoinChoice; problem: PickerProblem | null; hasOtherCoins: boolean }
  /** One method, not chosen yet. `isOnly`: there is nothing to choose from, so the page's script goes on by itself. */
  | { kind: 'confirm'; method: PickableMethod; isOnly: boolean };

/** The parameters of the page's URL that decide the step. */
export interface PickerQuery {
  wanted: MethodName;
  /** Show the coins although a method is selected; `incomplete`: a form named no method. */
  choose: string | null;
}

/** The value of `choose` after a form that named no method. */
export const INCOMPLETE = 'incomplete';

/** Coins shown before the list of all. */
const SHOWN_COINS = 6;

/**
 * The order of the coins: first those with a steady price, which most customers of shops look for, then the others by how
 * many people hold them. Nothing is measured; coins that are not listed follow in the order of the catalog.
 */
const POPULARITY: readonly string[] = [
  'USDT',
  'USDC',
  'BTC',
  'ETH',
  'LTC',
  'BNB',
  'TRX',
  'DOGE',
  'SOL',
  'BCH',
  'POL',
  'AVAX',
];

/** Coins that stand for a dollar: what is paid in them is worth the same tomorrow. */
const DOLLARS: readonly string[] = ['USDT', 'USDC'];

export function isDollar({ code }: Pick<CoinChoice, 'code'>): boolean {
  return DOLLARS.includes(code);
}

/** The coins of a payment: the selected one first, then the most used. */
export function coinsOf(methods: readonly PickableMethod[]): CoinChoice[] {
  const codes = [...new Set(methods.map(({ method }) => method))];
  return codes
    .map((code) => toCoin(methods.filter(({ method }) => method === code)))
    .toSorted((a, b) => Number(b.isSelected) - Number(a.isSelected) || rankOf(a.code) - rankOf(b.code));
}

/** The coins that can be used now: all of them by name, and the few that are shown first. */
export function usableCoins(coins: readonly CoinChoice[]): { first: CoinChoice[]; all: CoinChoice[] } {
  const usable = coins.filter(({ best }) => best !== null);
  return {
    first: usable.slice(0, SHOWN_COINS),
    all:
      usable.length > SHOWN_COINS
        ? usable.toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
        : [],
  };
}

/** Whether the page's URL asks for something else than the instructions. */
export function isPicking({ wanted, choose }: PickerQuery): boolean {
  return choose !== null || wanted.provider !== null || wanted.method !== null;
}

/** @param hasInstructions the selected method has instructions, which the page can show again without changing anything */
export function stepOf(
  methods: readonly PickableMethod[],
  { wanted, choose }: PickerQuery,
  hasInstructions: boolean,
): PickerStep {
  const coins = coinsOf(methods);
  const [only, another] = methods;
  const isNamed = wanted.provider !== null || wanted.method !== null;
  if (choose === null && isNamed) return stepOfNamed(methods, coins, wanted, hasInstructions);
  if (hasInstructions && (choose === null || !another)) return { kind: 'pay' };
  if (only?.available && !another) return { kind: 'confirm', method: only, isOnly: choose === null };
  return listStep(coins, null, choose === INCOMPLETE ? { kind: 'incomplete' } : null);
}

function stepOfNamed(
  methods: readonly PickableMethod[],
  coins: readonly CoinChoice[],
  wanted: MethodName,
  hasInstructions: boolean,
): PickerStep {
  const [method, another] = methods.filter((one) => fits(one, wanted));
  if (!method) return listStep(coins, null, { kind: 'unknown' });
  const coin = wanted.method === null ? null : (coins.find((one) => one.method === method.method) ?? null);
  if (another) return listStep(coins, coin, null);
  if (method.selected && hasInstructions) return { kind: 'pay' };
  if (method.available) return { kind: 'confirm', method, isOnly: false };
  const reason = method.unavailableReason ?? 'node_unavailable';
  return listStep(coins, coin, { kind: 'unavailable', method, reason });
}

/** The networks of a coin, of the named one or the only one, if it can be used; else the coins. */
function listStep(
  coins: readonly CoinChoice[],
  named: CoinChoice | null,
  problem: PickerProblem | null,
): PickerStep {
  const hasOtherCoins = coins.length > 1;
  const coin = named ?? (hasOtherCoins ? null : coins[0]);
  return coin?.best ? { kind: 'networks', coin, problem, hasOtherCoins } : { kind: 'coins', problem };
}

function fits({ provider, method }: PickableMethod, wanted: MethodName): boolean {
  return (
    (wanted.provider === null || provider === wanted.provider.toLowerCase()) &&
    (wanted.method === null || method === wanted.method.toLowerCase())
  );
}

function rankOf(code: string): number {
  const rank = POPULARITY.indexOf(code);
  return rank === -1 ? POPULARITY.length : rank;
}

/** @param methods all those of one coin */
function toCoin(methods: readonly PickableMethod[]): CoinChoice {
  const sorted = methods
    .map((method) => ({ method, fee: feeOf(method) }))
    .toSorted(
      (a, b) =>
        Number(b.method.available) - Number(a.method.available) ||
        FEE_CLASSES.indexOf(a.fee) - FEE_CLASSES.indexOf(b.fee) ||
        a.method.estimatedConfirmationSeconds - b.method.estimatedConfirmationSeconds,
    );
  const usable = sorted.filter(({ method }) => method.available);
  const isChoice = usable.length > 1;
  const leastWait = Math.min(...usable.map(({ method }) => method.estimatedConfirmationSeconds));
  const fastest = usable.find(({ method }) => method.estimatedConfirmationSeconds === leastWait);
  const networks = sorted.map((network) => ({
    ...network,
    isCheapest: isChoice && network === usable[0],
    isFastest: isChoice && network === fastest,
  }));
  const [{ method: code, currency } = { method: '', currency: null }] = methods;
  return {
    method: code,
    code: currency?.code ?? '',
    name: currency?.name ?? '',
    isSelected: methods.some(({ selected }) => selected),
    networks,
    best: networks.find(({ method }) => method.available) ?? null,
  };
}

function feeOf({ blockchain, token }: PickableMethod): FeeClass {
  return feeClassOf({ slug: blockchain.slug, tokenStandard: token?.standard ?? null });
}
