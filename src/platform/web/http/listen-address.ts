import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../../config.js';

type Address = Pick<Config, 'host' | 'port'>;

/** The configured address cannot be listened on. The message says what to do, so no stack is printed. */
export class ListenError extends Error {
  /** Marks it as expected, as the codes of system errors do. */
  readonly code: string;

  constructor(code: string, { host, port }: Address, options: ErrorOptions) {
    super(`${REASONS[code]?.(host, port) ?? `Cannot listen on ${host}:${port} (${code}).`}`, options);
    this.code = code;
  }
}

const REASONS: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is taken by another program. Stop it, or choose another port with PORT, ` +
    `for example PORT=${port === 65_535 ? 3000 : port + 1}.`,
  EACCES: (host, port) => `This user may not listen on port ${port} of ${host}. Choose another with PORT.`,
  EADDRNOTAVAIL: (host) => `HOST ${host} is not an address of this machine.`,
  ENOTFOUND: (host) => `HOST ${host} is not an address of this machine.`,
};

/** Describes the error of a `listen`. */
export function listenError(error: unknown, address: Address): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  return new ListenError(String(error.code), address, { cause: error });
}

/**
 * Listens briefly, to find out before a long start whether it will be possible.
 * @throws ListenError
 */
export async function assertCanListen(address: Address): Promise<void> {
  const server = createServer();
  try {
    server.listen({ ...address, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, address);
  }
  server.close();
  await once(server, 'close');
}
