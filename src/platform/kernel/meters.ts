import { Counter, Histogram, Registry } from 'prom-client';

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

/** All meters of this process, since it started. Each gateway has its own, so nothing is registered globally. */
export class Meters {
  readonly registry = new Registry();
  private readonly registers = [this.registry];

  readonly http = new Histogram({
    name: 'gateway_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: HTTP_SECONDS,
    registers: this.registers,
  });
  readonly detection = new Histogram({
    name: 'gateway_chain_detection_seconds',
    help: 'Time from when the node first showed a head until every block up to it was committed.',
    labelNames: ['chain'],
    buckets: DETECTION_SECONDS,
    registers: this.registers,
  });
  readonly delivery = new Histogram({
    name: 'gateway_webhook_delivery_seconds',
    help: 'Time from the creation of an event until its receiver returned 2xx.',
    buckets: DELIVERY_SECONDS,
    registers: this.registers,
  });
  readonly attempts = new Counter({
    name: 'gateway_webhook_attempts_total',
    help: 'Tries to deliver a webhook, by outcome.',
    labelNames: ['outcome'],
    registers: this.registers,
  });
  readonly refusals = new Counter({
    name: 'gateway_database_guard_refusals_total',
    help: 'Statements that broke an invariant and were refused by the database.',
    registers: this.registers,
  });
  readonly droppedConnections = new Counter({
    name: 'gateway_http_connections_dropped_total',
    help: 'Connections that were closed because there were too many, or because they sent nothing.',
    labelNames: ['reason'],
    registers: this.registers,
  });
  /** Series are created by the tables that are authenticated (integrity/authenticated-rows.ts). */
  readonly unauthentic = new Counter({
    name: 'gateway_unauthentic_rows_total',
    help: 'Rows that were read and had been changed outside of the gateway, by table.',
    labelNames: ['table'],
    registers: this.registers,
  });
  readonly refusedSignIns = new Counter({
    name: 'gateway_sign_ins_refused_total',
    help: 'Sign-ins that were refused, by reason.',
    labelNames: ['reason'],
    registers: this.registers,
  });

  /** Series begin at 0, so that their first increase is visible. */
  constructor() {
    for (const reason of SIGN_IN_REFUSALS) this.refusedSignIns.inc({ reason }, 0);
    for (const reason of ['total', 'address', 'silent']) this.droppedConnections.inc({ reason }, 0);
    for (const outcome of ATTEMPT_OUTCOMES) this.attempts.inc({ outcome }, 0);
  }
}
