import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from './support/free-port.js';
import path from 'node:path';
import { promisify } from 'node:util';
import { createOwner } from './support/principals.js';
import { createTestDatabase, startTestGateway } from './support/test-gateway.js';

const ROOT = path.resolve(import.meta.dirname, '..');
const TYPESCRIPT = ['--import', './scripts/register-typescript.mjs'];

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  events?: unknown[];
}

/** A collector (OTLP over HTTP, as JSON), which keeps what it gets. */
async function startCollector() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => bodies.join('\n'),
    spans: () =>
      bodies.flatMap((body) => {
        const { resourceSpans } = JSON.parse(body) as {
          resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
        };
        return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A port that was free a moment ago. */
const valueOf = ({ attributes }: Span, key: string) =>
  attributes.find((attribute) => attribute.key === key)?.value.stringValue;

/** Ended whatever became of the test. */
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

describe('traces', () => {
  it('contain a request with its statements, and no sensitive data', async () => {
    const database = await createTestDatabase();
    const gateway = await startTestGateway({}, undefined, database);
    const { accessToken } = await createOwner(gateway);
    const { appKeys, checkoutSigningKeys } = gateway.config;
    await gateway.close();
    const collector = await startCollector();
    const port = await freePort();
    const child = spawn(process.execPath, [...TYPESCRIPT, 'src/main.ts'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        BASE_URL: 'https://pay.example.com',
        HOST: '127.0.0.1',
        PORT: String(port),
        ROLE: 'api',
        LOG_LEVEL: 'debug',
        SHUTDOWN_DELAY_MS: '0',
        DATABASE_URL: database,
        APP_KEYS: appKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
        CHECKOUT_SIGNING_KEY: checkoutSigningKeys.join(','),
        CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:1',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_SERVICE_NAME: 'gateway-under-test',
      },
    });
    children.push(child);
    const gone = once(child, 'exit');
    const base = `http://127.0.0.1:${port}`;
    const isUp = () =>
      fetch(`${base}/api/health/live`).then(
        ({ ok }) => ok,
        () => false,
      );
    // Nest says so a moment before it listens.
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false }))
      if (String(chunk).includes('successfully started')) break;
    child.stdout.resume();
    while (child.exitCode === null && !(await isUp())) continue;

    const answer = await fetch(`${base}/api/payment-applications?trace=s3cret-query`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`,
      },
      body: JSON.stringify({ name: 'Traced shop', secret: 'whsec_b2YtZW5vdWdoLWxlbmd0aC1mb3ItdXM=' }),
    });
    expect(answer.status).toBe(201);
    child.kill('SIGTERM');
    await gone;

    const spans = collector.spans();
    const request = spans.find(({ name }) => name === 'POST /api/payment-applications');
    expect(request && valueOf(request, 'http.route')).toBe('/api/payment-applications');
    const statements = spans.filter(({ traceId }) => traceId === request?.traceId);
    const insert = statements.find((span) =>
      /insert into "?payment_applications/i.test(
        valueOf(span, 'db.query.text') ?? valueOf(span, 'db.statement') ?? '',
      ),
    );
    expect(insert?.parentSpanId).toBe(request?.spanId);
    // A stranger's trace is not ours; health checks and idle loops are none.
    expect(request?.parentSpanId ?? '').toBe('');
    expect(request?.traceId).not.toBe('ab'.repeat(16));
    expect(spans.filter(({ name }) => name.includes('health'))).toEqual([]);
    const text = collector.text();
    expect(text).toContain('gateway-under-test');
    for (const secret of [accessToken, 's3cret-query', 'Traced shop', 'whsec_', '127.0.0.1', 'postgres://'])
      expect(text).not.toContain(secret);
    await collector.close();
  }, 300_000);

  it('are not even loaded when no collector is configured', async () => {
    const script = `await import('./src/platform/web/observability/tracing.ts');
      const { createRequire } = await import('node:module');
      const names = Object.keys(createRequire(import.meta.url + '/x').cache);
      console.log(names.filter((name) => name.includes('opentelemetry')).length);`;
    const count = async (env: Record<string, string>) => {
      const args = [...TYPESCRIPT, '--input-type=module', '-e', script];
      const options = { cwd: ROOT, env: { PATH: process.env['PATH'], ...env } };
      return Number((await promisify(execFile)(process.execPath, args, options)).stdout);
    };
    expect(await count({})).toBe(0);
    expect(await count({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })).toBeGreaterThan(0);
  });
});
