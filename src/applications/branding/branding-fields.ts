import { must, refuse, type Rule } from '../../platform/web/contract/field.js';
import { readHttpUrl } from '../../platform/web/contract/rules.js';
import { accentProblem } from './accent.pure.js';
import { isMailto } from './support-url.pure.js';

export const MAX_SUPPORT_URL = 2_048;
export const ACCENT = /^#[0-9a-fA-F]{6}$/;

/** Small letters are stored. */
export const readAccent: Rule = (value) => {
  if (typeof value !== 'string' || !ACCENT.test(value))
    return must('be a color in the form #rrggbb, e.g. #1747d1');
  const accent = value.toLowerCase();
  const problem = accentProblem(accent);
  return problem === null
    ? { value: accent }
    : refuse((field) => `The ${field} field must be a darker color: ${problem}.`);
};

export const readSupportUrl: Rule = (value) => {
  if (typeof value !== 'string') return must('be a string');
  if (!/^mailto:/i.test(value)) return readHttpUrl(value, MAX_SUPPORT_URL, false);
  return value.length <= MAX_SUPPORT_URL && isMailto(value)
    ? { value }
    : must(
        'be an http(s) URL, or mailto: with one address and at most a subject, e.g. mailto:help@shop.example',
      );
};
