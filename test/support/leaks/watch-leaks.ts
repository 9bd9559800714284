import type { IncomingHttpHeaders } from 'node:http';
import pg from 'pg';
import { SecretFinder } from './secret-finder.js';
import { secretsOfConfiguration, secretsOfExchange, type SeenExchange } from './secrets-of.js';

/*
 * Watches every gateway of every test file for secrets where they do not belong: in answers (beside the one that
 * shows a secret once), in log lines of every level, and in the database. What is a secret is learnt from the
 * configuration and from the traffic itself, so that suites need not say anything.
 */

/** Files of tests have hooks; the fuzzing, which starts gateways too, does not. */
export const isWatching = typeof afterEach === 'function';
const finder = new SecretFinder();
const databases = new Set<string>();
/** Texts of the current test; searched at its end, because a secret may be written before it is known as one. */
let logLines: string[] = [];
let answers: { name: string; text: string }[] = [];
let leaks = new Set<string>();
const seen = { answers: 0, lines: 0 };

if (isWatching) {
  afterEach(() => fail(takeLeaks()));
  afterAll(async () => fail([...takeLeaks(), ...(await databaseLeaks())]));
}

function fail(found: string[]): void {
  if (found.length > 0) throw new Error(`Secrets where they do not belong:\n  ${found.join('\n  ')}`);
}

/** Takes every log line, for gateways of tests. */
export const logSink = {
  write(line: string): void {
    if (process.env['TEST_LOG_LEVEL']) process.stdout.write(line);
    if (isWatching) logLines.push(line);
  },
};

/**
 * Learns the secrets of a gateway's environment, and looks at its database in the end.
 * @param databaseUrl as the owner of all tables
 */
export function watchConfiguration(env: Record<string, string>, databaseUrl: string): void {
  if (!isWatching) return;
  for (const { value, ...secret } of secretsOfConfiguration(env)) finder.add(value, secret);
  databases.add(databaseUrl);
}

/** A value that only the test knows to be a secret. */
export function plantSecret(value: string, kind: string): void {
  finder.add(value, { kind, places: ['answer', 'log', 'database'] });
}

export function watchExchange(exchange: SeenExchange): void {
  const { secrets, isSearched } = secretsOfExchange(exchange);
  for (const { value, ...secret } of secrets) finder.add(value, secret);
  if (!isSearched) return;
  const headers = Object.entries(exchange.headers).map(([name, value]) => `${name}: ${value}`);
  answers.push({
    name: `${exchange.method} ${exchange.target.split('?')[0]}, ${exchange.status}`,
    text: [...headers, exchange.body.toString('utf8')].join('\n'),
  });
}

/** A webhook as it arrived: what was sent is an answer too. */
export function watchSentWebhook(headers: IncomingHttpHeaders, body: Buffer): void {
  answers.push({ name: 'webhook', text: `${JSON.stringify(headers)}\n${body.toString('utf8')}` });
}

/** What was found in answers and log lines since the last time. */
export function takeLeaks(): string[] {
  for (const { name, text } of answers)
    for (const what of finder.find(text, 'answer')) leaks.add(`answer of ${name}: ${what}`);
  for (const line of logLines) for (const what of finder.find(line, 'log')) leaks.add(`log: ${what}`);
  const found = [...leaks];
  seen.answers += answers.length;
  seen.lines += logLines.length;
  answers = [];
  logLines = [];
  leaks = new Set();
  return found;
}

/** What is found in all rows of all tables. */
export async function databaseLeaks(): Promise<string[]> {
  const found = new Set<string>();
  for (const connectionString of databases) {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      const tables = await client.query<{ name: string; statement: string }>(
        `select relname as name, format('select t::text as line from %I.%I t', nspname, relname) as statement
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where relkind in ('r', 'm') and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
      );
      for (const { name, statement } of tables.rows) {
        const { rows } = await client.query<{ line: string }>(statement);
        for (const { line } of rows)
          for (const what of finder.find(line, 'database')) found.add(`table ${name}: ${what}`);
      }
    } finally {
      await client.end();
    }
  }
  return [...found];
}

/** How much was looked for, and in how much. */
export function watched(): { secrets: number; answers: number; lines: number } {
  return { secrets: finder.size, ...seen };
}
