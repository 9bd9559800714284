import { readdirSync, readFileSync } from 'node:fs';
import { inTurn, samplesBeside } from './turns.js';

/** Microseconds in a clock tick of /proc (CLK_TCK is 100 on Linux). */
const TICK_US = 10_000;

/** What one round of one case measured. */
export interface Sample {
  seconds: number;
  /** Operations done in that time. */
  operations: number;
  /** Microseconds of CPU: by process, e.g. `{ gateway: 120, postgres: 40 }`. */
  cpu: Record<string, number>;
  /** Milliseconds of each operation, where they were timed one by one. */
  latencies?: number[];
}

/** A case's name and one round of it. */
export type Cases = Record<string, (round: number) => Promise<Sample>>;

/** One row of the table. */
export interface CaseResult {
  /** Operations a second, median of the rounds. */
  rate: number;
  /** Lowest and highest rate of a round. */
  spread: [number, number];
  /** Microseconds of CPU an operation, by process, median. */
  cpu: Record<string, number>;
  p50?: number;
  p99?: number;
  /** The first case's rate divided by this case's, median over the rounds (each round's own pair). */
  firstIsTimesThis: number;
  /** The CPU of all processes for an operation of the first case, divided by that for one of this; likewise. */
  firstCpuIsTimesThis: number;
}

/**
 * Runs the cases in turn, round after round, so that load on the machine affects all of them. The first is the subject.
 * Where the same benchmark runs in another checkout beside this one, each of them waits for the other after every case.
 */
export async function interleave(cases: Cases, rounds: number): Promise<Record<string, CaseResult>> {
  const samples = new Map<string, Sample[]>(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of Object.entries(cases)) {
      const sample = await inTurn(() => measure(round));
      samples.get(name)?.push(sample);
      const about = `${rateOf(sample).toFixed(1)}/s, ${sample.seconds.toFixed(2)} s`;
      console.error(`   round ${round + 1}: ${name}: ${about}`);
    }
  }
  const beside = await samplesBeside(Object.fromEntries(samples));
  if (beside) printComparison(Object.fromEntries(samples), beside);
  const subject = [...samples.values()][0] ?? [];
  return Object.fromEntries([...samples].map(([name, own]) => [name, resultOf(own, subject)]));
}

function resultOf(samples: readonly Sample[], subject: readonly Sample[]): CaseResult {
  const rates = samples.map(rateOf);
  const latencies = samples.flatMap((sample) => sample.latencies ?? []);
  const processes = [...new Set(samples.flatMap(({ cpu }) => Object.keys(cpu)))];
  return {
    rate: median(rates),
    spread: [Math.min(...rates), Math.max(...rates)],
    cpu: Object.fromEntries(
      processes.map((name) => [
        name,
        median(samples.map(({ cpu, operations }) => (cpu[name] ?? 0) / operations)),
      ]),
    ),
    ...(latencies.length > 0 && { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }),
    firstIsTimesThis: median(subject.map((sample, round) => rateOf(sample) / (rates[round] ?? Number.NaN))),
    firstCpuIsTimesThis: median(
      subject.map((sample, round) => cpuOf(sample) / (samples[round] ? cpuOf(samples[round]) : Number.NaN)),
    ),
  };
}

/** Prints the cases for people; the caller prints the JSON line. */
export function printTable(results: Record<string, CaseResult>, operation: string): void {
  const rows = Object.entries(results).map(([name, { rate, spread, cpu, p50, p99, ...ratios }]) => [
    name,
    rate.toFixed(0),
    spread.map((one) => one.toFixed(0)).join('..'),
    Object.entries(cpu)
      .map(([process, us]) => `${process} ${us.toFixed(1)}`)
      .join(', '),
    p50 === undefined ? '' : `${p50.toFixed(2)} / ${(p99 ?? 0).toFixed(2)}`,
    ratios.firstIsTimesThis.toFixed(2),
    ratios.firstCpuIsTimesThis.toFixed(2),
  ]);
  const head = [
    'case',
    `${operation}/s`,
    'spread',
    `CPU us per ${operation}`,
    'p50 / p99 ms',
    'subject / this',
    'its CPU / this',
  ];
  for (const row of [head, ...rows]) console.error(`| ${row.join(' | ')} |`);
}

/** Prints what this checkout measured beside another one that took turns with it: medians of the rounds' own pairs. */
function printComparison(here: Record<string, Sample[]>, beside: Record<string, Sample[]>): void {
  console.error('| case | rate: here / beside | CPU of an operation: here / beside | p50 ms: here, beside |');
  for (const [name, own] of Object.entries(here)) {
    const others = beside[name] ?? [];
    const pairs = own.flatMap((sample, round) => (others[round] ? [[sample, others[round]] as const] : []));
    if (pairs.length === 0) continue;
    const rate = median(pairs.map(([one, other]) => rateOf(one) / rateOf(other)));
    const cpu = median(pairs.map(([one, other]) => cpuOf(one) / cpuOf(other)));
    const p50 = [own, others].map((samples) => samples.flatMap(({ latencies }) => latencies ?? []));
    const times = p50.map((latencies) => (latencies.length > 0 ? quantile(latencies, 0.5).toFixed(2) : '-'));
    console.error(`| ${[name, rate.toFixed(2), cpu.toFixed(2), times.join(', ')].join(' | ')} |`);
  }
}

/** Times one piece of work; `pids` are the processes whose CPU counts, `self` is this one. */
export async function timed(
  pids: Record<string, () => number>,
  work: () => Promise<number>,
): Promise<Sample> {
  const before = Object.entries(pids).map(([name, read]) => [name, read(), read] as const);
  const begun = performance.now();
  const operations = await work();
  const seconds = (performance.now() - begun) / 1_000;
  return {
    seconds,
    operations,
    cpu: Object.fromEntries(before.map(([name, was, read]) => [name, read() - was])),
  };
}

/** Microseconds of CPU of this process so far. */
export function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Microseconds of CPU of a process and of its children, those that have ended included. */
export function treeCpu(pid: number): number {
  const root = stat(pid);
  if (!root) return 0;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => stat(Number(name)));
  const living = children.filter((child) => child?.parent === pid);
  return root.own + root.ended + living.reduce((sum, child) => sum + (child?.own ?? 0), 0);
}

/** Bytes of memory that a process holds. */
export function residentBytes(pid: number): number {
  const [, pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return Number(pages) * 4_096;
}

function stat(pid: number): { parent: number; own: number; ended: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const at = (index: number) => fields[index] ?? 0;
    return { parent: at(1), own: (at(11) + at(12)) * TICK_US, ended: (at(13) + at(14)) * TICK_US };
  } catch {
    // It ended between the listing and the look.
    return null;
  }
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @param share 0 to 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Microseconds of CPU of an operation, of all processes. */
function cpuOf({ cpu, operations }: Sample): number {
  return Object.values(cpu).reduce((sum, us) => sum + us, 0) / operations;
}

/** Operations a second. */
function rateOf({ operations, seconds }: Sample): number {
  return operations / seconds;
}
