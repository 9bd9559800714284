// Serves route handlers `(request: Request) => Response` as Next.js does, as far as the handlers can tell.
//   PORT=… node route-handler-host.mjs /path=module.js …
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

const routes = new Map();
for (const pair of process.argv.slice(2)) {
  const [address, file] = pair.split('=');
  routes.set(address, await import(pathToFileURL(file).href));
}

async function serve(incoming, outgoing) {
  const handler = routes.get(incoming.url)?.[incoming.method];
  if (!handler) return void outgoing.writeHead(404).end();
  const body = Buffer.concat(await incoming.toArray());
  const request = new Request(`http://127.0.0.1${incoming.url}`, {
    method: incoming.method,
    headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    body,
  });
  try {
    const response = await handler(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  } catch (error) {
    process.stderr.write(`${error.stack}\n`);
    outgoing.writeHead(500).end();
  }
}

const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
server.listen(Number(process.env.PORT), '127.0.0.1');
