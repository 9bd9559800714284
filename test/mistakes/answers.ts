import { readFileSync } from 'node:fs';

/**
 * What the answer to a mistake has to say, so that an integrator can repair the request from it alone. Texts are
 * parts that must occur in it.
 */
export interface ExpectedAnswer {
  /** What a reviewer gave the answer: 0 it does not help, 1 it helps who suspects the cause, 2 it says what to change. */
  grade: 0 | 1 | 2;
  status: number;
  /** `code` of our own errors, `error` of the OAuth2 endpoints (RFC 6749, section 5.2); absent on pages. */
  code?: string;
  message?: string;
  /** By field. */
  errors?: Record<string, string>;
  hint?: string;
  /** `error_description` of `WWW-Authenticate`, or of an OAuth2 endpoint. */
  description?: string;
  /** By name, in lower case. */
  headers?: Record<string, string>;
  /** Words of a page for people. */
  page?: string;
}

/** By group and title. */
export function readAnswers(): Record<string, Record<string, ExpectedAnswer>> {
  const text = readFileSync(new URL('answers.json', import.meta.url), 'utf8');
  return JSON.parse(text) as Record<string, Record<string, ExpectedAnswer>>;
}
