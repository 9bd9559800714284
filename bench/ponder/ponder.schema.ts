import { onchainTable } from 'ponder';

/** Payments found: what the gateway keeps too. */
export const credit = onchainTable('credit', (t) => ({
  id: t.text().primaryKey(),
  recipient: t.hex().notNull(),
  value: t.bigint().notNull(),
  block: t.bigint().notNull(),
}));
