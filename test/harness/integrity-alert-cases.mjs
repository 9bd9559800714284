// Cases of alert-cases.mjs: what somebody changed in the database, and who guesses passwords.
import { byAll, byOne } from './alert-series.mjs';

export const INTEGRITY_CASES = [
  {
    alert: 'GatewayRowsForged',
    when: 'one process read a user whose row was changed',
    series: byOne('gateway_unauthentic_rows_total', '0x20 1x60', { table: 'users' }),
    fires: 21,
    labels: { table: 'users' },
    summary: 'A row of users was changed outside of the gateway',
  },
  {
    alert: 'GatewayAuditLogShorter',
    when: 'its end was cut off',
    series: byAll('gateway_audit_log_rows', '10x4 7x60'),
    fires: 7,
  },
  {
    alert: 'GatewayAuditLogShorter',
    when: 'it grows, and one process shows that a minute later',
    series: {
      ...byOne('gateway_audit_log_rows', '10x9 12x60'),
      'gateway_audit_log_rows{job="gateway",instance="b"}': '10x10 12x59',
    },
    fires: null,
  },
  {
    alert: 'GatewayRowsForged',
    when: 'every row is as the gateway wrote it',
    series: byAll('gateway_unauthentic_rows_total', '0x60', { table: 'deposit_addresses' }),
    fires: null,
  },
  {
    alert: 'GatewayAccountGuessed',
    when: 'one process refused a sign-in because the bound of its account was reached',
    series: byOne('gateway_sign_ins_refused_total', '0x20 1x60', { reason: 'account_limit' }),
    fires: 21,
    labels: { reason: 'account_limit' },
    summary: 'An account is being guessed (account_limit)',
  },
  {
    alert: 'GatewayAccountGuessed',
    when: 'people mistype their passwords',
    series: byOne('gateway_sign_ins_refused_total', '0+1x60', { reason: 'password' }),
    fires: null,
  },
];
