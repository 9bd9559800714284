// Prometheus itself reads what an operator is given: the alert rules fire when they should and not before, the metrics
// of a gateway at work are well-formed, no rule and no panel of the dashboard is an error, nothing alerts while all is
// well, and a killed gateway is noticed.
//   node test/harness/prometheus.mjs        needs Prometheus (Debian: apt-get install --no-install-recommends prometheus)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import '../../scripts/register-typescript.mjs';
import { CASES } from './alert-cases.mjs';
import { check, expect, finish, until } from './checks.mjs';
import { run } from './development.mjs';

const { ApiClient } = await import('../faults/api-client.ts');
const { PostgresServer, withClient } = await import('../faults/postgres-server.ts');
const { OrderLoad } = await import('../faults/order-load.ts');
const { FaultHarness } = await import('../faults/fault-harness.ts');
const { freePort } = await import('../support/free-port.ts');

const OPS = path.resolve(import.meta.dirname, '../../ops');
const ALERTS = path.join(OPS, 'prometheus/alerts.yml');
const TOKEN = 'a-metrics-token-that-is-long-enough';
const DATABASE = 'gateway_prometheus';
/** Minutes: behind every moment at which a case fires, and behind the end of each that never does. */
const LONG = 90;
const ORDERS = 4;

const read = async (...file) => readFile(path.join(OPS, ...file), 'utf8');
const rules = parse(await read('prometheus/alerts.yml')).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(await read('grafana/gateway.json'));
const folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-prometheus-'));
await chmod(folder, 0o755);

async function promtool(...args) {
  const { code, output } = await run('promtool', args, { cwd: folder });
  expect(code === 0, output);
  return output.trim();
}

/** The test of one case: silent until its minute, then one alert with every word of it. */
function toTest({ alert, when, series, fires, labels = {}, summary }) {
  const rule = rules.find((one) => one.alert === alert);
  expect(rule, `there is no alert ${alert}`);
  const words = { ...rule.annotations, ...(summary && { summary }) };
  const silent = { eval_time: `${fires === null ? LONG : fires - 1}m`, alertname: alert };
  const loud = { exp_labels: { ...rule.labels, ...labels }, exp_annotations: words };
  return {
    name: `${alert}: ${when}`,
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [
      ...(fires === null ? everyMinute(alert) : [silent]),
      ...(fires === null ? [] : [{ eval_time: `${fires}m`, alertname: alert, exp_alerts: [loud] }]),
    ],
  };
}

const everyMinute = (alertname) =>
  Array.from({ length: LONG }, (_, minute) => ({ eval_time: `${minute}m`, alertname }));

async function testRules(text, tests) {
  await writeFile(path.join(folder, 'rules.yml'), text);
  const file = path.join(folder, 'rules.test.yml');
  await writeFile(file, stringify({ rule_files: ['rules.yml'], evaluation_interval: '1m', tests }));
  return run('promtool', ['test', 'rules', file], { cwd: folder });
}

