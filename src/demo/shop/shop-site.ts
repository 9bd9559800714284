import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Html, markup } from '../../platform/kernel/markup.pure.js';
import type { RenderedPage } from '../../platform/web/html/page-document.js';
import { webAsset } from '../../platform/web/html/web-asset.js';
import { sha256 } from '../../platform/kernel/hmac.pure.js';
import { isErrno } from '../processes.js';
import type { CoffeeShop } from './coffee-shop.js';
import { deskPart, orderPage } from './order-page.js';
import { demoPage, SCRIPT_PATH } from './page.js';
import { isAddressedTo, refusalOfPost } from './request-origin.pure.js';
import { isSandboxAction } from './sandbox.js';
import { ordersPart, shopPage } from './shop-page.js';

/** Where the gateway sends the shop's webhooks. */
export const WEBHOOK_PATH = '/webhooks/payments';
/** Webhooks are the largest that is received. */
const MAX_BODY_BYTES = 1_000_000;

/** The website of the demo shop, on a port of the loopback interface and therefore an origin of its own. */
export class ShopSite {
  private shop: CoffeeShop | null = null;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /**
   * Listens; its pages come with {@link open}.
   * @param port is tried first, so that the address stays the same; any free one if it is taken
   * @param gatewayUrl the shop has the same name of this machine, so that one name works in a browser for both
   */
  static async listen(port: number, gatewayUrl: string): Promise<ShopSite> {
    const server = createServer((request, response) => {
      site.serve(request, response).catch((error: unknown) => {
        const page = failurePage(error);
        if (response.headersSent) response.destroy();
        else send(response, page);
      });
    });
    await listenOn(server, port);
    const { hostname } = new URL(gatewayUrl);
    const host = ['localhost', '127.0.0.1'].includes(hostname) ? hostname : 'localhost';
    const site = new ShopSite(server, `http://${host}:${(server.address() as AddressInfo).port}`);
    return site;
  }

  open(shop: CoffeeShop): void {
    this.shop = shop;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const shop = this.shop;
    if (!shop) return send(response, messagePage(503, 'The shop opens in a moment', 'Please reload.'));
    const { pathname } = new URL(request.url ?? '/', this.url);
    const origins = { shop: this.url, gateway: shop.facts.baseUrl };
    if (!isAddressedTo(request.headers, origins))
      return send(response, messagePage(421, 'Not this shop', `The shop is at ${this.url}.`));
    if (request.method === 'POST' && pathname === WEBHOOK_PATH) {
      response.writeHead(await shop.inbox.receive(request.headers, await readBody(request))).end();
      return;
    }
    if (request.method === 'POST') {
      const refusal = refusalOfPost(request.headers, origins, pathname === '/orders');
      if (refusal !== null) return send(response, messagePage(403, 'Refused', refusal));
      const form = new URLSearchParams((await readBody(request)).toString());
      const next = await act(shop, pathname, form);
      if (next === null) return send(response, notFoundPage());
      response.writeHead(303, { location: next, 'cache-control': 'no-store' }).end();
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD, POST');
      return send(response, messagePage(405, 'Not possible', 'Pages are read, and buttons are pressed.'));
    }
    await show(shop, pathname, request, response);
  }
}

/** Of an order on whose end somebody waits. */
const SHORT_LINK_SECONDS = 90;

/** @returns where the browser goes on; null: there is no such button */
async function act(shop: CoffeeShop, path: string, form: URLSearchParams): Promise<string | null> {
  if (path === '/orders') return `/orders/${await shop.order(form.has('short') ? SHORT_LINK_SECONDS : null)}`;
  const [, id = '', action = '', detail = ''] =
    /^\/orders\/([\w-]+)\/(accept|refund|sandbox)(?:\/([\w-]+))?$/.exec(path) ?? [];
  const order = id === '' ? null : await shop.findOrder(id);
  if (!order) return null;
  const { payment } = order;
  if (action === 'sandbox') {
    if (!isSandboxAction(detail)) return null;
    await shop.play(payment, detail);
  } else if (action === 'accept') await shop.accept(payment, form.get('transferId'));
  else await shop.refund(payment);
  return `/orders/${id}`;
}

async function show(
  shop: CoffeeShop,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (path === SCRIPT_PATH) {
    const headers = { 'content-type': 'text/javascript; charset=utf-8', 'x-content-type-options': 'nosniff' };
    response.writeHead(200, { ...headers, 'cache-control': 'no-cache' }).end(webAsset('sandbox.js'));
    return;
  }
  if (path === '/') {
    const orders = await shop.latestOrders();
    return send(response, shopPage(shop.facts, shop.newReference(), orders));
  }
  if (path === '/orders') return sendPart(request, response, ordersPart(await shop.latestOrders()));
  const [, id = '', part] = /^\/orders\/([\w-]+)(\/desk)?$/.exec(path) ?? [];
  const order = id === '' ? null : await shop.findOrder(id);
  if (!order) return send(response, notFoundPage());
  if (part === undefined) send(response, orderPage(order));
  else sendPart(request, response, deskPart(order));
}

/** A part of a page, which the script asks for every second or so. */
function sendPart(request: IncomingMessage, response: ServerResponse, { text }: Html): void {
  const etag = `"${sha256(text).toString('base64url')}"`;
  const headers = { etag, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end();
  else response.writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8' }).end(text);
}

function send(response: ServerResponse, { status, headers, body }: RenderedPage): void {
  response.writeHead(status, headers).end(body);
}

function messagePage(status: number, title: string, text: string): RenderedPage {
  const main = markup`<main class="narrow"><h1>${title}</h1><p>${text}</p><p><a href="/">All orders of the shop</a></p></main>`;
  return demoPage({ status, title, main });
}

function notFoundPage(): RenderedPage {
  return messagePage(404, 'Not found', 'This shop has no such page, or the order is of another application.');
}

/** The shop has no log: who presses the button reads the reason. */
function failurePage(error: unknown): RenderedPage {
  return messagePage(502, 'That did not work', error instanceof Error ? error.message : String(error));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) throw new Error('the body is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

async function listenOn(server: Server, port: number): Promise<void> {
  try {
    server.listen({ port, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    if (!isErrno(error, 'EADDRINUSE', 'EACCES')) throw error;
    server.listen({ port: 0, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
  }
}
