import type { MetricFamily, Sample } from './prometheus-text.pure.js';

type Labels = Readonly<Record<string, string>>;

/** One series of a meter, by the values of its labels. */
class Series<Value> {
  private readonly values = new Map<string, { labels: Labels; value: Value }>();

  constructor(private readonly empty: () => Value) {}

  at(labels: Labels): { value: Value } {
    const key = JSON.stringify(labels);
    let found = this.values.get(key);
    if (!found) this.values.set(key, (found = { labels, value: this.empty() }));
    return found;
  }

  list(): { labels: Labels; value: Value }[] {
    return [...this.values.values()];
  }
}

/** Only increases until its process ends. */
export class Counter {
  private readonly series = new Series(() => 0);

  constructor(
    private readonly name: string,
    private readonly help: string,
  ) {}

  /** Creates a series with the value 0, so that its first increase is visible. */
  start(labels: Labels): void {
    this.series.at(labels);
  }

  add(labels: Labels = {}): void {
    this.series.at(labels).value++;
  }

  family(): MetricFamily {
    return { name: this.name, help: this.help, type: 'counter', samples: this.series.list() };
  }
}

interface Buckets {
  /** Observations per bucket, not cumulative. */
  counts: number[];
  sum: number;
  count: number;
}

/** Counts durations by their length. */
export class Histogram {
  private readonly series: Series<Buckets>;

  /** @param bounds seconds, ascending; longer durations are counted as well */
  constructor(
    private readonly name: string,
    private readonly help: string,
    private readonly bounds: readonly number[],
  ) {
    this.series = new Series(() => ({ counts: bounds.map(() => 0), sum: 0, count: 0 }));
  }

  observe(labels: Labels, seconds: number): void {
    const { value } = this.series.at(labels);
    const place = this.bounds.findIndex((bound) => seconds <= bound);
    if (place !== -1) value.counts[place] = (value.counts[place] ?? 0) + 1;
    value.sum += seconds;
    value.count++;
  }

  family(): MetricFamily {
    const samples = this.series.list().flatMap(({ labels, value }): Sample[] => {
      let total = 0;
      const buckets = this.bounds.map((bound, i) => {
        total += value.counts[i] ?? 0;
        return { suffix: '_bucket', labels: { ...labels, le: String(bound) }, value: total } as const;
      });
      return [
        ...buckets,
        { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: value.count },
        { suffix: '_sum', labels, value: value.sum },
        { suffix: '_count', labels, value: value.count },
      ];
    });
    return { name: this.name, help: this.help, type: 'histogram', samples };
  }
}

/** From a fast response to the longest that clients wait. */
const HTTP_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10];
const DETECTION_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300];
/** The retry schedule reaches three days. */
const DELIVERY_SECONDS = [0.1, 0.5, 1, 5, 30, 120, 600, 3_600, 86_400];

/** How an attempt to deliver a webhook ended. */
export const ATTEMPT_OUTCOMES = ['succeeded', 'failed', 'exhausted', 'gone', 'broken'] as const;

/** Why a sign-in was refused: a wrong secret, or a limit that was reached before the secret was checked. */
export const SIGN_IN_REFUSALS = ['password', 'code', 'address_limit', 'account_limit', 'code_limit'] as const;
export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[number];

/** All meters of this process, since it started. */
export class Meters {
  readonly http = new Histogram(
    'gateway_http_request_duration_seconds',
    'Time from the head of a request to the end of its response.',
    HTTP_SECONDS,
  );
  readonly detection = new Histogram(
    'gateway_chain_detection_seconds',
    'Time from when the node first showed a head until every block up to it was committed.',
    DETECTION_SECONDS,
  );
  readonly delivery = new Histogram(
    'gateway_webhook_delivery_seconds',
    'Time from the creation of an event until its receiver returned 2xx.',
    DELIVERY_SECONDS,
  );
  readonly attempts = new Counter(
    'gateway_webhook_attempts_total',
    'Tries to deliver a webhook, by outcome.',
  );
  readonly refusals = new Counter(
    'gateway_database_guard_refusals_total',
    'Statements that broke an invariant and were refused by the database.',
  );
  readonly droppedConnections = new Counter(
    'gateway_http_connections_dropped_total',
    'Connections that were closed because there were too many, or because they sent nothing.',
  );
  /** Series are created by the tables that are authenticated (integrity/authenticated-rows.ts). */
  readonly unauthentic = new Counter(
    'gateway_unauthentic_rows_total',
    'Rows that were read and had been changed outside of the gateway, by table.',
  );

  readonly refusedSignIns = new Counter(
    'gateway_sign_ins_refused_total',
    'Sign-ins that were refused, by reason.',
  );

  constructor() {
    for (const reason of SIGN_IN_REFUSALS) this.refusedSignIns.start({ reason });
    for (const reason of ['total', 'address', 'silent']) this.droppedConnections.start({ reason });
    for (const outcome of ATTEMPT_OUTCOMES) this.attempts.start({ outcome });
    this.refusals.start({});
  }

  families(): MetricFamily[] {
    return [
      this.http,
      this.detection,
      this.delivery,
      this.attempts,
      this.refusals,
      this.droppedConnections,
      this.unauthentic,
      this.refusedSignIns,
    ].map((meter) => meter.family());
  }
}
