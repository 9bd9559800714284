import { jest } from '@jest/globals';
import { Sql } from '../../src/platform/database/sql.js';
import type { TestGateway } from './test-gateway.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/** A statement that the gateway sent, and how Postgres ran it. */
export interface Planned {
  text: string;
  /** Tables that were read from beginning to end. */
  scanned: string[];
  /** Pages of 8 KiB. */
  pages: number;
}

/** Every statement that some work sends, with its plan. The statements are run again, so the work must only read. */
export async function plansOf(gateway: TestGateway, work: () => Promise<void>): Promise<Planned[]> {
  const sent: Parameters<Sql['query']>[] = [];
  const sql = gateway.get(Sql);
  const { query } = sql;
  const spy = jest.spyOn(sql, 'query').mockImplementation((...statement) => {
    sent.push(statement);
    return query.apply(sql, statement) as Promise<never>;
  });
  await work();
  spy.mockRestore();
  const plans: Planned[] = [];
  for (const [text, values] of sent) {
    const [row] = await gateway.sql.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    );
    if (!row) throw new Error('no plan');
    const [{ Plan: plan }] = row['QUERY PLAN'];
    plans.push({ text, scanned: scannedBy(plan), pages: pagesOf(plan) });
  }
  return plans;
}

function scannedBy(node: PlanNode): string[] {
  const own = node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scannedBy)];
}

const pagesOf = (plan: PlanNode) => (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
