import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type CodeOf, type ErrorCode, ERRORS } from '../src/platform/errors/error-catalog.pure.js';
import { errorOfStatus } from '../src/platform/errors/error.filter.js';
import { GatewayError, NotFoundError } from '../src/platform/errors/errors.pure.js';
import { errorDocs } from './support/error-docs.js';

const root = path.resolve(import.meta.dirname, '..');
const codes = Object.keys(ERRORS) as ErrorCode[];

describe('the error catalog', () => {
  it('is what docs/errors.md says; different on purpose? Then run `npm run docs:errors`', () => {
    expect(readFileSync(path.join(root, 'docs/errors.md'), 'utf8')).toBe(errorDocs());
  });

  it('gives every code its status', () => {
    for (const code of codes) expect(new GatewayError(code, 'text').status).toBe(ERRORS[code].status);
  });

  it('does not compile with a code that it does not have, or of another status', () => {
    // @ts-expect-error unknown
    const unknown: ErrorCode = 'payment_lost';
    // @ts-expect-error a 409
    const ofAnotherStatus: CodeOf<404> = 'application_deleted';
    // @ts-expect-error unknown
    expect(() => new GatewayError('payment_lost', 'text')).toThrow();
    // @ts-expect-error a 409
    expect(new NotFoundError('application_deleted').status).toBe(409);
    expect([unknown, ofAnotherStatus]).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 405, 406, 408, 413, 414, 415, 422, 429, 431, 500, 503])(
    'has a documented answer for status %i',
    (status) => expect(errorOfStatus(status).status).toBe(status),
  );

  it('holds no code that nothing throws', () => {
    const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.spec\.ts$|error-catalog/.test(file))
      .map((file) => readFileSync(path.join(root, 'src', file), 'utf8'))
      .join('\n');
    expect(codes.filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
  });

  it('says of each what it means and what to do, in sentences', () => {
    for (const { meaning, remedy } of Object.values(ERRORS))
      for (const text of [meaning, remedy]) expect(text).toMatch(/^[A-Z`].*[.]$/);
  });
});
