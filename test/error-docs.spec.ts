import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type CodeOf, type ErrorCode, ERRORS } from '../src/platform/kernel/errors/error-catalog.pure.js';
import { errorOfStatus } from '../src/platform/web/errors/error.filter.js';
import { GatewayError, NotFoundError } from '../src/platform/kernel/errors/errors.pure.js';
import { errorDocs } from './support/error-docs.js';

const root = path.resolve(import.meta.dirname, '..');
const codes = Object.keys(ERRORS) as ErrorCode[];

describe('the error catalog', () => {
  it('equals docs/errors.md (after an intended change run `npm run docs:errors`)', () => {
    expect(readFileSync(path.join(root, 'docs/errors.md'), 'utf8')).toBe(errorDocs());
  });

  it('has a status for every code', () => {
    for (const code of codes) expect(new GatewayError(code, 'text').status).toBe(ERRORS[code].status);
  });

  it('makes an unknown code, or one with another status, a compile error', () => {
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
    'has a documented response for status %i',
    (status) => expect(errorOfStatus(status).status).toBe(status),
  );

  it('has no code that is never thrown', () => {
    const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.spec\.ts$|error-catalog/.test(file))
      .map((file) => readFileSync(path.join(root, 'src', file), 'utf8'))
      .join('\n');
    expect(codes.filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
  });

  it('has for each code sentences that say what it means and what to do', () => {
    for (const { meaning, remedy } of Object.values(ERRORS))
      for (const text of [meaning, remedy]) expect(text).toMatch(/^[A-Z`].*[.]$/);
  });
});
