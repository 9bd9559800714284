// When each alert of ops/prometheus/alerts.yml is to fire, and when it must not: samples once a minute, in promtool's
// notation (`0x4 2x5` is five times 0, then six times 2).
// `fires` is the first minute at which it does, so that one minute before it is still silent; null: never.

/** What every process says of the same fact: it is to alert once. */
const byAll = (name, values, labels = {}) =>
  Object.fromEntries(['a', 'b'].map((instance) => [series(name, { instance, ...labels }), values]));
const byOne = (name, values, labels = {}) => ({ [series(name, { instance: 'a', ...labels })]: values });

function series(name, labels) {
  const pairs = Object.entries({ job: 'gateway', ...labels });
  return `${name}{${pairs.map(([label, value]) => `${label}="${value}"`).join(',')}}`;
}

const ethereum = { chain: 'ethereum' };
/** A histogram in which each minute brings `fast` up to one bound, and `slow` up to the next. */
const spread = (name, labels, [fastBound, fast], [slowBound, slow]) => ({
  ...byOne(`${name}_bucket`, `0+${fast}x90`, { ...labels, le: fastBound }),
  ...byOne(`${name}_bucket`, `0+${fast + slow}x90`, { ...labels, le: slowBound }),
  ...byOne(`${name}_bucket`, `0+${fast + slow}x90`, { ...labels, le: '+Inf' }),
});
const answers = (status, values) =>
  byOne('gateway_http_request_duration_seconds_count', values, {
    method: 'GET',
    route: '/api/rates',
    status,
  });
const attempts = (outcome, values) => byOne('gateway_webhook_attempts_total', values, { outcome });

