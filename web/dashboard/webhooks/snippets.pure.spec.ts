import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { LANGUAGES, snippetOf, type Language } from './snippets.pure.js';

const ENDPOINT = { url: 'https://shop.example/webhooks' };
const PLAIN = 'a secret of the shop';
const ENCODED = `whsec_${Buffer.from(PLAIN).toString('base64')}`;
const BODY = '{"event":"payment.received","note":"é"}';
const now = () => Math.floor(performance.timeOrigin / 1000 + performance.now() / 1000);
const sign = (timestamp: number, key = PLAIN) =>
  createHmac('sha256', key).update(`${timestamp}.${BODY}`).digest('hex');

interface Request {
  secret: string;
  timestamp: number;
  signature: string;
  /** In the header beside it, while a secret is being changed. */
  other?: string;
}

/** How to run the function of a snippet, where the language is installed. It prints `true` or `false`. */
const CALLS: Partial<Record<Language, (snippet: string, request: Request) => readonly [string, string[]]>> = {
  node: (snippet, { timestamp, signature, other = '' }) => [
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `${snippet}\nconst headers = { 'x-paymentservice-timestamp': '${timestamp}', 'x-paymentservice-signature': '${signature}', 'x-paymentservice-signature-previous': '${other}' };
       console.log(isFromGateway(headers, Buffer.from(${JSON.stringify(BODY)})));`,
    ],
  ],
  python: (snippet, { timestamp, signature, other = '' }) => [
    'python3',
    [
      '-c',
      `${snippet}\nheaders = {"X-PaymentService-Timestamp": "${timestamp}", "X-PaymentService-Signature": "${signature}", "X-PaymentService-Signature-Previous": "${other}"}
print(str(is_from_gateway(headers, ${JSON.stringify(BODY)}.encode())).lower())`,
    ],
  ],
  php: (snippet, { timestamp, signature, other = '' }) => [
    'php',
    [
      '-r',
      `${snippet.replace('<?php', '')}\n$server = ['HTTP_X_PAYMENTSERVICE_TIMESTAMP' => '${timestamp}', 'HTTP_X_PAYMENTSERVICE_SIGNATURE' => '${signature}', 'HTTP_X_PAYMENTSERVICE_SIGNATURE_PREVIOUS' => '${other}'];
       echo json_encode(is_from_gateway($server, '${BODY}'));`,
    ],
  ],
};

function isInstalled(language: Language): boolean {
  const [program] = CALLS[language]?.('', { secret: '', timestamp: 0, signature: '' }) ?? [];
  if (program === undefined) return false;
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe.each(LANGUAGES.filter(isInstalled))('the snippet in %s', (language) => {
  it.each<[string, boolean, () => Request]>([
    ['a signed request', true, () => ({ secret: PLAIN, timestamp: now(), signature: sign(now()) })],
    ['an encoded secret', true, () => ({ secret: ENCODED, timestamp: now(), signature: sign(now()) })],
    [
      'the other signature of two secrets',
      true,
      () => ({ secret: PLAIN, timestamp: now(), signature: sign(now(), 'old'), other: sign(now()) }),
    ],
    ['another secret', false, () => ({ secret: PLAIN, timestamp: now(), signature: sign(now(), 'other') })],
    ['no signature', false, () => ({ secret: PLAIN, timestamp: now(), signature: '' })],
    [
      'an old request',
      false,
      () => ({ secret: PLAIN, timestamp: now() - 301, signature: sign(now() - 301) }),
    ],
  ])('says of %s: %s', (_what, isRight, request) => {
    const made = request();
    const [program, args] = CALLS[language]?.(snippetOf(language, ENDPOINT), made) ?? ['', []];
    const env = { ...process.env, WEBHOOK_SECRET: made.secret };
    expect(execFileSync(program, args, { env, encoding: 'utf8' }).trim()).toBe(String(isRight));
  });
});

it.each([PLAIN, ENCODED])('signs in a shell as the gateway does, with the secret %s', (secret) => {
  const script = snippetOf('curl', ENDPOINT).replace(
    /^curl [^]*/m,
    'printf "%s\\n%s\\n%s" "$timestamp" "$body" "$signature"',
  );
  const env = { ...process.env, WEBHOOK_SECRET: secret };
  const [timestamp, body, signature] = execFileSync('/bin/sh', ['-c', script], {
    env,
    encoding: 'utf8',
  }).split('\n');
  expect(signature).toBe(createHmac('sha256', PLAIN).update(`${timestamp}.${body}`).digest('hex'));
});

it.each(LANGUAGES)('names the endpoint, the secret and both headers in %s', (language) => {
  const snippet = snippetOf(language, ENDPOINT);
  expect(snippet).toContain(ENDPOINT.url);
  expect(snippet).toContain('WEBHOOK_SECRET');
  expect(snippet).toMatch(/x[-_]paymentservice[-_]timestamp/i);
  expect(snippet).toMatch(/x[-_]paymentservice[-_]signature/i);
});

it('keeps an address with a quotation mark inside its own in a shell', () =>
  expect(snippetOf('curl', { url: "https://shop.example/it's" })).toContain("'https://shop.example/it%27s'"));