async function startPrometheus(targets) {
  await copyFile(ALERTS, path.join(folder, 'alerts.yml'));
  await writeFile(path.join(folder, 'token'), TOKEN);
  const config = parse(await read('prometheus/prometheus.yml'));
  // The file as it is given, but in a hurry, and without TLS.
  const [gateway] = config.scrape_configs;
  expect(config.scrape_configs.length === 1 && gateway.scheme === 'https', 'the example has changed');
  Object.assign(config.global, { scrape_interval: '1s', evaluation_interval: '1s' });
  Object.assign(gateway, { scheme: 'http', static_configs: [{ targets }] });
  gateway.authorization.credentials_file = path.join(folder, 'token');
  const file = path.join(folder, 'prometheus.yml');
  await writeFile(file, stringify(config));
  await promtool('check', 'config', file);
  const address = `127.0.0.1:${await freePort()}`;
  const data = path.join(folder, 'data');
  const args = [`--config.file=${file}`, `--storage.tsdb.path=${data}`, `--web.listen-address=${address}`];
  const child = spawn('prometheus', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk) => (log += chunk));
  child.on('error', (error) => (log += error.message));
  const exited = once(child, 'close');
  const ask = async (route, query = {}) => {
    const answer = await fetch(`http://${address}/api/v1/${route}?${new URLSearchParams(query)}`);
    const { status, data: found, error } = await answer.json();
    expect(status === 'success', `${route} ${JSON.stringify(query)}: ${error}`);
    return found;
  };
  await until('Prometheus', async () => {
    expect(child.exitCode === null, log);
    const answer = await fetch(`http://${address}/-/ready`).catch(() => null);
    return answer?.ok;
  });
  return {
    ask,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

await check('every alert has a case in which it fires and one in which it does not', async () => {
  for (const { alert } of rules) {
    const mine = CASES.filter((one) => one.alert === alert);
    expect(mine.some(({ fires }) => fires !== null) && mine.some(({ fires }) => fires === null), alert);
  }
});
await check(`promtool: ${CASES.length} cases of ${rules.length} alerts`, async () => {
  const { code, output } = await testRules(await readFile(ALERTS, 'utf8'), CASES.map(toTest));
  expect(code === 0 && output.includes('SUCCESS'), output.replaceAll(/\n\s*\n+/g, '\n'));
});
await check('the cases notice an alert that never fires, and one that always does', async () => {
  const text = await readFile(ALERTS, 'utf8');
  const tests = CASES.map(toTest);
  const spoiled = [
    { expression: 'vector(1) < 0', isToNotice: ({ fires }) => fires !== null },
    { expression: 'vector(1)', isToNotice: ({ fires }) => fires === null },
  ];
  for (const { expression, isToNotice } of spoiled) {
    const { output } = await testRules(text.replaceAll(/^(\s+expr:).*$/gm, `$1 ${expression}`), tests);
    const names = CASES.filter(isToNotice).map(({ alert, when }) => `${alert}: ${when}`);
    const unnoticed = names.filter((name) => !output.includes(name));
    expect(names.length > 0 && unnoticed.length === 0, `${expression}: ${unnoticed.join('; ')}`);
  }
});

const server = await PostgresServer.start();
await withClient(server.adminUrl, (admin) => admin.query(`create database ${DATABASE}`));
const url = server.adminUrl.replace('/postgres?', `/${DATABASE}?`);
const harness = await FaultHarness.open(folder);
let prometheus = null;
try {
  const credentials = await harness.provision(url);
  const { program, baseUrl } = await harness.gateway('gateway', url, { METRICS_TOKEN: TOKEN });
  const target = new URL(baseUrl).host;
  prometheus = await startPrometheus([target]);
  const { ask } = prometheus;

  await check('the gateway is scraped with the token of the file', async () => {
    const isUp = async () => {
      const [found] = (await ask('targets')).activeTargets;
      return found?.health === 'up' && found.lastError === '';
    };
    await until('the first scrape', isUp);
  });
  await check('payments are made, and their webhooks arrive', async () => {
    const client = new ApiClient(baseUrl);
    await client.api.signIn(credentials);
    const load = await OrderLoad.create(client, harness.chain, harness.merchant.url);
    for (let i = 0; i < ORDERS; i++) await load.order(true);
    await until('their webhooks', () => harness.merchant.heard.length >= 2 * ORDERS);
    await harness.verify(url);
  });
  await check('promtool: the metrics are well-formed and well named', async () => {
    const answer = await fetch(`${baseUrl}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    const child = spawn('promtool', ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.stdin.end(await answer.text());
    const [code] = await once(child, 'close');
    expect(code === 0 && output === '', output);
  });
  await check('every rule can be evaluated, and nothing fires while all is well', async () => {
    const evaluated = async () => {
      const { groups } = await ask('rules');
      const all = groups.flatMap((group) => group.rules);
      return all.length === rules.length && all.every(({ health }) => health !== 'unknown') && all;
    };
    const all = await until('all rules', evaluated);
    const ill = all.filter(({ health, lastError }) => health !== 'ok' || lastError);
    expect(ill.length === 0, JSON.stringify(ill));
    // Before the first verify was scraped, the records were unproven.
    let alerts = [];
    const isQuiet = async () => ({ alerts } = await ask('alerts')).alerts.length === 0;
    await until('silence', isQuiet).catch((error) => {
      throw new Error(`${error.message}: ${JSON.stringify(alerts)}`);
    });
  });
  await check('every panel of the dashboard has an answer', async () => {
    const expressions = panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ title, expr })),
    );
    expect(expressions.length > 30, `only ${expressions.length} expressions`);
    const empty = [];
    for (const { title, expr } of expressions) {
      const { result } = await ask('query', { query: expr });
      if (result.length === 0) empty.push(`${title}: ${expr}`);
    }
    expect(empty.length === 0, empty.join('\n'));
    process.stdout.write(`  ${expressions.length} expressions\n`);
  });
  await check('a killed gateway is noticed', async () => {
    await program.kill();
    const isNoticed = async () =>
      (await ask('alerts')).alerts.some(
        ({ labels }) => labels.alertname === 'GatewayDown' && labels.instance === target,
      );
    await until('GatewayDown', isNoticed);
  });
} catch (error) {
  await check('the run', async () => {
    throw error;
  });
} finally {
  await prometheus?.stop();
  await harness.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
finish();
