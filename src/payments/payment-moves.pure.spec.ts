import {
  holdingOf,
  isAcceptable,
  isCancellable,
  isRefundable,
  leftToRefund,
  refusalOf,
  type Standing,
  type Way,
  WAYS,
  waysOf,
} from './payment-moves.pure.js';
import {
  type Decisions,
  nextMove,
  PAYMENT_STATUSES,
  type PaymentStatus,
  refundMove,
} from './payment-status.pure.js';
import { settle, type SettlementTransfer } from './quotes/settlement.pure.js';

// 100.00 of a currency, quoted as 1,000,000 units of an asset; less than 0.50 of it is dust.
const DUE = 10_000n;
const ASSET = { chain: 'base', asset: '0x1' };
const QUOTES = [{ ...ASSET, id: 'q', assetAmount: 1_000_000n }];
const FLOOR = 5_000n;
const AMOUNTS = { dust: 100n, 'half of a floor': 2_500n, part: 400_000n, all: 1_000_000n, more: 1_200_000n };

type Size = keyof typeof AMOUNTS;
type State = 'pending' | 'confirmed';
interface Funds {
  size: Size;
  state: State;
}
/** Everything that a payment can be in; funds that are gone are not there. */
interface World {
  status: PaymentStatus;
  matched: readonly Funds[];
  unmatched: Funds | null;
  promised: bigint;
  refunded: bigint;
  settings: Pick<Decisions, 'allowUnderpay' | 'allowOverpay' | 'isAcknowledged' | 'isQuoteEnded'>;
  accepted: bigint | null;
}

const transferOf = ({ size, state }: Funds): SettlementTransfer => ({
  ...ASSET,
  amount: AMOUNTS[size],
  floor: FLOOR,
  state,
  isMatched: true,
  quoteId: 'q',
});
const fundsIn = ({ matched }: World) =>
  settle(DUE, matched.map(transferOf), QUOTES, { underpayToleranceBps: 0, underpayLeastShareBps: 9_500 });
const isLarge = ({ size }: Funds) => AMOUNTS[size] >= FLOOR;

function standingIn(world: World): Standing {
  const { status, unmatched, promised } = world;
  const waits = unmatched?.state === 'pending' ? 'waiting' : 'confirmed';
  const is = unmatched === null || !isLarge(unmatched) ? 'none' : waits;
  return { status, funds: fundsIn(world), unmatched: is, promised };
}

/** As the state machine recomputes it. */
function settled(world: World): World {
  let { status } = world;
  const funds = fundsIn(world);
  const decisions = {
    ...world.settings,
    acceptedAmount: world.accepted,
    isOverpayAccepted: false,
    refundedAmount: world.refunded,
  };
  for (let move = nextMove(status, funds, decisions); move; move = nextMove(status, funds, decisions))
    status = move.to;
  return { ...world, status };
}

const isEnded = ({ status }: World) => status === 'CANCELLED' || status === 'ERROR' || status === 'REFUND';
const isWaiting = ({ matched, unmatched }: World) =>
  [...matched, ...(unmatched ? [unmatched] : [])].some(({ state }) => state === 'pending');

/** What is pending is confirmed, or gone. */
function awaited(world: World, outcome: 'confirmed' | 'gone'): World {
  const after = (funds: Funds): Funds[] =>
    funds.state === 'confirmed' ? [funds] : outcome === 'gone' ? [] : [{ ...funds, state: 'confirmed' }];
  const [unmatched = null] = world.unmatched ? after(world.unmatched) : [];
  return settled({ ...world, matched: world.matched.flatMap(after), unmatched });
}

/** The worlds that a way leads to; null: it is refused. */
const FOLLOW: Record<Way, (world: World) => World[] | null> = {
  wait: (world) => (isWaiting(world) ? [awaited(world, 'confirmed'), awaited(world, 'gone')] : null),
  cancel: (world) => (isCancellable(standingIn(world)) ? [{ ...world, status: 'CANCELLED' }] : null),
  accept: (world) =>
    isAcceptable(standingIn(world))
      ? [
          settled({
            ...world,
            accepted: fundsIn(world).receivedAmount,
            settings: { ...world.settings, isAcknowledged: true, allowOverpay: true },
          }),
        ]
      : null,
  refund: (world) => {
    const standing = standingIn(world);
    const left = leftToRefund(standing);
    return isRefundable(standing) && left > 0n ? [{ ...world, promised: world.promised + left }] : null;
  },
  finish_refund: (world) => {
    if (world.promised <= world.refunded) return null;
    const refunded = world.promised;
    const move = refundMove(world.status, fundsIn(world), refunded);
    return [move ? { ...world, refunded, status: move.to } : settled({ ...world, refunded })];
  },
  return: (world) => (standingIn(world).unmatched === 'confirmed' ? [{ ...world, unmatched: null }] : null),
  count: (world) =>
    world.unmatched
      ? [settled({ ...world, matched: [...world.matched, world.unmatched], unmatched: null })]
      : null,
};

