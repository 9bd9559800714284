import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { HostResolver, type ResolveHost } from '../../src/platform/kernel/dns/host-resolver.js';
import { HostLookupError } from '../../src/platform/kernel/dns/dns-answers.pure.js';
import { GetaddrinfoQueue } from '../../src/platform/kernel/dns/getaddrinfo-queue.js';

/**
 * Records of one name: IPv4 or IPv6 addresses, or `CNAME other.example`. `SERVFAIL` and `SILENCE` are answers to
 * everything, `SILENCE AAAA` to one question.
 */
type Records = string[];
/** The response for a name; a function gets the number of earlier queries, so that responses can change. */
export type Zone = Record<string, Records | ((asked: number) => Records)>;

const TYPES = { A: 1, CNAME: 5, AAAA: 28 };
const REPLY = 0x8580;
const NO_SUCH_NAME = 3;
const SERVER_FAILED = 2;

/** A name server (RFC 1035) on 127.0.0.1 by real datagrams; nothing that it says may be kept (TTL 0). */
export class DnsServer {
  /** Lookups by name; one lookup asks for A and for AAAA. */
  readonly asked = new Map<string, number>();
  zone: Zone = {};

  private constructor(private readonly socket: Socket) {}

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    const server = new DnsServer(socket);
    socket.on('message', (query, { port, address }) => {
      const answer = server.answer(query);
      if (answer) socket.send(answer, port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return server;
  }

  async stop(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  /** The gateway's own resolver, which queries only this server. */
  resolver(): ResolveHost {
    const queue = new GetaddrinfoQueue((hostname) =>
      Promise.reject(new HostLookupError('ENOTFOUND', `${hostname} is unknown`)),
    );
    const inner = new HostResolver({ servers: [this.address], hostsFile: '/dev/null', system: queue });
    return async (hostname, timeoutMs) => {
      const asked = this.asked.get(hostname) ?? 0;
      try {
        return await inner.resolve(hostname, timeoutMs);
      } finally {
        this.asked.set(hostname, asked + 1);
      }
    };
  }

  /** Null: silence. */
  private answer(query: Buffer): Buffer | null {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('ascii', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = query.readUInt16BE(at + 1);
    const question = query.subarray(12, at + 5);
    const name = labels.join('.').toLowerCase();
    const records = this.chain(name, name);
    if (records?.some((text) => text === 'SILENCE' || text === `SILENCE ${nameOf(type)}`)) return null;
    const isFailing = records?.includes('SERVFAIL') === true;
    const answers = (isFailing ? [] : (records ?? []))
      .filter((text) => !text.startsWith('SILENCE'))
      .flatMap((text) => record(text, type));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(REPLY | (isFailing ? SERVER_FAILED : records ? 0 : NO_SUCH_NAME), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    return Buffer.concat([header, question, ...answers]);
  }

  /** A name's records, and those of what its CNAMEs lead to, each with its owner; null: no such name. */
  private chain(name: string, asked: string): string[] | null {
    const entry = this.zone[name];
    if (!entry) return name === asked ? null : [];
    const records = typeof entry === 'function' ? entry(this.asked.get(asked) ?? 0) : entry;
    return records.flatMap((text) => {
      const [, target] = /^CNAME (.+)$/.exec(text) ?? [];
      if (/^(SERVFAIL|SILENCE)/.test(text)) return [text];
      return target ? [`${name} ${text}`, ...(this.chain(target, asked) ?? [])] : [`${name} ${text}`];
    });
  }
}

function nameOf(type: number): string {
  return Object.entries(TYPES).find(([, code]) => code === type)?.[0] ?? '';
}

/** `owner address` or `owner CNAME target` as a resource record, if the question was for it. */
function record(text: string, type: number): Buffer[] {
  const [owner = '', ...rest] = text.split(' ');
  const [value = '', target] = rest;
  const kind = value === 'CNAME' ? TYPES.CNAME : value.includes(':') ? TYPES.AAAA : TYPES.A;
  if (kind !== type && kind !== TYPES.CNAME) return [];
  const data = target
    ? encodeName(target)
    : kind === TYPES.A
      ? Buffer.from(value.split('.').map(Number))
      : ipv6(value);
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(kind, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return [Buffer.concat([encodeName(owner), fixed, data])];
}

function encodeName(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function ipv6(address: string): Buffer {
  // URL parsing writes an IPv4 tail as hexadecimal groups.
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [head = [], back = []] = [left, right].map((part) => part.split(':').filter(Boolean));
  const all = [...head, ...Array.from({ length: 8 - head.length - back.length }, () => '0'), ...back];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
