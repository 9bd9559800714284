import { IsString, Matches } from 'class-validator';
import { fromText } from '../../platform/web/contract/conversions.js';
import { must } from '../../platform/web/contract/messages.js';
import { rule, urlProblem } from '../../platform/web/contract/rules.js';
import { accentProblem } from './accent.pure.js';
import { isMailto } from './support-url.pure.js';

export const MAX_SUPPORT_URL = 2_048;
export const ACCENT = /^#[0-9a-fA-F]{6}$/;

/** Small letters are stored. */
export const ACCENT_COLOR = {
  convert: fromText((text) => text.toLowerCase()),
  rules: [
    Matches(ACCENT, must('be a color in the form #rrggbb, e.g. #1747d1')),
    rule<string>('accent', (color) => {
      const problem = accentProblem(color);
      return problem === null ? null : `be a darker color: ${problem}`;
    }),
  ],
};

export const SUPPORT_URL = [
  IsString(must('be a string')),
  rule<string>('supportUrl', (text) => {
    if (!/^mailto:/i.test(text)) return urlProblem(text, MAX_SUPPORT_URL, false);
    return text.length <= MAX_SUPPORT_URL && isMailto(text)
      ? null
      : 'be an http(s) URL, or mailto: with one address and at most a subject, e.g. mailto:help@shop.example';
  }),
];
