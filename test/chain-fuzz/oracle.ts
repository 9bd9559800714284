import type { AssetName, Payee } from './payees.js';

/** What a chain alone says that one deposit address was paid in one asset. */
export interface Holding {
  paymentId: string;
  chain: string;
  /** As the gateway writes it: 'native', or the contract in lower case. */
  asset: string;
  name: AssetName | null;
  /** In blocks. */
  mined: bigint;
  /** In blocks that have the confirmations that payments need. */
  deep: bigint;
  /** The most that was ever in such blocks, on any branch. */
  everDeep: bigint;
  /** Not in a block yet; null where it cannot be derived from balances (see {@link ChainTruth.pool}). */
  waiting: bigint | null;
}

/** One chain as its node shows it. */
export interface ChainTruth {
  /** Canonical hashes of the heights that the records speak of. */
  hashAt: ReadonlyMap<number, string>;
  /** Transactions that wait. */
  pool: ReadonlySet<string>;
}

export interface Truth {
  holdings: readonly Holding[];
  chains: ReadonlyMap<string, ChainTruth>;
}

/** A recorded transfer. */
export interface RecordedTransfer {
  paymentId: string;
  chain: string;
  asset: string;
  txHash: string;
  state: string;
  amount: bigint;
  height: number | null;
  blockHash: string | null;
}

/** A payment as the API shows it, with what was written beside it. */
export interface RecordedPayment {
  paymentId: string;
  status: string;
  received: bigint;
  reviewReason: string | null;
  history: readonly { seq: number; from: string | null; to: string }[];
  /** Those of moves. */
  events: readonly RecordedEvent[];
  /** receivedAmount of its newest event, payment.updated among them; null without any. */
  lastTold: bigint | null;
  parts: readonly RecordedPart[];
}

/** What the API says that transfers pay, one by one or added up. */
export interface RecordedPart {
  currencyCode: string;
  status: string;
  matched: boolean;
  amount: bigint;
  credited: bigint;
  /** Transfers in it. */
  count: bigint;
}

/** An event as it was or would be sent. */
export interface RecordedEvent {
  id: string;
  sentId: string;
  /** Of the payment in its body. */
  sentStatus: string;
  sentReceived: bigint;
  sentParts: readonly RecordedPart[];
  seq: number;
  type: string;
  isSuperseded: boolean;
}

export interface Records {
  transfers: readonly RecordedTransfer[];
  payments: readonly RecordedPayment[];
}

/** The table of specification/payment-states.md#transitions, written down once more on purpose. */
const LEGAL = new Set([
  'null>OPEN',
  'OPEN>FOUND',
  'FOUND>RECEIVED',
  'FOUND>UNDERPAID',
  'FOUND>OPEN',
  'UNDERPAID>RECEIVED',
  'UNDERPAID>OPEN',
  'RECEIVED>CONFIRMED',
  'RECEIVED>FOUND',
  'RECEIVED>UNDERPAID',
  'RECEIVED>OPEN',
  'CONFIRMED>REFUND',
]);
/** In the smallest unit of the pricing currency: more than the floor of any asset here is worth. */
const DUST = 100n;
const FOUND = 'payment.found';
const ANNOUNCED = new Map([
  ['FOUND', FOUND],
  ['RECEIVED', 'payment.received'],
  ['UNDERPAID', 'payment.underpaid'],
  ['CONFIRMED', 'payment.completed'],
  ['REFUND', 'payment.refund'],
]);

/** Every difference between the gateway's records and what the chains and the specification alone give. */
export function findDiscrepancies(payees: readonly Payee[], truth: Truth, records: Records): string[] {
  return [
    ...checkAmounts(truth, records.transfers),
    ...records.transfers.flatMap((transfer) => checkTransfer(truth, transfer)),
    ...payees.flatMap((payee) => checkPayment(payee, truth, records)),
  ];
}

function checkAmounts({ holdings }: Truth, transfers: readonly RecordedTransfer[]): string[] {
  const sumOf = (holding: Holding, counts: (transfer: RecordedTransfer) => boolean) =>
    total(transfers.filter((transfer) => isOf(transfer, holding) && isLive(transfer) && counts(transfer)));
  const differences = holdings.flatMap((holding) => {
    const compare = (what: string, onChain: bigint | null, recorded: bigint) =>
      onChain === null || onChain === recorded
        ? []
        : [
            `${holding.paymentId} ${holding.chain} ${holding.asset}: ${what} ${onChain} on chain, ${recorded} recorded`,
          ];
    return [
      ...compare(
        'mined',
        holding.mined,
        sumOf(holding, ({ height }) => height !== null),
      ),
      ...compare(
        'confirmed',
        holding.deep,
        sumOf(holding, ({ state }) => state === 'confirmed'),
      ),
      ...compare(
        'waiting',
        holding.waiting,
        sumOf(holding, ({ height }) => height === null),
      ),
    ];
  });
  const strange = transfers
    .filter((transfer) => !holdings.some((holding) => isOf(transfer, holding)))
    .map(({ paymentId, chain, asset }) => `${paymentId} ${chain} ${asset}: credited what it cannot have got`);
  return [...differences, ...strange];
}

