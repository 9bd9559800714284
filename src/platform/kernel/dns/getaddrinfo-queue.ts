import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';

interface Job {
  addresses: Promise<LookupAddress[] | null>;
  /** Callers that wait for it. */
  wanted: number;
}

/**
 * getaddrinfo(3), one call at a time: a call holds a thread of libuv's pool (four, shared with file access and password
 * hashing) until the system gives up, which may be long after the caller has. Concurrent lookups of one name share a
 * call, and a name without waiting callers is not looked up.
 */
export class GetaddrinfoQueue {
  private readonly jobs = new Map<string, Job>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly call = (hostname: string): Promise<LookupAddress[]> => lookup(hostname, { all: true }),
  ) {}

  /** Returns null if `signal` aborts first. */
  async lookup(hostname: string, signal: AbortSignal): Promise<LookupAddress[] | null> {
    if (signal.aborted) return null;
    const job = this.jobs.get(hostname) ?? this.enqueue(hostname);
    job.wanted += 1;
    const aborted = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null), { once: true });
    });
    try {
      return await Promise.race([job.addresses, aborted]);
    } finally {
      job.wanted -= 1;
    }
  }

  private enqueue(hostname: string): Job {
    const job: Job = { wanted: 0, addresses: this.last.then(() => this.run(hostname, job)) };
    this.last = Promise.allSettled([job.addresses]);
    this.jobs.set(hostname, job);
    return job;
  }

  private async run(hostname: string, job: Job): Promise<LookupAddress[] | null> {
    try {
      return job.wanted > 0 ? await this.call(hostname) : null;
    } finally {
      this.jobs.delete(hostname);
    }
  }
}