function everyWorld(): World[] {
  const sizes = Object.keys(AMOUNTS) as Size[];
  const each = sizes.flatMap((size): Funds[] => [
    { size, state: 'pending' },
    { size, state: 'confirmed' },
  ]);
  const pairs = each.flatMap((one, i) => [[one], ...each.slice(i).map((other) => [one, other])]);
  const flags = [true, false];
  const worlds: World[] = [];
  for (const status of PAYMENT_STATUSES)
    for (const matched of [[], ...pairs])
      for (const unmatched of [null, ...each.filter(({ size }) => size === 'dust' || size === 'part')])
        for (const part of [0n, 2n, 1n])
          for (const allowOverpay of flags)
            for (const isAcknowledged of flags) {
              const settings = { allowUnderpay: false, allowOverpay, isAcknowledged, isQuoteEnded: true };
              const world = {
                status,
                matched,
                unmatched,
                promised: 0n,
                refunded: 0n,
                settings,
                accepted: null,
              };
              const { receivedAmount } = fundsIn(world);
              const promised = part === 0n ? 0n : receivedAmount / part;
              worlds.push(settled({ ...world, promised }));
            }
  return worlds;
}

const keyOf = (world: World) =>
  JSON.stringify(world, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
const ends = new Map<string, boolean>();

/** Whether it can be brought to an end that does not call it paid, whatever becomes of what is pending. */
function canEnd(world: World): boolean {
  const key = keyOf(world);
  const known = ends.get(key);
  if (known !== undefined) return known;
  // Ways that go in a circle lead nowhere.
  ends.set(key, false);
  const found =
    isEnded(world) ||
    waysOf(standingIn(world)).some((way) => way !== 'accept' && FOLLOW[way](world)?.every(canEnd) === true);
  ends.set(key, found);
  return found;
}

const WORLDS = [...new Map(everyWorld().map((world) => [keyOf(world), world])).values()];
const show = (world: World) => `${keyOf(world)} ${waysOf(standingIn(world)).join()}`;

describe('every payment', () => {
  it('can be closed without being called paid', () => {
    expect(WORLDS.length).toBeGreaterThan(5_000);
    expect(WORLDS.filter((world) => !canEnd(world)).map(show)).toEqual([]);
  });

  it('is never pointed to what is refused, and is told everything that is possible', () => {
    const wrong = WORLDS.flatMap((world) => {
      const told = waysOf(standingIn(world));
      const pointless = told.filter((way) => way !== 'wait' && FOLLOW[way](world) === null);
      const untold = (['cancel', 'accept', 'refund', 'return'] as const).filter(
        (way) => FOLLOW[way](world) !== null && !told.includes(way),
      );
      return pointless.length + untold.length > 0
        ? [`${show(world)}: ${pointless.join()} ${untold.join()}`]
        : [];
    });
    expect(wrong).toEqual([]);
  });

  it('waits only for what is under way', () => {
    const idle = WORLDS.filter(
      (world) => !isEnded(world) && waysOf(standingIn(world)).includes('wait') && !isWaiting(world),
    );
    expect(idle.map(show)).toEqual([]);
  });

  it('is as it would be without its dust, but for what was received', () => {
    const without = (world: World): World => ({
      ...world,
      matched: world.matched.filter(({ size }) => size !== 'dust'),
      unmatched: world.unmatched?.size === 'dust' ? null : world.unmatched,
    });
    const moved = WORLDS.filter((world) => world.promised === 0n).filter((world) => {
      const clean = settled(without(world));
      const [a, b] = [standingIn(world), standingIn(clean)];
      return (
        world.status !== clean.status ||
        holdingOf(a) !== holdingOf(b) ||
        waysOf(a).join() !== waysOf(b).join()
      );
    });
    expect(moved.map(show)).toEqual([]);
  });
});

const NOTHING = { isSeen: false, isAllConfirmed: false, coverage: 'none', receivedAmount: 0n } as const;
const PART = { isSeen: true, isAllConfirmed: true, coverage: 'short', receivedAmount: 40n } as const;
const standing = (fields: Partial<Standing>): Standing => ({
  status: 'OPEN',
  funds: NOTHING,
  unmatched: 'none',
  promised: 0n,
  ...fields,
});

it.each<[string, Partial<Standing>, Way[]]>([
  ['an open order', {}, ['cancel']],
  [
    'an open order with unconfirmed funds that it did not ask for',
    { unmatched: 'waiting' },
    ['wait', 'count'],
  ],
  ['an open order with funds that it did not ask for', { unmatched: 'confirmed' }, ['return', 'count']],
  ['a part that is on its way', { status: 'FOUND', funds: { ...NOTHING, isSeen: true } }, ['wait']],
  ['a part', { status: 'UNDERPAID', funds: PART }, ['accept', 'refund']],
  [
    'a part of which some is promised',
    { status: 'UNDERPAID', funds: PART, promised: 39n },
    ['accept', 'refund'],
  ],
  ['a part that is promised', { status: 'UNDERPAID', funds: PART, promised: 40n }, ['finish_refund']],
  ['an order that was paid', { status: 'CONFIRMED', funds: { ...PART, coverage: 'full' } }, ['refund']],
  ['an order whose funds a reorganization took for good', { status: 'CONFIRMED' }, ['cancel']],
  ['a cancelled order', { status: 'CANCELLED' }, []],
  ['a cancelled order that was paid later', { status: 'CANCELLED', funds: PART }, ['refund']],
  ['a refunded order', { status: 'REFUND', funds: PART, promised: 40n }, []],
])('the ways of %s', (_what, fields, ways) => {
  const one = standing(fields);
  expect(waysOf(one)).toEqual(ways);
  for (const move of ['cancel', 'accept', 'refund'] as const)
    expect(refusalOf(one, move)).toMatch(/^Only .*this one .*\.$/i);
  expect(WAYS.filter((way) => ways.includes(way))).toEqual(ways);
});
