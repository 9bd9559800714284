import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { INestApplicationContext } from '@nestjs/common';

/** A command's input and output. */
export interface Terminal {
  input: AsyncIterable<Buffer | string>;
  write(text: string): void;
  writeError(text: string): void;
}

/** An invalid command line; the message says why. */
export class UsageError extends Error {}

/** @throws UsageError for an option that no command has */
export function parseCommandLine(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      tokens: true,
      options: {
        email: { type: 'string' },
        operator: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        full: { type: 'boolean', default: false },
        skip: { type: 'string', default: '1000' },
        revoke: { type: 'boolean', default: false },
        'password-stdin': { type: 'boolean', default: false },
        name: { type: 'string' },
        'client-id': { type: 'string' },
        head: { type: 'string' },
        before: { type: 'string' },
        file: { type: 'string' },
        key: { type: 'string' },
        investigated: { type: 'string' },
        user: { type: 'string' },
        'redirect-uri': { type: 'string', multiple: true, default: [] },
        chain: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        height: { type: 'string' },
        force: { type: 'boolean', default: false },
        id: { type: 'string' },
        since: { type: 'string' },
        scope: { type: 'string', multiple: true, default: [] },
        confidential: { type: 'boolean', default: false },
        dump: { type: 'string' },
        database: { type: 'string' },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
export type Options = ReturnType<typeof parseCommandLine>['values'];

/** Returns the exit code; nothing: 0. */
export type Command = (
  app: INestApplicationContext,
  options: Options,
  terminal: Terminal,
) => Promise<number | void>;

/** @throws UsageError when an option was not given */
export function required(value: string | undefined, name: string): string {
  if (!value) throw new UsageError(`--${name} is required`);
  return value;
}

/** A password or client secret of 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
