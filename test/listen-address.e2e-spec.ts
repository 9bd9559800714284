import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { assertCanListen, listenError } from '../src/platform/web/http/listen-address.js';

let taken: Server;
let port: number;

beforeAll(async () => {
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  ({ port } = taken.address() as AddressInfo);
});
afterAll(() => taken.close());

describe('the address that the gateway will listen on', () => {
  it('is refused with an explanation while another program uses it', async () => {
    const refusal = assertCanListen({ host: '127.0.0.1', port });
    await expect(refusal).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is taken by another program. Stop it, or choose another port with PORT, ` +
        `for example PORT=${port + 1}.`,
    );
    await expect(refusal).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('is refused when it is not an address of this machine', async () => {
    const refusal = assertCanListen({ host: '192.0.2.1', port: 0 });
    await expect(refusal).rejects.toThrow('HOST 192.0.2.1 is not an address of this machine.');
  });

  it('is free again after the check', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port: free } = other.address() as AddressInfo;
    other.close();
    await once(other, 'close');
    const address = { host: '127.0.0.1', port: free };
    await assertCanListen(address);
    await assertCanListen(address);
  });

  it('is checked without changing unrelated errors', () => {
    const bug = new TypeError('x is not a function');
    expect(listenError(bug, { host: '127.0.0.1', port })).toBe(bug);
  });
});
