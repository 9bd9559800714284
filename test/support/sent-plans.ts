import pg from 'pg';

/** A node of a plan that was run (https://www.postgresql.org/docs/15/sql-explain.html). Numbers are per loop. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  /** Of what is evaluated once, by the node that first needs it: `InitPlan 1`. */
  'Subplan Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  /** Pages of 8 KiB, in all loops, those of the nodes below included. */
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

interface SentPlan {
  text: string;
  plan: PlanNode;
}

/** What no statement may do, by the tables that grow. */
export interface Bounds {
  /** Tables that may not be read from beginning to end. */
  growing: ReadonlySet<string>;
  /** Rows that one node of a plan may read or pass on. */
  rows: number;
}

/** Of the module auto_explain; the plans come as notices to the client that sent the statement. */
const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_triggers': 'on',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};
/** An index page that leads to a row, and the row's own page; the rest for rows that are gone. */
const PAGES_PER_ROW = 6;
const PAGES_APART = 100;

/**
 * Plans by which Postgres really ran the statements of this process, with the values and the prepared statements of the
 * gateway, those of triggers and foreign keys included.
 */
export class SentPlans {
  private sent: SentPlan[] = [];
  private readonly connect = Reflect.get(pg.Client.prototype, 'connect') as (...of: unknown[]) => unknown;

  /** Of connections that are opened from now on to a database that {@link explainSessions} has changed. */
  constructor() {
    const { connect } = this;
    const take = (notice: { message?: string }) => this.take(notice.message ?? '');
    Reflect.set(pg.Client.prototype, 'connect', function (this: pg.Client, ...of: unknown[]) {
      this.on('notice', take);
      return connect.apply(this, of);
    });
  }

  close(): void {
    Reflect.set(pg.Client.prototype, 'connect', this.connect);
  }

  /** Why the work costs more, the more rows there are, each with its statement; empty if it does not. */
  async costsOf(work: () => Promise<void>, bounds: Bounds): Promise<string[]> {
    this.sent = [];
    await work();
    // A gateway that sends nothing, or sessions that explain nothing, would pass.
    if (this.sent.length === 0) throw new Error('no plan was reported');
    const costs = this.sent.flatMap(({ text, plan }) =>
      costsOf(plan, bounds, initPlansOf(plan)).map(
        (cost) => `${cost}: ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 120)}`,
      ),
    );
    return [...new Set(costs)];
  }

  /** Rows that some work reads from tables and indexes, also those that it leaves out, and pages of 8 KiB. */
  async workOf(work: () => Promise<void>): Promise<{ rows: number; pages: number }> {
    this.sent = [];
    await work();
    const rows = this.sent.reduce((sum, { plan }) => sum + rowsOf(plan), 0);
    return { rows, pages: this.sent.reduce((sum, { plan }) => sum + pagesOf(plan), 0) };
  }

  private take(message: string): void {
    const start = message.indexOf('{');
    if (!/^duration: .* plan:/.test(message) || start < 0) return;
    const { 'Query Text': text, Plan: plan } = JSON.parse(message.slice(start)) as {
      'Query Text': string;
      Plan: PlanNode;
    };
    this.sent.push({ text, plan });
  }
}

/** Sessions that begin from now on report their plans; the others are ended. @param adminUrl of a superuser */
export async function explainSessions(adminUrl: string, databaseUrl: string): Promise<void> {
  const database = new URL(databaseUrl).pathname.slice(1);
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    for (const [name, value] of Object.entries(SETTINGS))
      await admin.query(`alter database ${pg.escapeIdentifier(database)} set ${name} = ${value}`);
    // A pooler keeps its own.
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      database,
    ]);
  } finally {
    await admin.end();
  }
}

type InitPlans = ReadonlyMap<string, PlanNode>;

function initPlansOf(plan: PlanNode): InitPlans {
  const nodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
  return new Map(nodes(plan).map((node) => [node['Subplan Name'] ?? '', node]));
}

function costsOf(node: PlanNode, bounds: Bounds, initPlans: InitPlans): string[] {
  const below = node.Plans ?? [];
  return [
    ...ownCosts(node, bounds, initPlans),
    ...below.flatMap((child) => costsOf(child, bounds, initPlans)),
  ];
}

function ownCosts(node: PlanNode, { growing, rows: most }: Bounds, initPlans: InitPlans): string[] {
  const { 'Node Type': type, 'Actual Loops': loops } = node;
  const table = node['Relation Name'];
  const where = [type, node['Index Name'] ?? table].filter(Boolean).join(' ');
  if (loops === 0) return [];
  if (type === 'Seq Scan' && table !== undefined && growing.has(table)) return [`reads all of ${table}`];
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const rows = (node['Actual Rows'] + removed) * loops;
  if (rows > most) return [`reads ${rows} rows by ${where}`];
  // A condition on a later column of an index alone leaves no row out and still reads the whole index.
  const pages = ownPages(node, initPlans);
  const isScan = /Scan/.test(type) && (table !== undefined || node['Index Name'] !== undefined);
  return isScan && pages > (rows + loops) * PAGES_PER_ROW + PAGES_APART
    ? [`reads ${pages} pages for ${rows} rows by ${where}`]
    : [];
}

function rowsOf(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const isScan = node['Relation Name'] !== undefined || node['Index Name'] !== undefined;
  const own = isScan ? (node['Actual Rows'] + removed) * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), own);
}

const pagesOf = (node: PlanNode) => node['Shared Hit Blocks'] + node['Shared Read Blocks'];

/** Without what the nodes below have read, and without the InitPlans that its index condition has evaluated. */
function ownPages(node: PlanNode, initPlans: InitPlans): number {
  const names = node['Index Cond']?.match(/InitPlan \d+/g) ?? [];
  const evaluated = names.flatMap((name) => initPlans.get(name) ?? []);
  return [...(node.Plans ?? []), ...evaluated].reduce((rest, child) => rest - pagesOf(child), pagesOf(node));
}
