import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationsService } from '../src/applications/applications.service.js';
import { Draft } from '../src/platform/web/contract/read-contract.js';
import { signatureHeaders } from '../src/webhooks/webhook-signature.pure.js';
import { WebhookDispatcher } from '../src/webhooks/webhook-dispatcher.service.js';
import { TestEventsService } from '../src/webhooks/events/test-events.service.js';
import { freePort } from './support/free-port.js';
import type { ReceivedWebhook } from './support/merchant-server.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';

/** The samples of docs/how-to/webhooks.md, run as printed on what the gateway really sends. */
const root = path.resolve(import.meta.dirname, '..');
const page = readFileSync(path.join(root, 'docs/how-to/webhooks.md'), 'utf8');

function sample(heading: string): string {
  const section = page.split(/^### /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const [, code] = /^```\w+\n([\s\S]*?)^```/m.exec(section) ?? [];
  if (code === undefined) throw new Error(`docs/how-to/webhooks.md has no sample "${heading}"`);
  return code;
}

/** A request for a sample to verify, and its expected result: the event, "test", or "refused". */
interface Case {
  secret: string;
  headers: Record<string, string>;
  /** base64 */
  body: string;
  expected: string;
}

/** Code appended to a sample: it verifies the cases of its input and reports errors of its own. */
const DRIVERS: [name: string, program: string, file: string, driver: string][] = [
  [
    'Node.js, plain',
    process.execPath,
    'plain.mjs',
    `
import { readFileSync } from 'node:fs';
for (const { secret, headers, body } of JSON.parse(readFileSync(0, 'utf8'))) {
  let said = 'refused';
  try {
    said = readWebhook(secret, headers, Buffer.from(body, 'base64'))?.event ?? 'test';
  } catch (error) {
    if (error.constructor !== Error) throw error;
  }
  console.log(said);
}`,
  ],
  [
    'Python, plain',
    'python3',
    'plain.py',
    `
import sys
from email.message import Message

for case in json.load(sys.stdin):
    headers = Message()  # a case-insensitive mapping
    for name, value in case["headers"].items():
        headers[name] = value
    try:
        event = read_webhook(case["secret"], headers, base64.b64decode(case["body"]))
        print("test" if event is None else event["event"])
    except ValueError:
        print("refused")
`,
  ],
  [
    'PHP, plain',
    'php',
    'plain.php',
    `
foreach (json_decode(file_get_contents('php://stdin'), true) as $case) {
    $server = [];
    foreach ($case['headers'] as $name => $value) $server['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
    try {
        $event = read_webhook($case['secret'], $server, base64_decode($case['body']));
        echo $event === null ? 'test' : $event['event'], "\\n";
    } catch (RuntimeException) {
        echo "refused\\n";
    }
}`,
  ],
];

const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0;

let harness: WebhookHarness;
let folder: string;
const cases: Case[] = [];
/** Of the merchant with each kind of secret. */
const received: { secret: string; requests: ReceivedWebhook[] }[] = [];

async function collect(merchant: Merchant, secret: string): Promise<void> {
  await harness.pay(merchant, await harness.addPayment(merchant));
  await harness.drain();
  await harness.gateway
    .get(TestEventsService)
    .create(merchant.userId, merchant.applicationId, 'payment.received');
  while (await harness.gateway.get(WebhookDispatcher).runOnce()) continue;
  received.push({ secret, requests: merchant.server.requests.splice(0) });
}

function flatten({ headers, body }: ReceivedWebhook): Pick<Case, 'headers' | 'body'> {
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return { headers: Object.fromEntries(flat), body: body.toString('base64') };
}

beforeAll(async () => {
  harness = await WebhookHarness.start();
  folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-samples-'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  for (const secret of ['a plain secret', 'пароль', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])
    await collect(await harness.addMerchant({ secret }), secret);
  // Saved before such secrets were refused.
  for (const secret of ['whsec_of-enough-length', 'whsec_YQ', 'whsec_']) {
    const merchant = await harness.addMerchant();
    const { userId, applicationId } = merchant;
    await harness.gateway.get(ApplicationsService).update(userId, applicationId, Draft.of({ secret }));
    await collect(merchant, secret);
  }
  fillCases();
});
afterAll(async () => {
  await harness.stop();
  await rm(folder, { recursive: true });
});

function fillCases(): void {
  for (const { secret, requests } of received)
    for (const request of requests) {
      const { test, event } = JSON.parse(request.body.toString('utf8')) as { test?: true; event: string };
      cases.push({ secret, ...flatten(request), expected: test ? 'test' : event });
    }
  const [{ secret, requests } = { secret: '', requests: [] }] = received;
  const [request] = requests;
  if (!request) throw new Error('nothing came');
  const genuine = flatten(request);
  const refuse = (change: Partial<Case>) =>
    cases.push({ secret, ...genuine, ...change, expected: 'refused' });
  const [stamp, signature] = ['x-paymentservice-timestamp', 'x-paymentservice-signature'];
  refuse({
    body: Buffer.from(request.body.toString('utf8').replace('"payment"', '"Payment"')).toString('base64'),
  });
  refuse({ headers: {} });
  for (const text of ['', 'abc', '²', '-1', '1e9', '1'.repeat(400), ` ${genuine.headers[stamp]}`])
    refuse({ headers: { ...genuine.headers, [stamp]: text } });
  for (const text of ['', 'zz', 'é', genuine.headers[signature]?.slice(1) ?? ''])
    refuse({ headers: { ...genuine.headers, [signature]: text } });
  for (const other of ['another', 'whsec_', 'whsec_not base64', 'whsec_YQ', 'whsec_é', 'whsec_YWJj'])
    refuse({ secret: other });
  for (const age of [400, -400]) {
    const unixSeconds = Math.floor(Date.now() / 1000) - age;
    const message = { id: 'x', type: 'payment.received', body: request.body, unixSeconds };
    const headers = signatureHeaders(message, { current: secret, previous: null });
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
    refuse({ headers: Object.fromEntries(lower) });
  }
}

it('the samples get events and test events with every kind of secret', () => {
  expect(received.map(({ requests }) => requests.length)).toEqual(received.map(() => 3));
  expect(new Set(cases.map(({ expected }) => expected))).toEqual(
    new Set(['payment.received', 'payment.completed', 'test', 'refused']),
  );
});

describe.each(DRIVERS)('the sample "%s"', (name, program, file, driver) => {
  const title =
    'hands over what is signed, nothing for a test event, and refuses the rest without an accident';
  if (!isInstalled(program) && !process.env['CI']) {
    it.skip(`${title} (skipped: ${program} is not installed)`, () => {});
    return;
  }
  it(title, async () => {
    await writeFile(path.join(folder, file), `${sample(name)}\n${driver}`);
    const child = spawn(program, [path.join(folder, file)], { cwd: folder });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    child.stdin.end(JSON.stringify(cases));
    await once(child, 'close');
    expect(output.trimEnd().split('\n')).toEqual(cases.map(({ expected }) => expected));
  });
});

describe('the sample "Node.js, Standard Webhooks"', () => {
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.kill();
      await once(child, 'exit');
    }
  });

  async function open(secret: string): Promise<{ url: string; said: () => string }> {
    const port = await freePort();
    const file = path.join(folder, 'standard.mjs');
    await writeFile(file, sample('Node.js, Standard Webhooks'));
    const child = spawn(process.execPath, [file], {
      env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: secret },
    });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    const url = `http://127.0.0.1:${port}/webhooks/payments`;
    const answers = () =>
      fetch(url).then(
        () => true,
        () => false,
      );
    while (!(await answers())) {
      if (child.exitCode !== null) throw new Error(`the sample ended: ${output}`);
      await delay(50);
    }
    return { url, said: () => output };
  }

  it('ships once per event and never for a test event with every form of secret', async () => {
    for (const { secret, requests } of received) {
      const { url, said } = await open(secret);
      const post = async ({ headers, body }: ReceivedWebhook, change: Record<string, string> = {}) => {
        const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
        const kept = names.map((name) => [name, String(headers[name])] as const);
        const sent = { ...Object.fromEntries(kept), ...change };
        return (await fetch(url, { method: 'POST', headers: sent, body: new Uint8Array(body) })).status;
      };
      for (const request of [...requests, ...requests])
        expect([secret, await post(request)]).toEqual([secret, 200]);
      const [real] = requests;
      if (!real) throw new Error('nothing came');
      expect(await post(real, { 'webhook-signature': 'v1,AAAA' })).toBe(400);
      const { payment } = JSON.parse(real.body.toString('utf8')) as { payment: { reference: string } };
      const { reference } = payment;
      expect(said()).toBe(
        `payment.received ${reference}\nship ${reference}\npayment.completed ${reference}\n`,
      );
    }
  });
});
