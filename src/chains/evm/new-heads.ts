import { Agent, type Dispatcher, WebSocket } from 'undici';
import { retryAfterMs } from '../retry-after.pure.js';
import { reconnectDelayMs } from './reconnect-delay.pure.js';

/** Milliseconds for the connection and the subscription. */
const OPEN_MS = 5_000;
/** Characters of a notice: a header has some thousand. */
const LONGEST_NOTICE = 2 ** 16;

/**
 * Wake-ups from one EVM node: `eth_subscribe` for new heads over a WebSocket. Heads may come twice, out of order or never,
 * so their content is ignored. Connects on the first wait, and again after the connection broke.
 */
export class NewHeads {
  private socket: WebSocket | null = null;
  /** A head arrived while no caller was waiting. */
  private isFresh = false;
  private waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];

  private readonly url: URL;
  private readonly headers: Record<string, string> = {};
  private failures = 0;
  private restsUntil = 0;
  /** What the node said to the last attempt to connect, if it was refused. */
  private retryAfter: number | null = null;
  private readonly agent = new Agent();
  private readonly dispatcher = this.agent.compose((dispatch) => (options, handler) => {
    return dispatch(options, {
      ...forwarding(handler),
      onResponseStart: (controller, status, headers, text) => {
        this.retryAfter = retryAfterMs(headers['retry-after'], headers['date']);
        handler.onResponseStart?.(controller, status, headers, text);
      },
    });
  });

  /**
   * @param rpcUrl of the node, which offers both on one address or does without; no error quotes it: it may hold a key
   * @param random at least 0, less than 1
   */
  constructor(
    rpcUrl: string,
    private readonly random: () => number = Math.random,
  ) {
    this.url = new URL(rpcUrl);
    this.url.protocol = this.url.protocol === 'https:' ? 'wss:' : 'ws:';
    const { username, password } = this.url;
    if (!username && !password) return;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
    this.url.username = this.url.password = '';
  }

  /** Whether a head came; at the next one, after `maxMs` at the latest. @throws Error when the node offers none, or on abort */
  async wait(maxMs: number, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    if (!this.socket && performance.now() < this.restsUntil) throw new Error('the node has no WebSocket');
    this.socket ??= this.open();
    if (this.isFresh) {
      this.isFresh = false;
      return true;
    }
    return new Promise<boolean>((resolve, reject) => {
      const timer = setTimeout(() => end(() => resolve(false)), maxMs);
      const abort = () => end(() => reject(new Error('no longer waited for')));
      const end = (finish: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.waiting = this.waiting.filter((one) => one !== waiter);
        finish();
      };
      const waiter = {
        resolve: () => end(() => resolve(true)),
        reject: (error: Error) => end(() => reject(error)),
      };
      signal.addEventListener('abort', abort, { once: true });
      this.waiting.push(waiter);
    });
  }

  async close(): Promise<void> {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    await this.agent.destroy();
  }

  private open(): WebSocket {
    this.retryAfter = null;
    const socket = new WebSocket(this.url, { headers: this.headers, dispatcher: this.dispatcher });
    const deadline = setTimeout(() => fail('did not open a subscription in time'), OPEN_MS);
    const fail = (what: string) => {
      clearTimeout(deadline);
      if (this.socket !== socket) return;
      this.socket = null;
      const pause = reconnectDelayMs(this.failures++, this.retryAfter, this.random());
      this.restsUntil = performance.now() + pause;
      socket.close();
      const message = `the node's WebSocket ${what}; next attempt in ${Math.round(pause / 1_000)} s`;
      for (const { reject } of this.waiting) reject(new Error(message));
    };
    socket.addEventListener('open', () =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })),
    );
    socket.addEventListener('error', () => fail('does not answer'));
    socket.addEventListener('close', () => fail('was closed'));
    socket.addEventListener('message', ({ data }) => {
      const notice = typeof data === 'string' && data.length <= LONGEST_NOTICE ? kindOf(data) : 'other';
      if (notice === 'subscribed') {
        clearTimeout(deadline);
        this.failures = 0;
      }
      if (notice === 'refused') fail('has no new heads');
      if (notice === 'head') this.ring();
    });
    return socket;
  }

  private ring(): void {
    this.isFresh = this.waiting.length === 0;
    for (const { resolve } of this.waiting) resolve();
  }
}

/** The same callbacks, called on the same handler. */
function forwarding(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (controller, status, headers, socket) =>
      handler.onRequestUpgrade?.(controller, status, headers, socket),
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  };
}

function kindOf(text: string): 'subscribed' | 'refused' | 'head' | 'other' {
  try {
    const notice = JSON.parse(text) as { id?: unknown; result?: unknown; method?: unknown } | null;
    if (notice?.id === 1) return typeof notice.result === 'string' ? 'subscribed' : 'refused';
    return notice?.method === 'eth_subscription' ? 'head' : 'other';
  } catch {
    return 'other';
  }
}
