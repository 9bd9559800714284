import type { Plan } from './plan.pure.js';
import { type Choices, COIN_DECIMALS, type Preparation, type Prepared } from './sign-plan.pure.js';

/** All digits, without zeros at the end. */
export function amountText(amount: bigint, decimals: number, code: string): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const part = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${whole}${part === '' ? '' : `.${part}`} ${code}`;
}

/** What is going to be signed, for the person who decides. */
export function summaryOf(
  { blockchain, chainId, currencyCode, addresses, funding }: Plan,
  { transactions, idle }: Pick<Preparation, 'transactions' | 'idle'>,
  { destination, isContract }: Choices,
): string {
  const coin = (amount: bigint) => amountText(amount, COIN_DECIMALS, currencyCode);
  const sent = transactions.filter(({ kind }) => kind !== 'fee');
  const fundings = transactions.filter(({ kind }) => kind === 'fee');
  const price = transactions[0]?.transfer.cap.price ?? 0n;
  return [
    `Network:       ${blockchain}, chain ${chainId}`,
    `Everything to: ${destination}${isContract ? ' (a contract)' : ''}`,
    `Addresses:     ${addresses.length}`,
    `Transactions:  ${transactions.length}`,
    ...[...sumsOf(sent)].map(([asset, { text, count }]) => `Arrives:       ${text} in ${count} (${asset})`),
    ...(fundings.length > 0
      ? [
          `For fees:      ${coin(sumOf(fundings.map(({ amount }) => amount)))} from ${funding.address} to ${fundings.length} addresses`,
        ]
      : []),
    `Fees at most:  ${coin(sumOf(transactions.map(({ fee }) => fee)))}, at ${amountText(price, 9, 'gwei')} for each unit of gas`,
    ...(idle.length > 0
      ? [`Stays:         on ${idle.length} addresses, which hold less than it costs: ${idle.join(' ')}`]
      : []),
    '',
  ].join('\n');
}

/** By coin and contract: two contracts can have one name. */
function sumsOf(transactions: readonly Prepared[]): Map<string, { text: string; count: number }> {
  const sums = new Map<string, Prepared[]>();
  for (const one of transactions) {
    const asset = one.kind === 'token' ? `token ${one.transfer.to}` : 'coin';
    sums.set(asset, [...(sums.get(asset) ?? []), one]);
  }
  return new Map(
    [...sums].map(([asset, some]) => {
      const sum = sumOf(some.map(({ amount }) => amount));
      return [
        asset,
        { text: amountText(sum, some[0]?.decimals ?? 0, some[0]?.currencyCode ?? ''), count: some.length },
      ];
    }),
  );
}

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);
