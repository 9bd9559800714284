import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

export interface SubmissionOptions {
  /** Not on the loopback address by which a client may stay in the clear. */
  host: string;
  /** Absent: it knows no STARTTLS. */
  certificate?: { cert: string; key: string };
  /** Announced mechanisms. */
  mechanisms: ('PLAIN' | 'LOGIN')[];
  user: string;
  password: string;
}

const decode = (text: string) => Buffer.from(text, 'base64').toString('utf8');

/** A server that mail is handed in to by people who log in (RFC 6409): STARTTLS (RFC 3207), then AUTH (RFC 4954). */
export class SubmissionServer {
  /** What came in, raw, and over what. */
  readonly mails: { raw: string; encrypted: boolean }[] = [];
  /** Mechanisms that were used; passwords that came in the clear. */
  readonly logins: string[] = [];
  clearLogins = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly options: SubmissionOptions,
  ) {}

  static async start(options: SubmissionOptions): Promise<SubmissionServer> {
    const server = createServer();
    server.listen(0, options.host);
    await once(server, 'listening');
    const started = new SubmissionServer(server, options);
    server.on('connection', (socket) => {
      started.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.write('220 test ESMTP\r\n');
      started.serve(socket, false);
    });
    return started;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  private serve(socket: Socket, encrypted: boolean): void {
    const { certificate, mechanisms } = this.options;
    const say = (line: string) => socket.write(`${line}\r\n`);
    /** Takes the next line instead of the commands. */
    let takes: ((line: string) => void) | null = null;
    let isLoggedIn = false;
    let input = '';
    let data: string[] | null = null;
    const login = (user: string, password: string) => {
      if (!encrypted) this.clearLogins++;
      isLoggedIn = user === this.options.user && password === this.options.password;
      say(isLoggedIn ? '235 ok' : '535 5.7.8 wrong, nobody@example.test');
    };
    const ask = (question: string, then: (line: string) => void) => {
      say(`334 ${Buffer.from(question).toString('base64')}`);
      takes = then;
    };
    const authenticate = (line: string) => {
      const [, mechanism = '', initial] = line.split(' ');
      this.logins.push(mechanism);
      if (mechanism === 'PLAIN') {
        const [, user = '', password = ''] = decode(initial ?? '').split('\0');
        login(user, password);
      } else
        ask('Username:', (user) => ask('Password:', (password) => login(decode(user), decode(password))));
    };
    const command = (line: string) => {
      const verb = line.toUpperCase();
      if (verb.startsWith('EHLO'))
        say(
          [
            '250-test',
            ...(certificate && !encrypted ? ['250-STARTTLS'] : []),
            ...(encrypted || !certificate ? [`250-AUTH ${mechanisms.join(' ')}`] : []),
            '250 ok',
          ].join('\r\n'),
        );
      else if (verb === 'STARTTLS' && certificate && !encrypted) {
        say('220 go');
        socket.removeAllListeners('data');
        const secure = new TLSSocket(socket, {
          isServer: true,
          secureContext: createSecureContext(certificate),
        });
        secure.on('error', () => socket.destroy());
        this.serve(secure, true);
      } else if (verb.startsWith('AUTH ')) authenticate(line);
      else if (verb.startsWith('MAIL FROM:') && !isLoggedIn)
        say(encrypted ? '530 5.7.0 log in' : '530 5.7.0 STARTTLS first');
      else if (verb === 'DATA') {
        data = [];
        say('354 go on');
      } else if (verb === 'QUIT') {
        say('221 bye');
        socket.end();
      } else say(/^(MAIL|RCPT|RSET)/.test(verb) ? '250 ok' : '502 no');
    };
    socket.on('data', (chunk: Buffer) => {
      input += chunk.toString('utf8');
      for (let end = input.indexOf('\r\n'); end !== -1; end = input.indexOf('\r\n')) {
        const line = input.slice(0, end);
        input = input.slice(end + 2);
        if (data) {
          if (line !== '.') data.push(line);
          else {
            this.mails.push({ raw: data.join('\r\n'), encrypted });
            data = null;
            say('250 queued');
          }
        } else if (takes) {
          const taken = takes;
          takes = null;
          taken(line);
        } else command(line);
      }
    });
  }
}