/** No orphan left, and nothing pending that no node holds. */
function checkTransfer({ chains }: Truth, transfer: RecordedTransfer): string[] {
  const { paymentId, chain, txHash, state, height, blockHash } = transfer;
  const truth = chains.get(chain);
  const wrong = (what: string) => [`${paymentId} ${chain} ${txHash} (${state}): ${what}`];
  if (!isLive(transfer)) return height === null ? [] : wrong(`still in block ${height}`);
  if (height === null) return truth?.pool.has(txHash) ? [] : wrong('waits, and no node holds it');
  return truth?.hashAt.get(height) === blockHash
    ? []
    : wrong(`in block ${height} ${blockHash}, which the chain has left`);
}

function checkPayment(payee: Payee, truth: Truth, records: Records): string[] {
  const { paymentId } = payee;
  const payment = records.payments.find((each) => each.paymentId === paymentId);
  if (!payment) return [`${paymentId}: is gone`];
  const { numerator, denominator, isSeen, isAllDeep } = fundsOf(payee, truth, records.transfers);
  const received = (payee.due * numerator) / denominator;
  const expected = expectedStatuses(payee, payment, {
    isPaid: numerator >= denominator,
    isSeen,
    isAllDeep,
  });
  const wasUnpaid = numerator < denominator && payment.status === 'CONFIRMED';
  return [
    ...(payment.received === received
      ? []
      : [`${paymentId}: received ${received} by the chains, ${payment.received} by the API`]),
    ...(expected.includes(payment.status)
      ? []
      : [`${paymentId}: ${expected.join(' or ')} by the chains, ${payment.status} by the API`]),
    ...(wasUnpaid && payment.reviewReason !== 'reorg'
      ? [`${paymentId}: no review reason although a reorg removed paid funds`]
      : []),
    ...checkParts(payee, payment.parts, payment.received, paymentId),
    ...checkHistory(payment),
    ...checkEvents(payee, payment),
    ...(payee.hearsOfUpdates ? checkTold(payment) : []),
    ...payment.events.flatMap(({ seq, sentParts, sentReceived }) =>
      checkParts(payee, sentParts, sentReceived, `${paymentId}: event ${seq}`),
    ),
    ...checkAnnouncements(payee, truth, payment),
  ];
}

/**
 * What counts adds up to what was received, and each part is what it pays, rounded down or up
 * (specification/money.md#rounding). Everybody has one quote for each asset.
 */
function checkParts(payee: Payee, parts: readonly RecordedPart[], received: bigint, where: string): string[] {
  const counted = parts.filter(({ status, matched }) => status === 'CONFIRMED' && matched);
  const sum = counted.reduce((total, { credited }) => total + credited, 0n);
  const off = parts.filter(({ currencyCode, status, matched, amount, credited, count }) => {
    const asked = payee.asked.get(currencyCode as AssetName);
    const isLive = status === 'CONFIRMED' || status === 'PENDING';
    if (asked === undefined || !matched || !isLive) return credited !== 0n;
    const error = credited * asked - payee.due * amount;
    return error <= -asked * count || error >= asked * count;
  });
  return [
    ...(sum === received ? [] : [`${where}: parts of ${sum}, and ${received} received`]),
    ...off.map(
      ({ currencyCode, amount, credited }) => `${where}: ${amount} ${currencyCode} are credited ${credited}`,
    ),
  ];
}

/** Whatever a reorg took back later: what was announced must have been there, deep enough, on some branch. */
function checkAnnouncements(payee: Payee, { holdings }: Truth, payment: RecordedPayment): string[] {
  const own = holdings.filter(({ paymentId }) => paymentId === payee.paymentId);
  const { numerator, denominator } = partOf(payee, own, ({ everDeep }) => everDeep);
  const most = (payee.due * numerator) / denominator;
  return payment.events
    .filter(({ type }) => type === 'payment.received')
    .filter(({ sentReceived }) => sentReceived < payee.due || sentReceived > most)
    .map(
      ({ seq, sentReceived }) =>
        `${payment.paymentId}: event ${seq} announced ${sentReceived}; there never was more than ${most} of ${payee.due}`,
    );
}

/**
 * What an amount of every holding pays of what is due, exactly (specification/money.md#rounding); unasked assets pay
 * nothing.
 */
function partOf(payee: Payee, holdings: readonly Holding[], amountOf: (holding: Holding) => bigint) {
  let [numerator, denominator] = [0n, 1n];
  for (const holding of holdings) {
    const asked = holding.name === null ? undefined : payee.asked.get(holding.name);
    if (asked === undefined) continue;
    numerator = numerator * asked + amountOf(holding) * denominator;
    denominator *= asked;
  }
  return { numerator, denominator };
}

