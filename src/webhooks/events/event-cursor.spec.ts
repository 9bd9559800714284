import { formatEventCursor, parseEventCursor } from './event-cursor.js';

describe('the cursor of the event feed', () => {
  it.each([0n, 1n, 35n, 2n ** 53n + 1n, 999_999_999_999_999_999n])(
    'round-trips position %s in URL-safe characters',
    (position) => {
      const cursor = formatEventCursor(position);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(parseEventCursor(cursor)).toBe(position);
    },
  );

  const encoded = (text: string) => Buffer.from(text).toString('base64url');
  it.each([
    ['empty', ''],
    ['a bare number', '12'],
    ['of another kind', encoded('f12')],
    ['a position with a leading zero', encoded('e012')],
    ['a negative position', encoded('e-1')],
    ['a fractional position', encoded('e1.5')],
    ['a position beyond a bigint column', encoded('e9999999999999999999')],
    ['followed by another character', encoded('e12 ')],
    ['padded', `${encoded('e1')}=`],
    ['in the other base64 alphabet', `${encoded('e12')}+`],
    ['in digits outside of ASCII', encoded('e１')],
  ])('is refused when it is %s', (_what, text) => {
    expect(parseEventCursor(text)).toBeNull();
  });
});
