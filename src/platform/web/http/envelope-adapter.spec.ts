import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express, Request, Response } from 'express';
import { EnvelopeAdapter } from './envelope-adapter.js';

const adapter = new EnvelopeAdapter();
const app = adapter.getInstance<Express>();
let server: Server;

beforeAll(async () => {
  adapter.initHttpServer();
  server = adapter.getHttpServer() as Server;
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const get = async () =>
  (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/thing`)).text();

it('makes requests and responses with the prototypes that Express would give them', async () => {
  const made: unknown[] = [];
  server.prependOnceListener('request', (request: IncomingMessage, response: ServerResponse) =>
    made.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response)),
  );
  app.get('/thing', (request: Request, response: Response) => {
    made.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    response.send(`${request.path} ${request.app === app} ${response.app === app}`);
  });
  expect(await get()).toBe('/thing true true');
  expect(made).toHaveLength(4);
  for (const [i, prototype] of made.entries()) expect(prototype).toBe([app.request, app.response][i % 2]);
});
