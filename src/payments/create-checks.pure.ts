import type { Chain } from '../chains/chain.pure.js';
import { chainMessage } from '../chains/chain-selection.pure.js';
import { JsonFloat } from '../platform/kernel/exact-json.pure.js';
import type { Draft } from '../platform/web/contract/read-contract.js';
import { amountFormMessage, amountRangeMessage } from '../money/amount-message.js';
import { CURRENCIES, type Currency, findCurrency } from '../money/currencies.js';
import { currencyMessage } from '../money/currency-selection.js';
import { maxUnits } from '../money/money.js';
import { type RequestedAmount, readRequestedAmount } from './quotes/requested-amount.pure.js';
import type { CreatePaymentContract } from './payment-requests.contract.js';

/* Checks of a new payment that depend on more than one field's form; each adds to the draft's problems. */

/** Seconds from now. */
const SHORTEST_LIFE = 60;
const LONGEST_LIFE = 366 * 86_400;

type NewPayment = Pick<Draft<CreatePaymentContract>, 'given' | 'problems' | 'sent'>;

/**
 * The requested amount; null: it is invalid, and the problems say why.
 * @param enabledCodes coins that can be paid with; prices may be in these or in any fiat currency
 */
export function checkMoney(draft: NewPayment, enabledCodes: readonly string[]): RequestedAmount | null {
  const { given, problems } = draft;
  const { currencyCode, settlementCurrencyCode } = given;
  const currency = currencyCode === undefined ? null : findCurrency(currencyCode);
  const isPriced = ({ type, code }: Currency) => type === 'fiat' || enabledCodes.includes(code);
  if (currencyCode !== undefined && !(currency && isPriced(currency))) {
    const priced = CURRENCIES.filter(isPriced).map(({ code }) => code);
    problems.add('currencyCode', currencyMessage('currencyCode', currencyCode, CURRENCIES, priced));
  }
  const requested = readRequestedAmount(given, problems);
  if (currency) checkAmount(draft, requested, currency);
  if (settlementCurrencyCode && !findCurrency(settlementCurrencyCode))
    problems.add('settlementCurrencyCode', currencyMessage('settlementCurrencyCode', settlementCurrencyCode));
  return requested;
}

/** Replaces the message of the field's own rule, which does not know the currency. */
function checkAmount(
  { given, problems, sent }: NewPayment,
  requested: RequestedAmount | null,
  currency: Currency,
): void {
  const max = maxUnits(currency.decimals);
  if (requested && requested.units > max)
    problems.add(requested.field, amountRangeMessage(requested.field, max, currency));
  const { amount } = sent;
  if (requested || typeof given.amount === 'bigint' || amount === undefined || amount === null) return;
  const isInteger = typeof amount === 'bigint' || (typeof amount === 'number' && Number.isInteger(amount));
  const text = amount instanceof JsonFloat ? amount.text : typeof amount === 'string' ? amount : null;
  problems.replace(
    'amount',
    isInteger ? amountRangeMessage('amount', max, currency) : amountFormMessage('amount', text, currency),
  );
}

/**
 * @param chains those that this gateway watches
 * @param whitelist currencies that the application accepts; null: the application itself is invalid
 */
export function checkBlockchain(
  { given: { blockchainSlug }, problems }: NewPayment,
  chains: readonly Chain[],
  whitelist: readonly string[] | null,
): void {
  if (!blockchainSlug) return;
  const isUsable = ({ assets }: Chain) =>
    !whitelist?.length || assets.some(({ currencyCode }) => whitelist.includes(currencyCode));
  const chain = chains.find(({ slug }) => slug === blockchainSlug);
  if (!chain) problems.add('blockchainSlug', chainMessage('blockchainSlug', blockchainSlug, chains));
  else if (!isUsable(chain)) {
    const usable = chains.filter(isUsable).map(({ slug }) => slug);
    const instead = usable.length > 0 ? ` Leave it out, or choose one of ${usable.join(', ')}.` : '';
    problems.add(
      'blockchainSlug',
      `The selected blockchainSlug is invalid. The application's currencyWhitelist (${whitelist?.join(', ')}) has nothing that is paid on ${chain.name}.${instead}`,
    );
  }
}

export function checkExpiry({ given: { expiresAt }, problems }: NewPayment, now: Date): void {
  if (!expiresAt) return;
  const seconds = (expiresAt.getTime() - now.getTime()) / 1000;
  if (seconds >= SHORTEST_LIFE && seconds <= LONGEST_LIFE) return;
  const serverTime = now.toISOString().replace(/\.\d+Z$/, 'Z');
  problems.add(
    'expiresAt',
    `The expiresAt field must be between one minute and one year from now, which is ${serverTime} here.`,
  );
}
