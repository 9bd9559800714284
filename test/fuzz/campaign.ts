import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { DOCUMENT } from '../support/contract/document-schemas.js';
import type { FuzzHarness } from './fuzz-harness.js';
import { createdBody, ResponseChecker } from './response-checker.js';
import { harvest } from './pools.js';
import { type FuzzRequest, RequestArbitraries } from './request-arbitraries.js';
import { type Outcome, Wire } from './wire.js';

/** Requests that failed once; each is sent again at the start of every run. */
const KEPT_FILE = path.join(import.meta.dirname, 'kept-cases.json');
/** Where a run leaves what it found, to be moved to the kept ones together with the fix. */
const FOUND_FILE = path.resolve(import.meta.dirname, '../../fuzz-found.json');
/** Connections at once: enough to keep two cores busy, and for requests to meet each other. */
const LANES = 4;
/** fast-check grows its values with the run's number; starting anew keeps small and large ones mixed. */
const BATCH = 1_000;
/** Requests between two progress lines. */
const PROGRESS = 50_000;
/** An answer that takes so many times as long as the run's usual one, and again when it is asked for again, is a hang. */
const HANG = 300;
/** Milliseconds: no shorter answer is compared with the usual one. */
const NOTICEABLE = 100;
/** Answers that say what is usual. */
const USUAL = 201;
/** Different failures after which a run gives up. */
const ENOUGH = 25;

interface KeptCase {
  /** What was wrong. */
  problem: string;
  request: FuzzRequest;
}

/** One fuzz run against one gateway. */
export class Campaign {
  private readonly checker = new ResponseChecker();
  private readonly arbitrary = new RequestArbitraries(DOCUMENT).any();
  private readonly found = new Map<string, KeptCase>();
  private readonly statuses = new Map<number, number>();
  private readonly operations = new Map<string, { sent: number; good: number }>();
  private readonly start = performance.now();
  private sent = 0;
  private kept = 0;
  private retried = 0;
  private slowest = { ms: 0, operation: '' };
  /** Milliseconds of the last answers, of which the one in the middle is usual. */
  private readonly last: number[] = [];

  constructor(
    private readonly harness: FuzzHarness,
    private readonly seed: number,
  ) {}

  async replayKept(): Promise<void> {
    const cases = JSON.parse(readFileSync(KEPT_FILE, 'utf8')) as KeptCase[];
    const wire = new Wire(this.harness.baseUrl);
    for (const { request } of cases) {
      const problems = await this.try(wire, request);
      if (problems.length > 0) this.keep(problems, request);
    }
    this.kept = cases.length;
    await wire.close();
  }

  /** @param requests at least so many; shrinking a failure sends some more */
  async run(requests: number): Promise<void> {
    const batches = Math.ceil((requests - this.sent) / BATCH);
    let next = 0;
    const lane = async () => {
      const wire = new Wire(this.harness.baseUrl);
      while (next < batches && this.found.size < ENOUGH) await this.batch(wire, this.seed + next++);
      await wire.close();
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  fail(problem: string): void {
    const request = {
      operation: '',
      method: '',
      target: '',
      headers: {},
      body: null,
      encoding: 'utf8',
    } as const;
    this.keep([problem], request);
  }

  /** Prints the summary; its last line is "<operations> passed, <mistakes> failed". Returns the exit code. */
  report(): number {
    const seconds = (performance.now() - this.start) / 1000;
    const lines = [
      `seed ${this.seed}, ${this.sent} requests in ${seconds.toFixed(0)} s (${(this.sent / seconds).toFixed(0)}/s), ` +
        `${this.kept} kept cases replayed`,
      `slowest answer ${this.slowest.ms.toFixed(0)} ms (${this.slowest.operation}); ${this.retried} slow ones were fast when repeated`,
      `statuses: ${[...this.statuses]
        .toSorted(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', ')}`,
      'operation: requests, of them answered 2xx or 3xx',
      ...[...this.operations]
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([name, { sent, good }]) => `  ${name}: ${sent}, ${good}`),
    ];
    for (const { problem, request } of this.found.values())
      lines.push(`FAILED ${problem}`, `  ${JSON.stringify(request)}`);
    if (this.found.size > 0) {
      writeFileSync(FOUND_FILE, `${JSON.stringify([...this.found.values()], null, 2)}\n`);
      lines.push(`written to ${FOUND_FILE}`);
    }
    lines.push(`${this.operations.size} passed, ${this.found.size} failed`);
    process.stdout.write(`${lines.join('\n')}\n`);
    return this.found.size > 0 ? 1 : 0;
  }

  /** Sends a batch; a failure is made as small as possible and kept, and the rest of the batch is dropped. */
  private async batch(wire: Wire, seed: number): Promise<void> {
    let last: string[] = [];
    const property = fc.asyncProperty(this.arbitrary, async (request) => {
      const problems = await this.try(wire, request);
      if (problems.length === 0 || this.found.has(kindOf(problems))) return true;
      last = problems;
      return false;
    });
    const result = await fc.check(property, { seed, numRuns: BATCH });
    if (result.failed) this.keep(last, result.counterexample?.[0] as FuzzRequest);
  }

  private async try(wire: Wire, request: FuzzRequest): Promise<string[]> {
    let outcome = await this.send(wire, request);
    if (this.isSlow(outcome)) {
      // A busy machine is slow once, a hang is slow again.
      outcome = await this.send(wire, request);
      if (!this.isSlow(outcome)) this.retried++;
    }
    const problems = this.checker.problems(outcome);
    return this.isSlow(outcome) ? [`a hang: ${HANG} times as long as usual`, ...problems] : problems;
  }

  private isSlow({ ms }: Outcome): boolean {
    if (ms < NOTICEABLE || this.last.length < USUAL) return false;
    const usual = this.last.toSorted((a, b) => a - b)[Math.floor(USUAL / 2)] ?? ms;
    return ms > HANG * usual;
  }

  private async send(wire: Wire, request: FuzzRequest): Promise<Outcome> {
    const outcome = await wire.send(request, this.harness.pools);
    if (++this.sent % PROGRESS === 0)
      process.stdout.write(`${this.sent} requests, ${this.found.size} failed\n`);
    const counts = this.operations.get(request.operation) ?? { sent: 0, good: 0 };
    this.operations.set(request.operation, counts);
    counts.sent++;
    if (outcome.ms > this.slowest.ms) this.slowest = { ms: outcome.ms, operation: request.operation };
    if ('exchange' in outcome) {
      this.last.push(outcome.ms);
      if (this.last.length > USUAL) this.last.shift();
      const { status } = outcome.exchange;
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status < 400) counts.good++;
      const created = createdBody(outcome.exchange);
      if (created !== null) harvest(this.harness.pools, request.operation, created);
    }
    return outcome;
  }

  private keep(problems: readonly string[], request: FuzzRequest): void {
    const kind = kindOf(problems);
    if (!this.found.has(kind)) this.found.set(kind, { problem: problems.join('; '), request });
  }
}

/** The same mistake by another request is not another failure. */
function kindOf(problems: readonly string[]): string {
  return problems
    .join('; ')
    .replace(/[0-9a-f-]{8,}|\d+/g, '#')
    .slice(0, 200);
}