export const CASES = [
  {
    alert: 'GatewayRecordsDiffer',
    when: 'verify found something',
    series: byAll('gateway_reconciliation_differences', '0x4 2x20'),
    fires: 5,
  },
  {
    alert: 'GatewayRecordsDiffer',
    when: 'verify found nothing',
    series: byAll('gateway_reconciliation_differences', '0x20'),
    fires: null,
  },
  {
    alert: 'GatewayRecordsUnproven',
    when: 'the last verify is more than 26 hours old',
    series: byAll('gateway_reconciliation_age_seconds', '93600+60x100'),
    fires: 61,
  },
  {
    alert: 'GatewayRecordsUnproven',
    when: 'something was left out',
    series: {
      ...byAll('gateway_reconciliation_age_seconds', '60+60x100'),
      ...byAll('gateway_reconciliation_left_out', '0x9 1x100'),
    },
    fires: 70,
  },
  { alert: 'GatewayRecordsUnproven', when: 'verify was never run', series: {}, fires: 60 },
  {
    alert: 'GatewayRecordsUnproven',
    when: 'it was run today',
    series: {
      ...byAll('gateway_reconciliation_age_seconds', '80000+60x100'),
      ...byAll('gateway_reconciliation_left_out', '0x100'),
    },
    fires: null,
  },
  {
    alert: 'GatewayInvariantRefused',
    when: 'one process had one statement refused',
    series: byOne('gateway_database_guard_refusals_total', '0x20 1x60'),
    fires: 21,
  },
  {
    alert: 'GatewayInvariantRefused',
    when: 'that was long ago, and after it processes were started anew',
    series: byOne('gateway_database_guard_refusals_total', '7x40 0x40'),
    fires: null,
  },
  {
    alert: 'GatewayRowsForged',
    when: 'one process read a user whose row was changed',
    series: byOne('gateway_unauthentic_rows_total', '0x20 1x60', { table: 'users' }),
    fires: 21,
    labels: { table: 'users' },
    summary: 'A row of users was changed outside of the gateway',
  },
  {
    alert: 'GatewayRowsForged',
    when: 'every row is as the gateway wrote it',
    series: byAll('gateway_unauthentic_rows_total', '0x60', { table: 'deposit_addresses' }),
    fires: null,
  },
  {
    alert: 'GatewayUnattributedFunds',
    when: 'funds wait for an hour on one of two chains',
    series: {
      ...byAll('gateway_unattributed_deposits', '1x90', ethereum),
      ...byAll('gateway_unattributed_deposits', '0x90', { chain: 'tron' }),
    },
    fires: 60,
    labels: ethereum,
    summary: 'Unmatched funds on ethereum wait for a decision',
  },
  {
    alert: 'GatewayUnattributedFunds',
    when: 'the merchant decides within the hour',
    series: byAll('gateway_unattributed_deposits', '1x50 0x40', ethereum),
    fires: null,
  },
  {
    alert: 'GatewayChainPaused',
    when: 'a chain takes no payments for five minutes',
    series: byAll('gateway_chain_accepts_payments', '1x2 0x30', ethereum),
    fires: 8,
    labels: ethereum,
    summary: 'Customers are not asked to pay on ethereum',
  },
  {
    alert: 'GatewayChainPaused',
    when: 'it was for four minutes',
    series: byAll('gateway_chain_accepts_payments', '1x2 0x3 1x30', ethereum),
    fires: null,
  },
  {
    alert: 'GatewayChainHalted',
    when: 'a chain is halted',
    series: byAll('gateway_chain_halted', '0x2 1x9', ethereum),
    fires: 3,
    labels: ethereum,
    summary: 'ethereum stands still until an operator decides',
  },
  {
    alert: 'GatewayChainHalted',
    when: 'none is',
    series: byAll('gateway_chain_halted', '0x9', ethereum),
    fires: null,
  },
  {
    alert: 'GatewayChainUnwatched',
    when: 'no process holds the lease for two minutes',
    series: byAll('gateway_chain_lease_held', '1x2 0x9', ethereum),
    fires: 5,
    labels: ethereum,
    summary: 'No process watches ethereum',
  },
  {
    alert: 'GatewayChainUnwatched',
    when: 'another one takes it over',
    series: byAll('gateway_chain_lease_held', '1x2 0 1x9', ethereum),
    fires: null,
  },
  {
    alert: 'GatewayChainLagging',
    when: 'blocks and minutes behind',
    series: {
      ...byAll('gateway_chain_lag_seconds', '301x30', ethereum),
      ...byAll('gateway_chain_lag_blocks', '4x30', ethereum),
    },
    fires: 5,
    labels: ethereum,
    summary: 'ethereum is read five minutes late',
  },
  {
    alert: 'GatewayChainLagging',
    when: 'minutes behind, but not blocks: the chain is slow and not the gateway',
    series: {
      ...byAll('gateway_chain_lag_seconds', '1800x30', { chain: 'bitcoin' }),
      ...byAll('gateway_chain_lag_blocks', '1x30', { chain: 'bitcoin' }),
    },
    fires: null,
  },
  {
    alert: 'GatewayAgreementMissing',
    when: 'a large payment waits for a second endpoint for ten minutes',
    series: byAll('gateway_chain_transfers_awaiting_agreement', '0x2 1x30', ethereum),
    fires: 13,
    labels: ethereum,
    summary: 'Large payments on ethereum wait for a second endpoint',
  },
  {
    alert: 'GatewayAgreementMissing',
    when: 'the second endpoint is back within ten minutes',
    series: byAll('gateway_chain_transfers_awaiting_agreement', '0x2 1x8 0x30', ethereum),
    fires: null,
  },
  {
    alert: 'GatewayDetectionSlow',
    when: 'one block in ten takes a minute',
    series: spread('gateway_chain_detection_seconds', ethereum, ['15', 9], ['60', 1]),
    fires: 16,
    labels: ethereum,
    summary: 'Blocks of ethereum are committed half a minute after they were seen',
  },
  {
    alert: 'GatewayDetectionSlow',
    when: 'one in a hundred does',
    series: spread('gateway_chain_detection_seconds', ethereum, ['15', 99], ['60', 1]),
    fires: null,
  },
  {
    alert: 'GatewayNodeDown',
    when: 'one of two endpoints rests for a quarter of an hour',
    series: {
      ...byAll('gateway_chain_node_healthy', '1x60', { ...ethereum, position: '1' }),
      ...byAll('gateway_chain_node_healthy', '1 0x60', { ...ethereum, position: '2' }),
    },
    fires: 16,
    labels: { ...ethereum, position: '2' },
    summary: 'Endpoint 2 of ethereum is not asked any more',
  },
  {
    alert: 'GatewayNodeDown',
    when: 'it comes back',
    series: byAll('gateway_chain_node_healthy', '1 0x13 1x60', { ...ethereum, position: '2' }),
    fires: null,
  },
  {
    alert: 'GatewayDeepReorg',
    when: 'six blocks are taken back',
    series: {
      ...byAll('gateway_chain_reorgs_total', '3x9 4x60', ethereum),
      ...byAll('gateway_chain_deepest_reorg_blocks', '1x9 6x60', ethereum),
    },
    fires: 10,
    labels: ethereum,
    summary: 'ethereum took back blocks, once more than five',
  },
  {
    alert: 'GatewayDeepReorg',
    when: 'five are',
    series: {
      ...byAll('gateway_chain_reorgs_total', '3x9 4x60', ethereum),
      ...byAll('gateway_chain_deepest_reorg_blocks', '1x9 5x60', ethereum),
    },
    fires: null,
  },
  {
    alert: 'GatewayDeepReorg',
    when: 'the deep one was long ago',
    series: {
      ...byAll('gateway_chain_reorgs_total', '4x90', ethereum),
      ...byAll('gateway_chain_deepest_reorg_blocks', '9x90', ethereum),
    },
    fires: null,
  },
  {
    alert: 'GatewayEventsUndelivered',
    when: 'a merchant waits for more than a quarter of an hour',
    series: byAll('gateway_oldest_undelivered_event_age_seconds', '660+60x30'),
    fires: 10,
    summary: 'A merchant has waited 21m 0s for an event',
  },
  {
    alert: 'GatewayEventsUndelivered',
    when: 'the event arrives at the third try',
    series: byAll('gateway_oldest_undelivered_event_age_seconds', '0+60x17 0x30'),
    fires: null,
  },
  {
    alert: 'GatewayEventsUndelivered',
    when: 'a merchant has paused the endpoint',
    series: {
      ...byAll('gateway_oldest_undelivered_event_age_seconds', '0x90'),
      ...byAll('gateway_oldest_paused_event_age_seconds', '660+60x90'),
      ...byAll('gateway_webhook_deliveries_paused', '1+1x90'),
    },
    fires: null,
  },
  {
    alert: 'GatewayOutboxStuck',
    when: 'a hundred events and more stay where they are',
    series: byAll('gateway_outbox_events', '0x3 101x30'),
    fires: 14,
  },
  {
    alert: 'GatewayOutboxStuck',
    when: 'many come and go',
    series: byAll('gateway_outbox_events', '500 0 500 500 20 500 500 500 0 500 500 0'),
    fires: null,
  },
  {
    alert: 'GatewayDeliveriesExhausted',
    when: 'an event is given up',
    series: { ...attempts('exhausted', '0x5 1x90'), ...attempts('gone', '0x95') },
    fires: 6,
  },
  {
    alert: 'GatewayDeliveriesExhausted',
    when: 'an endpoint answers 410',
    series: { ...attempts('exhausted', '0x95'), ...attempts('gone', '0x5 1x90') },
    fires: 6,
  },
  {
    alert: 'GatewayDeliveriesExhausted',
    when: 'tries fail, and are repeated',
    series: { ...attempts('failed', '0+9x90'), ...attempts('succeeded', '0+9x90') },
    fires: null,
  },
  {
    alert: 'GatewayDeliveriesBlocked',
    when: 'a secret cannot be opened',
    series: byAll('gateway_webhook_deliveries_blocked', '0x3 1x9'),
    fires: 4,
  },
  {
    alert: 'GatewayDeliveriesBlocked',
    when: 'all can',
    series: byAll('gateway_webhook_deliveries_blocked', '0x9'),
    fires: null,
  },
  {
    alert: 'GatewayAttemptsBroken',
    when: 'answers cannot be recorded again and again',
    series: attempts('broken', '0x20 9x20'),
    fires: 21,
  },
  {
    alert: 'GatewayAttemptsBroken',
    when: 'it happened to four, when a database was restarted',
    series: attempts('broken', '0x20 4x20'),
    fires: null,
  },
  {
    alert: 'GatewayDown',
    when: 'one of two processes does not answer for two minutes',
    series: {
      ...byAll('gateway_info', '1x30', { role: 'all' }),
      'up{job="gateway",instance="a"}': '1x30',
      'up{job="gateway",instance="b"}': '1x3 0x26',
    },
    fires: 6,
    labels: { job: 'gateway', instance: 'b' },
  },
  { alert: 'GatewayDown', when: 'nothing was ever scraped', series: {}, fires: 2 },
  {
    alert: 'GatewayDown',
    when: 'a process is started anew',
    series: {
      ...byAll('gateway_info', '1x99', { role: 'all' }),
      'up{job="gateway",instance="a"}': '1x3 0 1x95',
    },
    fires: null,
  },
  {
    alert: 'GatewayErrors',
    when: 'two requests in a hundred fail',
    series: { ...answers('5xx', '0+2x90'), ...answers('2xx', '0+98x90') },
    fires: 6,
  },
  {
    alert: 'GatewayErrors',
    when: 'half a request in a hundred fails, and many are refused',
    series: { ...answers('5xx', '0+1x90'), ...answers('2xx', '0+99x90'), ...answers('4xx', '0+100x90') },
    fires: null,
  },
  {
    alert: 'GatewaySlow',
    when: 'five requests in a hundred take up to ten seconds',
    series: spread('gateway_http_request_duration_seconds', { status: '2xx' }, ['2.5', 95], ['10', 5]),
    fires: 11,
  },
  {
    alert: 'GatewaySlow',
    when: 'one in a thousand does',
    series: spread('gateway_http_request_duration_seconds', { status: '2xx' }, ['2.5', 999], ['10', 1]),
    fires: null,
  },
  {
    alert: 'GatewayDatabasePoolExhausted',
    when: 'work waits for a connection all the time',
    series: byOne('gateway_database_connections', '0x3 2x30', { state: 'waiting' }),
    fires: 9,
    labels: { job: 'gateway', instance: 'a', state: 'waiting' },
  },
  {
    alert: 'GatewayDatabasePoolExhausted',
    when: 'it waits now and then',
    series: byOne('gateway_database_connections', '9 0 9 0 9 0 9 0 9 0', { state: 'waiting' }),
    fires: null,
  },
  {
    alert: 'GatewayEventLoopLate',
    when: 'one process is late for five minutes',
    series: {
      ...byOne('gateway_event_loop_lag_seconds', '0.6x30', { quantile: '0.99' }),
      'gateway_event_loop_lag_seconds{job="gateway",instance="b",quantile="0.99"}': '0.01x30',
    },
    fires: 5,
  },
  {
    alert: 'GatewayEventLoopLate',
    when: 'only its worst moment is',
    series: {
      ...byOne('gateway_event_loop_lag_seconds', '0.1x30', { quantile: '0.99' }),
      ...byOne('gateway_event_loop_lag_seconds', '3x30', { quantile: '1' }),
    },
    fires: null,
  },
];
