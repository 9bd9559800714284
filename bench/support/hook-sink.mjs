// The merchants' servers of the webhook benchmarks, all of them on one port: as little HTTP as a client needs, so that
// it costs the same few microseconds for everybody who is measured. A child process, asked through IPC.
// /ok/<n> answers 200, /fail/<n> 500, /slow/<n> 200 after two seconds, /hang/<n> takes the request and never answers.
import { createServer } from 'node:net';

const SLOW_MS = 2_000;
const [HEAD_END, OK, FAIL] = [
  Buffer.from('\r\n\r\n'),
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  'HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\nno',
];
/** Nanoseconds of the machine's monotonic clock at which each event came first, by its id. */
let arrivals = new Map();
const sockets = new Set();
let [requests, expected] = [0, Infinity];

function take(socket, head) {
  requests++;
  const id = /\r\nwebhook-id: ([^\r]+)/i.exec(head)?.[1] ?? '';
  const path = head.slice(5, head.indexOf(' ', 5));
  if (!path.startsWith('/fail') && !path.startsWith('/hang') && !arrivals.has(id)) {
    arrivals.set(id, process.hrtime.bigint());
    if (arrivals.size === expected) process.send({ isComplete: true });
  }
  if (path.startsWith('/ok')) socket.write(OK);
  else if (path.startsWith('/fail')) socket.write(FAIL);
  else if (path.startsWith('/slow')) setTimeout(() => socket.writable && socket.write(OK), SLOW_MS);
}

const server = createServer({ noDelay: true }, (socket) => {
  let rest = Buffer.alloc(0);
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf(HEAD_END);
      if (end < 0) return;
      const head = rest.toString('latin1', 0, end);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (rest.length < end + 4 + length) return;
      rest = rest.subarray(end + 4 + length);
      take(socket, head);
    }
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

process.on('message', ({ expect, isRead, isOver }) => {
  if (expect !== undefined) {
    [arrivals, requests, expected] = [new Map(), 0, expect];
    process.send({ isReset: true });
  }
  if (isOver) for (const socket of sockets) socket.destroy();
  if (isRead) process.send({ requests, arrivals: [...arrivals].map(([id, at]) => [id, String(at)]) });
});
process.on('disconnect', () => process.exit(0));
