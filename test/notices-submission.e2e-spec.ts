import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { selfSigned } from './support/self-signed.js';
import { SubmissionServer, type SubmissionOptions } from './support/submission-server.js';

const run = promisify(execFile);
/** Of this machine, and none of the addresses to which mail may go in the clear. */
const HOST = '127.0.0.2';
const USER = 'gateway@example.test';
const PASSWORD = 'p@ss wörd';
const SENDER = new URL('../dist/src/notices/notice-sender.js', `file://${import.meta.filename}`).href;
/** In a process of its own, as authorities are read when one starts. */
const PROGRAM = `
  const { NoticeSender } = await import(process.argv[1]);
  const sender = new NoticeSender({ mail: { url: process.argv[2], from: USER }, channel: null }, 'pay.example.test');
  const mail = { id: 'n1', to: 'clerk@example.test', subject: 'A test', text: 'Hello', language: 'en' };
  const { code = 'sent', isFinal } = (await sender.mail(mail).catch((error) => error)) ?? {};
  console.log(JSON.stringify({ code, isFinal }));`.replace('USER', JSON.stringify(USER));

let folder: string;
let server: SubmissionServer | null = null;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'submission-'));
});
afterEach(async () => {
  await server?.close();
  server = null;
});
afterAll(() => rm(folder, { recursive: true }));

interface Case {
  mechanisms?: SubmissionOptions['mechanisms'];
  certificateOf?: string | null;
  isTrusted?: boolean;
  password?: string;
  protocol?: string;
}

async function send({
  mechanisms = ['PLAIN', 'LOGIN'],
  certificateOf = HOST,
  isTrusted = true,
  password = PASSWORD,
  protocol = 'smtp',
}: Case): Promise<{ code: string; isFinal?: boolean }> {
  const certificate = certificateOf === null ? null : selfSigned(certificateOf);
  server = await SubmissionServer.start({
    host: HOST,
    mechanisms,
    user: USER,
    password: PASSWORD,
    ...(certificate && { certificate }),
  });
  const authority = path.join(folder, 'authority.pem');
  await writeFile(authority, certificate && isTrusted ? certificate.cert : selfSigned('other.test').cert);
  const credentials = [USER, password].map(encodeURIComponent).join(':');
  const url = `${protocol}://${credentials}@${HOST}:${server.port}`;
  const args = ['--input-type=module', '--eval', PROGRAM, SENDER, url];
  const { stdout } = await run(process.execPath, args, {
    env: { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: authority },
  });
  return JSON.parse(stdout) as { code: string; isFinal?: boolean };
}

it.each(['PLAIN', 'LOGIN'] as const)(
  'a server that asks for STARTTLS and AUTH %s gets the mail',
  async (mechanism) => {
    expect(await send({ mechanisms: [mechanism] })).toEqual({ code: 'sent' });
    expect(server?.mails).toEqual([{ raw: expect.stringContaining('Hello') as string, encrypted: true }]);
    expect([server?.logins, server?.clearLogins]).toEqual([[mechanism], 0]);
  },
);

/** Each is tried again, because the operator can mend it meanwhile. */
it.each([
  ['a wrong password', { password: 'wrong' }, 'user or password refused (EAUTH 535)'],
  ['an unknown authority', { isTrusted: false }, 'certificate of an unknown authority'],
  ['a certificate of another name', { certificateOf: 'mail.test' }, 'certificate of another name'],
  ['a server without STARTTLS', { certificateOf: null }, 'no STARTTLS (ETLS 502)'],
  ['smtps:// to a port of STARTTLS', { protocol: 'smtps' }, 'no TLS at this port'],
])(
  '%s is said in words, is tried again, and shows no password in the clear',
  async (_name, options, code) => {
    expect(await send(options)).toEqual({ code, isFinal: false });
    expect([server?.mails, server?.clearLogins]).toEqual([[], 0]);
  },
);
