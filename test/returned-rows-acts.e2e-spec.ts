/**
 * @inOrder Each act is done to what the acts before it left, as in test/audit-log.e2e-spec.ts.
 */
import { AUDIT_ACTIONS, type AuditAction } from '../src/platform/kernel/audit-actions.pure.js';
import { RowFingerprints } from '../src/platform/integrity/row-fingerprints.service.js';
import { asOwner } from './support/as-owner.js';
import { type AuditedRoute, type AuditHarness, openAuditHarness } from './support/audit-harness.js';
import { auditedRoutes } from './support/audited-routes.js';
import { AUDITED_TABLES, copyRows, isOther, putBack } from './support/returned-rows.js';

let harness: AuditHarness;
let routes: Record<AuditAction, AuditedRoute<unknown>>;

beforeAll(async () => {
  harness = await openAuditHarness();
  routes = auditedRoutes(harness);
});
afterAll(() => harness.shop.close());

const differing = async () =>
  (await harness.shop.gateway.get(RowFingerprints).listDifferences()).map(({ object }) => object);

describe('a row of before an audited act', () => {
  it.each(AUDIT_ACTIONS.map((act) => [act]))(
    'is noticed when it comes back after %s, and nothing is before',
    async (act) => {
      const { before, act: run } = routes[act];
      const { gateway } = harness.shop;
      const ready = await before?.();
      expect(await differing()).toEqual([]);
      const copies = await Promise.all(AUDITED_TABLES.map((table) => copyRows(gateway.sql, table)));
      await run(ready);
      expect(await differing()).toEqual([]);
      for (const [i, table] of AUDITED_TABLES.entries()) {
        // The same rows under another key grant no more.
        if (act === 'secrets.resealed' && table.name === 'oidc_payloads') continue;
        const [earlier, now] = [copies[i] ?? new Map<string, string>(), await copyRows(gateway.sql, table)];
        const back = [...earlier].filter(([key, row]) => isOther(table, row, now.get(key)));
        for (const [key, row] of back) {
          await asOwner(gateway, (sql) => putBack(sql, table, key, row));
          expect(await differing()).toEqual([`${table.name} ${key}`]);
          await asOwner(gateway, (sql) => putBack(sql, table, key, now.get(key) ?? null));
        }
      }
      expect(await differing()).toEqual([]);
    },
  );
});
