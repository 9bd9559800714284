import {
  feeOf,
  inputFee,
  MAX_WEIGHT,
  type PaidOutput,
  scriptTypeOf,
  signedWeight,
} from '../collections/psbt.pure.js';

/** What one transaction pays, and how. */
export interface PsbtTerms {
  /** Output script of what is left over. */
  change: Buffer;
  /** Smallest units for each virtual byte. */
  feeRate: bigint;
  /** Smallest output that nodes relay. */
  dustLimit: bigint;
}

/** One transaction that pays everything; or what the outputs of the account lack for it, at least. */
export type PsbtPlan<Input> =
  | { inputs: Input[]; paid: bigint; change: bigint; fee: bigint; weight: number; missing: null }
  | { missing: bigint };

/**
 * Chooses outputs of one account, which has one type, for exact payments: the largest first, so that they are few and the
 * fee is small. What costs as much to spend as it brings is not chosen. What is left over goes to the change, or to the
 * fee where it would not be worth an output.
 * @param maxWeight of the transaction
 */
export function planPayout<Input extends { script: Buffer; amount: bigint; txHash: string; vout: number }>(
  outputs: readonly Input[],
  payments: readonly PaidOutput[],
  { change, feeRate, dustLimit }: PsbtTerms,
  maxWeight = MAX_WEIGHT,
): PsbtPlan<Input> {
  if (feeRate < 1n) throw new Error('a fee rate is at least 1');
  const paid = payments.reduce((sum, { amount }) => sum + amount, 0n);
  const [first] = outputs;
  const type = first ? scriptTypeOf(first.script) : null;
  if (type === null) return { missing: paid };
  const scripts = payments.map(({ script }) => script);
  const useful = outputs.filter(({ amount }) => amount > inputFee(type, feeRate)).toSorted(compare);
  const inputs: Input[] = [];
  let brought = 0n;
  let needed = paid + feeOf(signedWeight(type, 0, scripts), feeRate);
  for (const output of useful) {
    if (brought >= needed || signedWeight(type, inputs.length + 1, [...scripts, change]) > maxWeight) break;
    inputs.push(output);
    brought += output.amount;
    needed = paid + feeOf(signedWeight(type, inputs.length, scripts), feeRate);
  }
  if (brought < needed) return { missing: needed - brought };
  const weight = signedWeight(type, inputs.length, [...scripts, change]);
  const rest = brought - paid - feeOf(weight, feeRate);
  return rest >= dustLimit && rest > 0n
    ? { inputs, paid, change: rest, fee: brought - paid - rest, weight, missing: null }
    : {
        inputs,
        paid,
        change: 0n,
        fee: brought - paid,
        weight: signedWeight(type, inputs.length, scripts),
        missing: null,
      };
}

/** The largest first; the same each time. */
function compare(
  a: { amount: bigint; txHash: string; vout: number },
  b: { amount: bigint; txHash: string; vout: number },
): number {
  if (a.amount !== b.amount) return a.amount > b.amount ? -1 : 1;
  if (a.txHash !== b.txHash) return a.txHash < b.txHash ? -1 : 1;
  return a.vout - b.vout;
}
