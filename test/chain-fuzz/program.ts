/** Where one step sends: a payment by its number; {@link STRANGER} is a foreign address. */
export interface Part {
  payee: number;
  /** Thousandths of what that payment was asked for. */
  share: number;
  /** Additional smallest units, so that sums show which parts were counted. */
  dust: number;
}

/** One thing that happens to a chain, or to the gateway. */
export interface Step {
  kind: StepKind;
  parts: Part[];
  /** Blocks, for the kinds that mine or take back. */
  depth: number;
  /** Chance that the step may use up: which transaction, which process, which token. */
  pick: number;
}

/** Payments of one program. */
export const PAYEES = 6;
export const STRANGER = PAYEES;
/** As deep as coinbase maturity, and below both chains' reorg window (128 and 144). */
export const DEEPEST = 100;
/** Up from here a reorg counts as a deep one. */
export const DEEP = 40;

type Shape = { weight: number; parts?: readonly [least: number, most: number]; depth?: 'fork' | 'few' };

/** Every kind of step: how often it comes, and what it needs. */
const KINDS = {
  'evm.pay': { weight: 8, parts: [1, 1] },
  'evm.token': { weight: 6, parts: [1, 1] },
  /** Several recipients in one transaction, ether and tokens mixed. */
  'evm.many': { weight: 5, parts: [2, 5] },
  /** A contract passes the ether on. */
  'evm.forward': { weight: 3, parts: [1, 1] },
  /** A contract that pays by the height of its block: mined again elsewhere, the same transaction does something else. */
  'evm.fickle': { weight: 5, parts: [2, 2] },
  'evm.selfdestruct': { weight: 2, parts: [1, 1] },
  /** The transaction succeeds, the frame that paid was taken back. */
  'evm.inner-revert': { weight: 4, parts: [1, 1] },
  /** The whole transaction fails after it had paid. */
  'evm.failed': { weight: 2, parts: [1, 2] },
  'evm.fake-token': { weight: 2, parts: [1, 1] },
  /** Not listed: whatever it announces credits nothing. */
  'evm.fee-token': { weight: 1, parts: [1, 1] },
  /** Of a listed contract, in every shape but EIP-20's. */
  'evm.odd-logs': { weight: 2, parts: [1, 1] },
  /** The same nonce again, for more: to another payee. */
  'evm.bump': { weight: 5, parts: [1, 1] },
  'evm.drop': { weight: 2 },
  /** A transaction that a reorg dropped is handed in again, and mined elsewhere. */
  'evm.resend': { weight: 4 },
  'evm.mine': { weight: 10, depth: 'few' },
  /** Some of what was taken back is mined again, at other places. */
  'evm.reorg': { weight: 6, depth: 'fork' },
  /** The tip goes backwards and stays there. */
  'evm.rollback': { weight: 2, depth: 'few' },
  'evm.pause': { weight: 1 },
  'utxo.pay': { weight: 8, parts: [1, 1] },
  'utxo.many': { weight: 6, parts: [2, 5] },
  /** Spends what waits itself. */
  'utxo.chain': { weight: 4, parts: [1, 2] },
  /** BIP125, to other payees. */
  'utxo.bump': { weight: 6, parts: [1, 2] },
  /** A block holds another transaction with the coins of one that waits. */
  'utxo.double-spend': { weight: 4, parts: [1, 2] },
  'utxo.mine': { weight: 7, depth: 'few' },
  'utxo.mine-empty': { weight: 4 },
  /** Some of what was taken back is mined again, the rest waits or is forgotten. */
  'utxo.reorg': { weight: 5, depth: 'fork' },
  /** The new branch spends the coins of what was taken back. */
  'utxo.reorg-double-spend': { weight: 4, parts: [1, 2], depth: 'fork' },
  'utxo.rollback': { weight: 2, depth: 'few' },
  'utxo.pause': { weight: 1 },
  /** SIGKILL to one of the two watchers; a new one is started at once. */
  'engine.kill': { weight: 3 },
  /** SIGSTOP: a watcher that still believes it leads when it wakes up. */
  'engine.freeze': { weight: 3 },
  /** The lease runs out while its holder lives: two watchers at work on one chain. */
  'engine.lease-ends': { weight: 4 },
  /** Every connection to the database breaks. */
  'engine.cut': { weight: 2 },
  /** Time for the watchers to come as far as the chains. */
  'engine.catch-up': { weight: 10 },
  /** A moment, shorter than a catch-up. */
  'engine.breathe': { weight: 12 },
} as const satisfies Record<string, Shape>;

export type StepKind = keyof typeof KINDS;
export const STEP_KINDS = Object.keys(KINDS) as StepKind[];

/** The same numbers for the same seed (mulberry32). @returns a whole number below its argument */
export function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** What happens in one run: nothing but the seed decides. */
export function makeProgram(seed: number, steps: number): Step[] {
  // Consecutive seeds of this generator begin alike.
  const pick = random(Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995);
  const total = STEP_KINDS.reduce((sum, kind) => sum + KINDS[kind].weight, 0);
  return Array.from({ length: steps }, () => {
    let at = pick(total);
    const kind = STEP_KINDS.find((each) => (at -= KINDS[each].weight) < 0) ?? 'engine.breathe';
    const shape: Shape = KINDS[kind];
    const [least, most] = shape.parts ?? [0, 0];
    return {
      kind,
      parts: Array.from({ length: least + pick(most - least + 1) }, () => makePart(pick)),
      depth: shape.depth === 'fork' ? forkDepth(pick) : shape.depth === 'few' ? 1 + pick(4) : 0,
      pick: pick(2 ** 31),
    };
  });
}

/** Mostly within the confirmations that payments need, sometimes as deep as the gateway promises to survive. */
function forkDepth(pick: (below: number) => number): number {
  const kind = pick(100);
  if (kind < 60) return 1 + pick(4);
  if (kind < 85) return 5 + pick(10);
  if (kind < 95) return 15 + pick(DEEP - 15);
  return DEEP + pick(DEEPEST - DEEP + 1);
}

function makePart(pick: (below: number) => number): Part {
  const payee = pick(8) === 0 ? STRANGER : pick(PAYEES);
  // Exactly what was asked for, a good part of it, or next to nothing.
  const share = pick(4) === 0 ? 1_000 : pick(3) === 0 ? 0 : 1 + pick(700);
  return { payee, share, dust: share === 1_000 && pick(2) === 0 ? 0 : 1 + pick(999) };
}

/** One line per step, to analyze a failure. */
export function describeStep({ kind, parts, depth, pick }: Step): string {
  const sent = parts.map(
    ({ payee, share, dust }) => `${payee === STRANGER ? 'stranger' : `#${payee}`} ${share}‰+${dust}`,
  );
  return [kind, ...(depth > 0 ? [`depth ${depth}`] : []), ...sent, `pick ${pick}`].join('  ');
}
