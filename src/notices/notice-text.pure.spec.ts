import { ATTENTION_KINDS } from '../overview/attention.pure.js';
import { LOCALES } from '../platform/kernel/i18n/locale.pure.js';
import { textsOf } from '../platform/kernel/i18n/texts.js';
import { type NoticeName, NOTICES } from './notice-kinds.pure.js';
import { fillTemplate, mailText, oneLine, writeNotice } from './notice-text.pure.js';

const BASE = 'https://pay.example.com/dashboard';
const VALUES = {
  account: 'Ada',
  application: 'Tea shop',
  beganAt: '2026-01-15T10:00:00Z',
  chain: 'Litecoin',
  changedAt: '2026-01-15T10:00:00Z',
  effectiveAt: '2026-01-16T10:00:00Z',
  family: 'litecoin',
  fingerprint: '73c5da0a',
  inviter: 'Ada',
  isDefault: 'no',
  n: 2,
  newestAt: '2026-01-14T10:00:00Z',
};
const counts = ATTENTION_KINDS.map((kind) => ({ kind, count: 1 }));

describe.each(LOCALES)('the notices in %s', (locale) => {
  it.each(Object.keys(NOTICES) as NoticeName[])('%s has a title of one line, a text and a link', (notice) => {
    const said = { notice, values: VALUES, ...(notice === 'attention' && { counts }) };
    const { title, text, link } = writeNotice(said, textsOf(locale), BASE, null);
    expect(title).not.toMatch(/[\p{Cc}{}]/u);
    expect(text).not.toMatch(/[{}]|2026-01/);
    expect(text.length).toBeGreaterThan(9);
    expect(link).toMatch(/^https:\/\/pay\.example\.com\/dashboard\/\w*$/);
  });
});

describe('oneLine', () => {
  it.each([
    ['a name', 'Tea shop', 'Tea shop'],
    ['line ends', 'Tea\r\nBcc: a@b.example\n', 'Tea Bcc: a@b.example'],
    ['other separators', 'a\u2028b\u2029c\u0000d\te', 'a b c d e'],
    ['what turns the direction of text', 'a\u202eb', 'a b'],
    ['as much as fits', 'x'.repeat(80), 'x'.repeat(80)],
    ['more than fits', '🎉'.repeat(81), `${'🎉'.repeat(79)}…`],
  ])('keeps %s', (_what, value, line) => expect(oneLine(value)).toBe(line));
});

describe('writeNotice', () => {
  const texts = textsOf('en');

  it('leaves out causes of which there are none', () => {
    const said = {
      notice: 'attention' as const,
      values: { n: 2, account: 'Ada' },
      counts: [
        { kind: 'overpaid' as const, count: 2 },
        { kind: 'underpaid' as const, count: 0 },
      ],
    };
    expect(writeNotice(said, texts, BASE, null).text).toBe(
      'This needs attention in the account Ada:\n– Paid too much: 2',
    );
  });

  it('has the link of its own where there is one', () => {
    const said = { notice: 'password' as const, values: {} };
    const written = writeNotice(said, texts, BASE, 'https://pay.example.com/x?token=t');
    expect(mailText(written, texts, BASE)).toMatch(
      /nothing has changed\.\n\nhttps:\/\/pay\.example\.com\/x\?token=t\n\n-- \nSent by the payment gateway at pay\.example\.com\./,
    );
  });
});

describe('fillTemplate', () => {
  const written = { title: 'A "b"', text: 'c\n{link}', link: 'https://d.example/$&' };

  it.each([
    [
      'JSON',
      '{"text":"{title}\\n{text}\\n{link}"}',
      '{"text":"A \\"b\\"\\nc\\n{link}\\nhttps://d.example/$&"}',
      'application/json',
    ],
    ['a list', '["{title}"]', '["A \\"b\\""]', 'application/json'],
    ['text', '{title}: {text}', 'A "b": c\n{link}', 'text/plain; charset=utf-8'],
  ])('fills %s', (_what, template, body, contentType) =>
    expect(fillTemplate(template, written)).toEqual({ body, contentType }),
  );
});
