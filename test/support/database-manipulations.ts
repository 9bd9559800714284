/** A table, and the column by which the test finds the row of one payment or application. */
export interface Manipulated {
  table: string;
  key: string;
}

export const MANIPULATED: Manipulated[] = [
  { table: 'payments', key: 'payment id' },
  { table: 'quotes', key: 'payment payment_id' },
  { table: 'payment_transfers', key: 'payment payment_id' },
  { table: 'payment_events', key: 'payment payment_id' },
  { table: 'payment_status_history', key: 'payment payment_id' },
  { table: 'sites', key: 'application application_id' },
  { table: 'payment_applications', key: 'application id' },
];

/** What `verify` calls a row, where that is not its id. */
export const ID: Readonly<Record<string, string>> = { payment_status_history: 'payment_id' };

/** Columns that may be changed unnoticed, and why that gains nothing. A new column is listed here or is noticed. */
export const EXEMPT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  payments: {
    selected_provider: 'what the customer last looked at',
    selected_method: 'what the customer last looked at',
    review_reason: 'asks a person to look, and is computed anew with the next change of the payment',
    stopped_at: 'since when a stopped payment is named to its merchant',
    reason_before: 'comes back when a stopped payment goes on, and asks a person to look',
    acknowledged_at: "the merchant's decision, or a response of the endpoint; the audit log has the former",
    overpay_accepted_at: "the merchant's decision; the audit log has it",
    kept_amount: "the merchant's decision; the audit log has it",
    twice_kept_at: "the merchant's decision; the audit log has it",
    paid_late_at: 'asks a person to look; the times of the link and of the funds stay',
    late_kept_at: "the merchant's decision; the audit log has it",
    shares_reference: 'asks a person to look, and follows from the references',
    recheck_at: 'when the payment is computed again',
    expiry_check_at: 'when the payment is looked at again',
    mac: 'authenticates the others',
  },
  payment_transfers: {
    block_time: 'read when a payment is paid: whether a person is asked to look',
    place_mac: 'authenticates block and depth: the payment stops',
    confirmations_required: 'only a lower number would matter, which `depth` finds',
    finality_required: 'only a weaker one would matter, which `depth` finds',
    confirmed_at: 'decides nothing alone; `settled` compares it where it decides',
  },
  payment_events: {
    dispatched_at: 'whether it is on its way: sent again, at worst',
    superseded_at: 'whether it is still sent',
    overtaken_at: 'whether it is still sent',
    position: 'its place in the feed',
  },
  payment_applications: {
    name: 'a label',
    client_id: 'public, and unknown to the merchant if changed',
    sealed_secret: 'encrypted for its row: nothing is signed with another one',
    sealed_previous_secret: 'encrypted for its row: nothing is signed with another one',
    previous_secret_until: 'how long the previous secret signs beside the newest',
    currency_whitelist:
      'what is offered of the coins that the operator enabled and the merchant has wallets for',
    created_at: 'the order of lists',
    deleted_at: 'whether new payments can be created',
  },
};

/** Values that the checks of the table permit, so that not they are what is tried. */
const VALUES: Readonly<Record<string, string>> = {
  'payments.status': `'UNDERPAID'`,
  'payments.review_reason': `'reorg'`,
  'payments.reason_before': `'reorg'`,
  'payments.found_at': `found_at + interval '1 millisecond'`,
  'payments.confirmed_at': `confirmed_at + interval '1 hour'`,
  'payments.created_at': `created_at - interval '1 hour'`,
  'payments.metadata': `'{"order": "2"}'`,
  'quotes.locked_at': `locked_at - interval '1 hour'`,
  'quotes.rate': `rate || '1'`,
  'payment_transfers.tx_hash': `'0x' || translate(substr(tx_hash, 3), '0123456789', '1234567890')`,
  'payment_transfers.state': `'orphaned'`,
  'payment_transfers.finality_required': `'safe'`,
  'payment_events.seq': 'seq + 100',
  'payment_events.type': `case type when 'payment.received' then 'payment.underpaid' else 'payment.refund' end`,
  'payment_events.position': 'position + 100000',
  'payment_status_history.seq': 'seq + 100',
  'payment_status_history.from_status': `'UNDERPAID'`,
  'payment_status_history.to_status': `'UNDERPAID'`,
  'payment_applications.client_id': 'reverse(client_id)',
  'payment_applications.currency_whitelist': `array['ETH']`,
  'sites.confirmations': `'{"ethereum": 2}'`,
  'sites.events': `events || array['payment.found']`,
};

/** Another value of the column, as SQL. @param newId for UUIDs */
export function valueOf(table: string, column: string, type: string, newId: string): string {
  const chosen = VALUES[`${table}.${column}`];
  if (chosen !== undefined) return chosen;
  if (type.startsWith('timestamp')) return `coalesce(${column}, now()) + interval '1 hour'`;
  if (type === 'uuid') return `'${newId}'`;
  if (type === 'boolean') return `not coalesce(${column}, false)`;
  if (type === 'jsonb') return `'{"a":"b"}'`;
  if (/int|numeric/.test(type)) return `coalesce(${column}, 0) + 1`;
  if (type === 'text[]') return `coalesce(${column}, '{}') || array['x']`;
  if (type === 'text')
    return `case when ${column} ~ '[0-9]' then translate(${column}, '0123456789', '1234567890')
      else 'X' || coalesce(${column}, '') end`;
  throw new Error(`a value of ${type} for ${table}.${column} is missing`);
}
