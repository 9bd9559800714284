import { readFileSync } from 'node:fs';
import { GRANTS } from '../migrations/grants.js';
import { SITES } from '../src/applications/site.entity.js';
import { PAYMENT_EVENTS } from '../src/payments/payment-event.entity.js';
import { PAYMENT_STATUS_HISTORY } from '../src/payments/payment-status-history.entity.js';
import { PAYMENTS } from '../src/payments/payment.entity.js';
import { QUOTES } from '../src/payments/quotes/quote.entity.js';
import { PAYMENT_TRANSFERS } from '../src/payments/transfers/payment-transfer.entity.js';
import { REFUND_HISTORY } from '../src/refunds/refund-history.entity.js';
import { REFUNDS } from '../src/refunds/refund.entity.js';
import { columnOf, tableOf } from '../src/platform/database/entity-table.js';
import { EXEMPT } from './support/database-manipulations.js';
import { CLASSIFIED, TABLE_CLASSES, UNCOVERED } from './support/table-classes.js';

const SCHEMA = readFileSync('migrations/schema.sql', 'utf8');

/** The columns of a table as all migrations make it, by schema.sql, which test/migrations.e2e-spec.ts compares. */
function columnsOf(table: string): string[] {
  const body = new RegExp(`create table (?:public\\.)?${table} \\(\\n([^;]*?)\\n\\);?`, 'i').exec(
    SCHEMA,
  )?.[1];
  if (body === undefined) throw new Error(`schema.sql has no table ${table}`);
  return [...body.matchAll(/^ {2,4}"?([a-z_]+)"? /gm)]
    .map(([, name = '']) => name)
    .filter((name) => !['constraint', 'check', 'primary', 'unique', 'foreign'].includes(name));
}

it('every table has a class, and every class a table', () => {
  expect(Object.keys(TABLE_CLASSES).toSorted()).toEqual(Object.keys(GRANTS).toSorted());
  expect(TABLES.toSorted()).toEqual(Object.keys(GRANTS).toSorted());
});

it.each([
  'chain_cursors',
  'chain_leases',
  'reconciliation_schedule',
  'webhook_deliveries',
  'webhook_endpoints',
])('what a rewritten row of %s can do is told', (table) => {
  expect(TABLE_CLASSES[table]).toHaveProperty('worst');
});

/** Every table of the schema, whether it is declared somewhere or not. */
const TABLES = [...SCHEMA.matchAll(/^create table (?:public\.)?([a-z_]+) \(/gim)].map(
  ([, name = '']) => name,
);
const AUTHENTICATED = [
  ['payments', PAYMENTS],
  ['quotes', QUOTES],
  ['payment_transfers', PAYMENT_TRANSFERS],
  ['payment_events', PAYMENT_EVENTS],
  ['payment_status_history', PAYMENT_STATUS_HISTORY],
  ['sites', SITES],
  ['refunds', REFUNDS],
  ['refund_history', REFUND_HISTORY],
] as const;

it.each(TABLES.filter((table) => AUTHENTICATED.every(([name]) => name !== table)))(
  'the class of %s was decided with all of its columns',
  (table) => {
    expect(CLASSIFIED[table]?.split(' ').toSorted()).toEqual(columnsOf(table).toSorted());
  },
);

it.each(AUTHENTICATED)(
  'every column of %s is in its MAC, or follows from others, or is worth nothing',
  (name, table) => {
    const { entity } = table as { entity: new () => object };
    expect(tableOf(entity).name).toBe(name);
    const covered = table.fields.map((field) => columnOf(entity, field as never).name);
    const declared = [...covered, ...Object.keys({ ...EXEMPT[name], ...UNCOVERED[name] })];
    expect(declared.toSorted()).toEqual(columnsOf(name).toSorted());
  },
);
