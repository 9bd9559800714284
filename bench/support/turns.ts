import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { atTheEnd } from './cleanup.js';
import type { Sample } from './measure.js';
import { TurnOrder } from './turn-order.pure.js';

/** The samples of each case, in the order of the rounds. */
export type Samples = Record<string, Sample[]>;

/**
 * A run of a benchmark that takes turns with the same one of another checkout: while one side measures, the other waits.
 * The load of a machine changes by more within an hour than most changes to the code do.
 */
interface Run {
  /** Resolves when this side may measure. */
  begin(): Promise<void>;
  /** Ends the turn. */
  pass(): void;
  /** What this side has measured, and what the other has; null: that is for the other side to compare. */
  exchange(samples: Samples): Promise<Samples | null>;
  /** @throws Error when the other side has failed */
  end(): Promise<void>;
}

/** From the other checkout's run to this one. */
type Message = { kind: 'wait' } | { kind: 'pass' } | { kind: 'samples'; samples: Samples };

const THIS = 0;
const OTHER = 1;
/** Set for the process that {@link startBeside} starts. */
const BESIDE_VARIABLE = 'BENCH_BESIDE';

let run: Run | null = null;

/** Runs `measure` when it is this run's turn; at once, if it runs alone. */
export async function inTurn<T>(measure: () => Promise<T>): Promise<T> {
  await run?.begin();
  try {
    return await measure();
  } finally {
    run?.pass();
  }
}

/** Inside of {@link inTurn}: lets the other side measure as much, for turns that are shorter than a round. */
export async function yieldTurn(): Promise<void> {
  run?.pass();
  await run?.begin();
}

/** The samples of the same cases in the other checkout; null if this run is alone or the one beside. */
export async function samplesBeside(samples: Samples): Promise<Samples | null> {
  return (await run?.exchange(samples)) ?? null;
}

/** To be called when a benchmark is over. @throws Error when the other side has failed */
export async function endTurns(): Promise<void> {
  const ending = run;
  run = null;
  await ending?.end();
}

/** Joins the run that started this process, if one did. */
export function joinTurns(): void {
  if (process.env[BESIDE_VARIABLE]) run = new RunBeside();
}

/** Starts the same benchmark in another checkout. @param words the command line @throws Error when it takes no turns */
export function startBeside(checkout: string, words: readonly string[]): void {
  const program = path.resolve(checkout, 'bench/run.mjs');
  if (!existsSync(path.resolve(checkout, 'bench/support/turns.ts')))
    throw new Error(`${checkout}: its benchmarks take no turns; copy bench/ of a newer version there`);
  const child = spawn(process.execPath, [program, ...words], {
    cwd: checkout,
    env: { ...process.env, [BESIDE_VARIABLE]: '1' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (child.stderr)
    createInterface(child.stderr).on('line', (line) => console.error(`   beside: ${line.trim()}`));
  atTheEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  run = new ComparingRun(child);
}

class ComparingRun implements Run {
  private readonly order = new TurnOrder();
  private readonly samples: Samples[] = [];
  private onSamples: () => void = () => {};
  private readonly exit: Promise<number | null>;

  constructor(child: ChildProcess) {
    child.on('message', (message: Message) => {
      if (message.kind === 'wait') this.order.wait(OTHER, () => child.send('begin'));
      if (message.kind === 'pass') this.order.pass(OTHER);
      if (message.kind === 'samples') {
        this.samples.push(message.samples);
        this.order.resume(THIS);
        this.onSamples();
      }
    });
    this.exit = once(child, 'exit').then(([code]: (number | null)[]) => {
      this.order.rest(OTHER);
      return code ?? null;
    });
  }

  begin(): Promise<void> {
    return new Promise((resolve) => this.order.wait(THIS, resolve));
  }

  pass(): void {
    this.order.pass(THIS);
  }

  async exchange(): Promise<Samples | null> {
    if (this.samples.length === 0) {
      // The other side may need turns to get there.
      this.order.rest(THIS);
      await Promise.race([new Promise<void>((resolve) => (this.onSamples = resolve)), this.exit]);
    }
    return this.samples.shift() ?? null;
  }

  async end(): Promise<void> {
    this.order.rest(THIS);
    const code = await this.exit;
    if (code !== 0) throw new Error(`the benchmark in the other checkout has failed: exit code ${code}`);
  }
}

class RunBeside implements Run {
  /** The comparing run is gone: this one ends what it started, and itself. */
  private readonly stop = () => void process.kill(process.pid, 'SIGTERM');

  constructor() {
    process.once('disconnect', this.stop);
  }

  async begin(): Promise<void> {
    const begins = once(process, 'message');
    this.send({ kind: 'wait' });
    await begins;
  }

  pass(): void {
    this.send({ kind: 'pass' });
  }

  async exchange(samples: Samples): Promise<null> {
    this.send({ kind: 'samples', samples });
    return null;
  }

  async end(): Promise<void> {
    process.off('disconnect', this.stop);
    process.disconnect();
  }

  private send(message: Message): void {
    process.send?.(message);
  }
}
