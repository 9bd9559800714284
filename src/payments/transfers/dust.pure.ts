import type { Settlement } from '../quotes/settlement.pure.js';
import { assetOf, lowest } from '../quotes/weighing.pure.js';
import type { Transfer } from '../payment.pure.js';
import { isLive } from './transfer-state.pure.js';

type Weighed = Pick<Transfer, 'chain' | 'asset' | 'amount' | 'floor' | 'isMatched' | 'state' | 'isDust'>;

/**
 * The live transfers that are wrongly taken for dust, or wrongly not (specification/payment-states.md#dust): all that were
 * asked for where their asset does not matter, and those below their floor unless they reach it together, or complete what
 * is due. What was not asked for is weighed apart.
 */
export function misjudged<T extends Weighed>(
  transfers: readonly T[],
  { dust, isCompletedByDust }: Pick<Settlement, 'dust' | 'isCompletedByDust'>,
): T[] {
  const kinds = new Map<string, T[]>();
  for (const transfer of transfers) {
    if (!isLive(transfer)) continue;
    const kind = `${assetOf(transfer)} ${transfer.isMatched}`;
    const alike = kinds.get(kind);
    if (alike) alike.push(transfer);
    else kinds.set(kind, [transfer]);
  }
  return [...kinds.values()].flatMap((alike) => {
    const [first] = alike;
    const isAside = first?.isMatched === true && dust.has(assetOf(first));
    const small = alike.filter(({ amount, floor }) => amount < floor);
    const sum = small.reduce((total, { amount }) => total + amount, 0n);
    const isSmallDust =
      sum < lowest(small.map(({ floor }) => floor)) && !(first?.isMatched === true && isCompletedByDust);
    return alike.filter(
      ({ isDust, amount, floor }) => isDust !== (isAside || (isSmallDust && amount < floor)),
    );
  });
}
