import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A mail as it came over the wire. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Names in lower case; folded lines joined, encoded words decoded. */
  headers: Record<string, string>;
  /** The body, decoded. */
  text: string;
  raw: string;
}

/** A mail server on the loopback interface (RFC 5321), as far as a client needs one that only hands mail in. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** Answers each recipient with it, where set. */
  refusal: string | null = null;
  /** Connections so far, and the passwords that were tried. */
  connections = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private server: Server,
    readonly port: number,
  ) {}

  static async start(port = 0): Promise<MailServer> {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const mailServer = new MailServer(server, (server.address() as AddressInfo).port);
    server.on('connection', (socket) => mailServer.serve(socket));
    return mailServer;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  /** Listens again on the same port. */
  async open(): Promise<void> {
    this.server = createServer((socket) => this.serve(socket));
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  private serve(socket: Socket): void {
    this.connections++;
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    const say = (line: string) => socket.write(`${line}\r\n`);
    let input = '';
    let isData = false;
    let envelope = { from: '', to: [] as string[] };
    say('220 test ESMTP');
    socket.on('data', (chunk) => {
      input += chunk.toString('utf8');
      for (;;) {
        const end = input.indexOf(isData ? '\r\n.\r\n' : '\r\n');
        if (end === -1) return;
        const line = input.slice(0, end);
        input = input.slice(end + (isData ? 5 : 2));
        if (isData) {
          isData = false;
          this.mails.push(parseMail(envelope, line.replace(/^\.\./gm, '.')));
          say('250 queued');
          continue;
        }
        const command = line.toUpperCase();
        if (command.startsWith('MAIL FROM:')) {
          envelope = { from: addressOf(line), to: [] };
          say('250 ok');
        } else if (command.startsWith('RCPT TO:')) {
          if (this.refusal === null) envelope.to.push(addressOf(line));
          say(this.refusal ?? '250 ok');
        } else if (command === 'DATA') {
          isData = true;
          say('354 go on');
        } else if (command === 'QUIT') {
          say('221 bye');
          socket.end();
        } else say(command.startsWith('EHLO') || command === 'RSET' ? '250 ok' : '502 no');
      }
    });
  }
}

const addressOf = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? '';

function parseMail(envelope: { from: string; to: string[] }, raw: string): ReceivedMail {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())];
    }),
  );
  const text = decodeBody(raw.slice(end + 4), headers['content-transfer-encoding'] ?? '7bit');
  return { ...envelope, headers, text, raw };
}

/** RFC 2047. */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_whole, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : unquote(text.replaceAll('_', ' ')),
    );
}

function decodeBody(text: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? unquote(text.replace(/=\r\n/g, '')) : text;
}

function unquote(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