function fundsOf(payee: Payee, { holdings }: Truth, transfers: readonly RecordedTransfer[]) {
  const own = holdings.filter(
    ({ paymentId, name }) => paymentId === payee.paymentId && name !== null && payee.asked.has(name),
  );
  // On a chain without balances, pending transfers are checked one by one.
  const waits = (holding: Holding) =>
    holding.waiting ??
    total(
      transfers.filter(
        (transfer) => isOf(transfer, holding) && transfer.state === 'pending' && transfer.height === null,
      ),
    );
  return {
    ...partOf(payee, own, ({ deep }) => deep),
    isSeen: own.some((holding) => holding.mined > 0n || waits(holding) > 0n),
    isAllDeep: own.every((holding) => holding.mined === holding.deep && waits(holding) === 0n),
  };
}

function expectedStatuses(
  payee: Payee,
  { history }: RecordedPayment,
  funds: { isPaid: boolean; isSeen: boolean; isAllDeep: boolean },
): string[] {
  if (payee.isRefunded) return ['REFUND'];
  // Nothing on a chain moves it any more.
  if (payee.isConfirmedAlone && history.some(({ to }) => to === 'CONFIRMED')) return ['CONFIRMED'];
  if (funds.isPaid) return [payee.isConfirmedAlone ? 'CONFIRMED' : 'RECEIVED'];
  if (!funds.isSeen) return ['OPEN'];
  if (funds.isAllDeep) return ['UNDERPAID'];
  // More that comes does not move an underpaid payment before it is enough.
  const last = history.findLastIndex(({ to }) => to === 'OPEN');
  return history.slice(last).some(({ to }) => to === 'UNDERPAID') ? ['UNDERPAID', 'FOUND'] : ['FOUND'];
}

function checkHistory({ paymentId, status, history }: RecordedPayment): string[] {
  const findings = history.flatMap(({ seq, from, to }, i) => [
    ...(seq === i + 1 ? [] : [`${paymentId}: history entry ${seq} where ${i + 1} is due`]),
    ...(from === (history[i - 1]?.to ?? null) ? [] : [`${paymentId}: history entry ${seq} is from ${from}`]),
    ...(LEGAL.has(`${from}>${to}`) ? [] : [`${paymentId}: moved from ${from} to ${to}`]),
  ]);
  const last = history.at(-1)?.to;
  return last === status
    ? findings
    : [...findings, `${paymentId}: ${status}, and its history ends with ${last}`];
}

function checkEvents({ hearsOfFound }: Payee, { paymentId, history, events }: RecordedPayment): string[] {
  const due = history.flatMap(({ seq, to }) => {
    const type = ANNOUNCED.get(to);
    return type === undefined || (type === FOUND && !hearsOfFound) ? [] : [`${seq} ${type}`];
  });
  const found = events.map(({ seq, type }) => `${seq} ${type}`);
  const same = due.join() === found.join();
  return [
    ...(same ? [] : [`${paymentId}: events ${found.join(', ')} where ${due.join(', ')} are due`]),
    ...events
      .filter(({ type, sentStatus }) => ANNOUNCED.get(sentStatus) !== type)
      .map(({ seq, type, sentStatus }) => `${paymentId}: event ${seq} ${type} tells of ${sentStatus}`),
    ...events
      .filter(({ id, sentId }) => id !== sentId)
      .map(({ id, sentId }) => `${paymentId}: event ${id} tells the id ${sentId}`),
    ...events.flatMap(({ seq, type, isSuperseded }) => {
      const later = history.filter((entry) => entry.seq > seq);
      const isTakenBack =
        type === FOUND
          ? later.some(({ to }) => to === 'OPEN')
          : type === 'payment.received' &&
            later.some(({ from, to }) => from === 'RECEIVED' && to !== 'CONFIRMED');
      return isTakenBack === isSuperseded
        ? []
        : [`${paymentId}: event ${seq} ${type} is ${isSuperseded ? '' : 'not '}superseded`];
    }),
  ];
}

/** Whoever lists payment.updated was told what there is, but for dust (specification/events.md#changes). */
function checkTold({ paymentId, received, lastTold }: RecordedPayment): string[] {
  const told = lastTold ?? 0n;
  return received - told < DUST && told - received < DUST
    ? []
    : [`${paymentId}: received ${received}, and its events told ${told}`];
}

function isOf(transfer: RecordedTransfer, holding: Holding): boolean {
  return (
    transfer.paymentId === holding.paymentId &&
    transfer.chain === holding.chain &&
    transfer.asset === holding.asset
  );
}

function isLive({ state }: RecordedTransfer): boolean {
  return state === 'pending' || state === 'confirmed';
}

function total(transfers: readonly RecordedTransfer[]): bigint {
  return transfers.reduce((sum, { amount }) => sum + amount, 0n);
}
