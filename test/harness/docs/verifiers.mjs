// Runs the webhook verifiers of docs/webhooks.md on requests as they come: real ones, spoiled ones, old ones.
import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, until } from '../checks.mjs';
import { environment, freePort } from '../development.mjs';

const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_b3RoZXIgc2VjcmV0IG9mIDI0IGJ5dGU=';
/** Seconds (api.md G2). */
const TOLERANCE = 300;

/** Signs a body as the gateway does; both schemes. */
function sign(secret, body, timestamp) {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  const hmac = (text, encoding) => createHmac('sha256', key).update(text).update(body).digest(encoding);
  return {
    'content-type': 'application/json',
    'webhook-id': 'evt-1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${hmac(`evt-1.${timestamp}.`, 'base64')}`,
    'x-paymentservice-timestamp': String(timestamp),
    'x-paymentservice-signature': hmac(`${timestamp}.`, 'hex'),
  };
}

/** A webhook that the gateway sent, and what must happen to it and to its mutants. */
async function casesOf({ facts, receiver }) {
  const { headers, body } = await until('a webhook', 60, () => receiver.requests.at(-1));
  const { secret } = facts.application;
  const now = Math.floor(Date.now() / 1000);
  const spoilt = { ...headers, 'x-paymentservice-signature': 'zz', 'webhook-signature': 'v1,zz' };
  const bare = { 'content-type': 'application/json' };
  return [
    { name: 'a webhook of the gateway', secret, headers, body, isGood: true },
    {
      name: 'a secret of the form whsec_',
      secret: WHSEC,
      headers: sign(WHSEC, body, now),
      body,
      isGood: true,
    },
    { name: 'another body', secret, headers, body: Buffer.concat([body, Buffer.from(' ')]), isGood: false },
    { name: 'another secret', secret: OTHER, headers, body, isGood: false },
    { name: 'no hex', secret, headers: spoilt, body, isGood: false },
    { name: 'no headers', secret, headers: bare, body, isGood: false },
    { name: 'too old', secret, headers: sign(secret, body, now - TOLERANCE - 10), body, isGood: false },
    { name: 'of the future', secret, headers: sign(secret, body, now + TOLERANCE + 10), body, isGood: false },
  ];
}

function judge(cases, results) {
  const wrong = cases.filter(({ isGood }, index) => results[index] !== isGood);
  expect(
    wrong.length === 0 && results.length === cases.length,
    wrong.map(({ name }) => `wrong: ${name}`).join('\n'),
  );
  return `${cases.length} requests judged`;
}

const asJson = (cases) =>
  JSON.stringify(
    cases.map(({ secret, headers, body }) => ({ secret, headers, body: body.toString('base64') })),
  );

export async function runNodeVerifier({ text }, world) {
  const file = path.join(world.work, 'verifier.mjs');
  await writeFile(file, text);
  const { readWebhook } = await import(pathToFileURL(file).href);
  const cases = await casesOf(world);
  const isTaken = ({ secret, headers, body }) => {
    try {
      return readWebhook(secret, headers, body) !== undefined;
    } catch {
      return false;
    }
  };
  return judge(cases, cases.map(isTaken));
}

const PYTHON = `
import email.message, json, sys
for case in json.load(sys.stdin):
    headers = email.message.Message()
    for name, value in case["headers"].items():
        headers[name] = value
    try:
        read_webhook(case["secret"], headers, base64.b64decode(case["body"]))
        print("true")
    except ValueError:
        print("false")
`;

const PHP = `
foreach (json_decode(file_get_contents('php://stdin'), true) as $case) {
    $server = [];
    foreach ($case['headers'] as $name => $value) $server['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
    try {
        read_webhook($case['secret'], $server, base64_decode($case['body']));
        echo "true\\n";
    } catch (RuntimeException) {
        echo "false\\n";
    }
}
`;

/** Runs a program that reads the cases and prints a verdict a line. */
async function runForeign(program, args, world) {
  const cases = await casesOf(world);
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    input: asJson(cases),
    encoding: 'utf8',
  });
  if (error?.code === 'ENOENT') return { isMissing: true, said: `not run: no ${program} here` };
  expect(status === 0, stderr || stdout);
  return {
    isMissing: false,
    said: judge(
      cases,
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ),
  };
}

export async function runPythonVerifier({ text }, world) {
  return runForeign('python3', ['-c', text + PYTHON], world);
}

export async function runPhpVerifier({ text }, world) {
  const file = path.join(world.work, 'verifier.php');
  await writeFile(file, text + PHP);
  return runForeign('php', [file], world);
}

export async function runExpressReceiver({ text }, world) {
  const file = path.join(world.clone, 'docs-receiver.mjs');
  await writeFile(file, text);
  const cases = await casesOf(world);
  const results = [];
  for (const secret of new Set(cases.map((one) => one.secret))) {
    const port = await freePort();
    const child = spawn(process.execPath, [file], {
      cwd: world.clone,
      env: environment({ PORT: String(port), WEBHOOK_SECRET: secret }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const closed = once(child, 'close');
    const address = `http://127.0.0.1:${port}/webhooks/payments`;
    await until('its start', 20, async () => {
      expect(child.exitCode === null, output);
      return fetch(address).catch(() => null);
    });
    for (const [index, one] of cases.entries()) {
      if (one.secret !== secret) continue;
      const before = output;
      const headers = Object.entries(one.headers).filter(([name]) =>
        /^(content-type|webhook-|x-payment)/.test(name),
      );
      const { status } = await fetch(address, { method: 'POST', headers, body: one.body });
      const isHandled = output !== before;
      expect(
        (status === 200) === isHandled,
        `${one.name}: ${status}, ${isHandled ? 'handled' : 'not handled'}`,
      );
      results[index] = status === 200;
    }
    child.kill();
    await closed;
  }
  return judge(cases, results);
}
