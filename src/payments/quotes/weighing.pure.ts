/** A non-negative exact fraction. */
export interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/** What weighing needs of a transfer; amounts in the asset's smallest unit. */
export interface WeighedTransfer {
  chain: string;
  asset: string;
  amount: bigint;
  /** Less than this of the asset is too little to matter (specification/payment-states.md#dust). */
  floor: bigint;
  /** The quote that values it; null while a late transfer waits for its rate. */
  quoteId: string | null;
}

/** What weighing needs of a quote: `assetAmount` units of the asset pay the payment in full. */
export interface WeighingQuote {
  id: string;
  chain: string;
  asset: string;
  assetAmount: bigint;
}

/** Matched funds, after those that are too little to matter were put aside. */
export interface Weight {
  /** There are funds that matter, whether or not they are valued yet. */
  matters: boolean;
  /** What they pay of the amount due. */
  paid: Fraction;
  isFull: boolean;
  /** What is due is paid only with the dust, so that all of it counts. */
  isCompletedByDust: boolean;
  /** The assets whose funds are too little to matter: see {@link assetOf}. */
  dust: ReadonlySet<string>;
  /** Smaller sums of the pricing currency decide nothing: the lowest floor of what counts, and at least one unit. */
  least: bigint;
}

export const BPS = 10_000n;
export const NOTHING: Fraction = { numerator: 0n, denominator: 1n };

/** The part of an amount, rounded down. */
export function partOf(amount: bigint, { numerator, denominator }: Fraction): bigint {
  return (amount * numerator) / denominator;
}

/** The funds in one asset. */
interface Pile {
  asset: string;
  sum: bigint;
  floor: bigint;
  paid: Fraction;
  /** Of the amount due, also of what waits for a rate; what it would pay by the newest quote. */
  estimate: Fraction;
  /** The floor in the pricing currency, at least one unit. */
  least: bigint;
}

/**
 * What transfers pay, exactly: one of `a` units under a quote of `q` units pays a/q. The funds in an asset count as soon
 * as their sum reaches the asset's floor and is worth one smallest unit of the pricing currency; below that they count
 * only where they complete what is due, since paying what is shown as remaining always suffices
 * (specification/payment-states.md#dust, #several-methods).
 */
export function weigh(
  due: bigint,
  transfers: readonly WeighedTransfer[],
  quotes: readonly WeighingQuote[],
  toleranceBps: bigint,
): Weight {
  if (transfers.length === 0)
    return {
      matters: false,
      paid: NOTHING,
      isFull: false,
      isCompletedByDust: false,
      dust: new Set(),
      least: 1n,
    };
  const piles = pilesOf(due, transfers, quotes);
  const large = piles.filter(({ sum, floor, estimate }) => sum >= floor && partOf(due, estimate) > 0n);
  const isFull = (paid: Fraction) => isPaid(due, paid, toleranceBps);
  const isCompletedByDust =
    !isFull(addUp(large.map(({ estimate }) => estimate))) &&
    isFull(addUp(piles.map(({ estimate }) => estimate)));
  const counted = isCompletedByDust ? piles : large;
  const paid = addUp(counted.map((pile) => pile.paid));
  return {
    matters: counted.length > 0,
    paid,
    isFull: isFull(paid),
    isCompletedByDust,
    dust: new Set(piles.filter((pile) => !counted.includes(pile)).map((pile) => pile.asset)),
    least: lowest(counted.map(({ least }) => least)),
  };
}

/** Nothing counts as paid that rounds to zero. */
function isPaid(due: bigint, paid: Fraction, toleranceBps: bigint): boolean {
  return paid.numerator * BPS >= paid.denominator * (BPS - toleranceBps) && partOf(due, paid) > 0n;
}

function pilesOf(
  due: bigint,
  transfers: readonly WeighedTransfer[],
  quotes: readonly WeighingQuote[],
): Pile[] {
  const ofAssets = new Map<string, WeighedTransfer[]>();
  for (const transfer of transfers) {
    const asset = assetOf(transfer);
    const pile = ofAssets.get(asset);
    if (pile) pile.push(transfer);
    else ofAssets.set(asset, [transfer]);
  }
  return [...ofAssets].map(([asset, pile]) => ({ asset, ...pileOf(due, pile, quotes) }));
}

function pileOf(
  due: bigint,
  transfers: readonly WeighedTransfer[],
  quotes: readonly WeighingQuote[],
): Omit<Pile, 'asset'> {
  const [first] = transfers;
  const newest = quotes.findLast(({ chain, asset }) => chain === first?.chain && asset === first.asset);
  const paid = paidBy(transfers, quotes);
  const unvalued = totalOf(transfers.filter(({ quoteId }) => quoteId === null));
  const floor = lowest(transfers.map((transfer) => transfer.floor));
  const least = newest ? (due * floor) / newest.assetAmount : 1n;
  return {
    sum: totalOf(transfers),
    floor,
    paid,
    estimate: addUp([paid, { numerator: unvalued, denominator: newest?.assetAmount ?? 1n }]),
    least: least > 1n ? least : 1n,
  };
}

export function assetOf({ chain, asset }: Pick<WeighedTransfer, 'chain' | 'asset'>): string {
  return `${chain} ${asset}`;
}

/** Parts under several quotes add up without rounding. */
export function paidBy(
  transfers: readonly Pick<WeighedTransfer, 'quoteId' | 'amount'>[],
  quotes: readonly Pick<WeighingQuote, 'id' | 'assetAmount'>[],
): Fraction {
  const sums = new Map<string | null, bigint>();
  for (const { quoteId, amount } of transfers) sums.set(quoteId, (sums.get(quoteId) ?? 0n) + amount);
  return addUp(
    quotes.map(({ id, assetAmount }) => ({ numerator: sums.get(id) ?? 0n, denominator: assetAmount })),
  );
}

function totalOf(transfers: readonly WeighedTransfer[]): bigint {
  return transfers.reduce((total, { amount }) => total + amount, 0n);
}

function addUp(fractions: readonly Fraction[]): Fraction {
  return fractions
    .filter(({ numerator }) => numerator > 0n)
    .reduce(
      (a, b) => ({
        numerator: a.numerator * b.denominator + b.numerator * a.denominator,
        denominator: a.denominator * b.denominator,
      }),
      NOTHING,
    );
}

/** 1 of none. */
export function lowest(amounts: readonly bigint[]): bigint {
  const [first = 1n] = amounts;
  return amounts.reduce((least, amount) => (amount < least ? amount : least), first);
}
