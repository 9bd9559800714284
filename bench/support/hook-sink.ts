import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { atTheEnd } from './cleanup.js';
import { treeCpu } from './measure.js';

/** Messages of the sink; see hook-sink.mjs. */
interface SinkMessage {
  port?: number;
  isReset?: boolean;
  isComplete?: boolean;
  requests?: number;
  arrivals?: [string, string][];
}

/** How an endpoint of the sink behaves. */
export type Manner = 'ok' | 'fail' | 'slow' | 'hang';

/** The merchants' servers, in a process of their own. */
export class HookSink {
  private constructor(
    private readonly child: ChildProcess,
    readonly origin: string,
  ) {}

  static async start(): Promise<HookSink> {
    const child = fork(path.join(import.meta.dirname, 'hook-sink.mjs'), { execArgv: [] });
    atTheEnd(async () => child.disconnect());
    const { port } = await received(child, (one) => one.port !== undefined);
    return new HookSink(child, `http://127.0.0.1:${port}`);
  }

  /** Path of endpoint `i`. */
  static path(i: number, manner: Manner = 'ok'): string {
    return `/${manner}/${i}`;
  }

  /** Forgets what came; {@link complete} waits for so many different events from now on. */
  async expect(events: number): Promise<void> {
    const isReset = received(this.child, (one) => one.isReset === true);
    this.child.send({ expect: events });
    await isReset;
  }

  /** Ask before the first of them can come. */
  complete(deadlineMs: number): Promise<unknown> {
    const done = received(this.child, (one) => one.isComplete === true, deadlineMs);
    // When another error ends the run, no caller may be waiting any more.
    done.catch(() => undefined);
    return done;
  }

  /** Requests so far, and when each event came first, in nanoseconds of `process.hrtime`. */
  async read(): Promise<{ requests: number; arrivals: Map<string, bigint> }> {
    const answer = received(this.child, (one) => one.arrivals !== undefined);
    this.child.send({ isRead: true });
    const { requests = 0, arrivals = [] } = await answer;
    return { requests, arrivals: new Map(arrivals.map(([id, at]) => [id, BigInt(at)])) };
  }

  /** Drops all connections, also those that hang. */
  async hangUp(): Promise<void> {
    this.child.send({ isOver: true });
  }

  cpu(): number {
    return treeCpu(this.child.pid ?? 0);
  }
}

function received(
  child: ChildProcess,
  isIt: (one: SinkMessage) => boolean,
  deadlineMs = 30_000,
): Promise<SinkMessage> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => over(new Error('the sink did not get everything in time')), deadlineMs);
    const hear = (one: SinkMessage) => isIt(one) && over(null, one);
    const fall = () => over(new Error('the sink ended'));
    const over = (error: Error | null, one: SinkMessage = {}) => {
      clearTimeout(timer);
      child.off('message', hear).off('exit', fall);
      if (error) reject(error);
      else resolve(one);
    };
    child.on('message', hear).on('exit', fall);
  });
}
