import { formatEventCursor, parseEventCursor } from './event-cursor.js';

describe('the cursor of the event feed', () => {
  it.each([0n, 1n, 35n, 2n ** 53n + 1n, 999_999_999_999_999_999n])(
    'says %s and is read again',
    (position) => {
      const cursor = formatEventCursor(position);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(parseEventCursor(cursor)).toBe(position);
    },
  );

  const encoded = (text: string) => Buffer.from(text).toString('base64url');
  it.each([
    ['nothing', ''],
    ['a number', '12'],
    ['another kind', encoded('f12')],
    ['a leading zero', encoded('e012')],
    ['a negative place', encoded('e-1')],
    ['a fraction', encoded('e1.5')],
    ['a place beyond a bigint column', encoded('e9999999999999999999')],
    ['something behind it', encoded('e12 ')],
    ['padding', `${encoded('e1')}=`],
    ['the other base64 alphabet', `${encoded('e12')}+`],
    ['letters outside of ASCII', encoded('e１')],
  ])('does not take %s', (_what, text) => {
    expect(parseEventCursor(text)).toBeNull();
  });
});
