import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UtxoNode } from './litecoind.js';
import { HANG, RESET, resetMidway } from './rpc-proxy.js';
import { fallSilent } from './silence.js';

/** What an endpoint sends: the status, and text, bytes or something that becomes JSON. */
export interface EsploraAnswer {
  status: number;
  body: string | Buffer | object;
  headers?: Record<string, string>;
}

/** What to say instead, also {@link HANG} or {@link RESET}; null: the true answer. */
export type EsploraFault = (path: string, truth: () => Promise<EsploraAnswer>) => unknown;

const NOT_FOUND: EsploraAnswer = { status: 404, body: 'Block not found' };

/**
 * The part of the Esplora HTTP API that the gateway uses, in front of a real node: paths and shapes of
 * https://github.com/Blockstream/esplora/blob/023e67f/API.md and of its server,
 * https://github.com/Blockstream/electrs/blob/0231fff/src/rest.rs: plain text for hashes, heights and hex, bytes for raw blocks, `{"confirmed": false}` for a transaction
 * that are unknown, and transactions of stale blocks are still found and called unconfirmed.
 */
export class EsploraServer {
  /** Paths in the order in which they were asked. */
  readonly asked: string[] = [];
  fault: EsploraFault | null = null;
  /** Responses of {@link EsploraServer.fault} since {@link EsploraServer.setFaults}. */
  faulted = 0;

  private constructor(
    private readonly server: Server,
    private readonly node: UtxoNode,
  ) {}

  static async start(node: UtxoNode): Promise<EsploraServer> {
    const server = createServer();
    const esplora = new EsploraServer(server, node);
    server.on('request', (request, response) => void esplora.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return esplora;
  }

  /** With a path of its own, as public endpoints have. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/api`;
  }

  setFaults(fault: EsploraFault | null): void {
    this.fault = fault;
    this.faulted = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve({ url = '', method }: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = url.replace(/^\/api/, '');
    this.asked.push(path);
    const truth = () => this.answer(path).catch((error: unknown) => ({ status: 500, body: String(error) }));
    const faked = (await this.fault?.(path, truth)) ?? null;
    if (faked !== null) this.faulted++;
    if (faked === HANG) return fallSilent();
    if (faked === RESET) {
      resetMidway(response, '[');
      return;
    }
    const isOurs = method === 'GET' && url.startsWith('/api/');
    const { status, body, headers } = isOurs ? ((faked ?? (await truth())) as EsploraAnswer) : NOT_FOUND;
    const isPlain = typeof body === 'string' || Buffer.isBuffer(body);
    response.writeHead(status, headers).end(isPlain ? body : JSON.stringify(body));
  }

  private async answer(path: string): Promise<EsploraAnswer> {
    const [, first = '', second = '', third = '', fourth = ''] = path.split('/');
    switch (first) {
      case 'blocks':
        return ok(await this.node.rpc<string>('getbestblockhash'));
      case 'block-height': {
        const height = Number(second);
        return height > (await this.node.height()) ? NOT_FOUND : ok(await this.node.hashAt(height));
      }
      case 'block':
        return this.block(second, third);
      case 'tx':
        return this.transaction(second, third, fourth);
      case 'fee-estimates':
        return ok({ '1': 20.5, '6': 3.0001, '144': 1 });
      case 'mempool':
        return ok(await this.node.rpc<string[]>('getrawmempool'));
      default:
        return { status: 404, body: `endpoint does not exist "${path}"` };
    }
  }

  private async block(hash: string, part: string): Promise<EsploraAnswer> {
    if (part === 'raw') return ok(Buffer.from(await this.node.rpc<string>('getblock', [hash, 0]), 'hex'));
    if (part === 'header') return ok(await this.node.rpc<string>('getblockheader', [hash, false]));
    const { height } = await this.node.rpc<{ height: number }>('getblockheader', [hash]);
    return ok({ id: hash, height });
  }

  private async transaction(txHash: string, part: string, last: string): Promise<EsploraAnswer> {
    // Says of an output that does not exist that it is not spent, as the server does.
    if (part === 'outspend') {
      const vout = Number(last);
      const raw = await this.node
        .rpc<{ vout: unknown[] }>('getrawtransaction', [txHash, true])
        .catch(() => null);
      const isThere = raw !== null && vout < raw.vout.length;
      return ok({ spent: isThere && (await this.node.rpc('gettxout', [txHash, vout, true])) === null });
    }
    type Found = { hex: string; blockhash?: string; confirmations?: number };
    // The node's index keeps what stale blocks hold, as the server does.
    const found = await this.node.rpc<Found>('getrawtransaction', [txHash, true]).catch(() => null);
    if (part === 'hex') return found ? ok(found.hex) : { status: 404, body: 'Transaction not found' };
    if (!found?.blockhash || !found.confirmations) return ok({ confirmed: false });
    const { height, time } = await this.node.rpc<{ height: number; time: number }>('getblockheader', [
      found.blockhash,
    ]);
    return ok({ confirmed: true, block_height: height, block_hash: found.blockhash, block_time: time });
  }
}

function ok(body: EsploraAnswer['body']): EsploraAnswer {
  return { status: 200, body };
}
