import { parseInstant } from './instant.pure.js';

const two = (number: number) => String(number).padStart(2, '0');

/** Day of the year, and the ISO week, by counting days from 1 January. */
function partsOf(date: Date): { ordinal: string; weekYear: string; week: string; weekday: number } {
  const dayMs = 86_400_000;
  const year = date.getUTCFullYear();
  const ordinal = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / dayMs) + 1;
  const weekday = date.getUTCDay() || 7;
  // The week belongs to the year of its Thursday.
  const thursday = new Date(date.getTime() + (4 - weekday) * dayMs);
  const weekYear = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(weekYear, 0, 1)) / dayMs / 7) + 1;
  return { ordinal: String(ordinal).padStart(3, '0'), weekYear: String(weekYear), week: two(week), weekday };
}

/** The instant in every form, at every one of these offsets. */
function formsOf(instant: Date): string[] {
  return [0, 60, -210, 345, -720, 840].flatMap((offset) => {
    const local = new Date(instant.getTime() + offset * 60_000);
    const [day = '', time = ''] = local.toISOString().slice(0, 23).split('T');
    const { ordinal, weekYear, week, weekday } = partsOf(local);
    const [year = ''] = day.split('-');
    const extended = [day, `${weekYear}-W${week}-${weekday}`, `${year}-${ordinal}`];
    const basic = extended.map((text) => text.replaceAll('-', ''));
    const times = [time, time.replace('.', ','), `${time}000000`];
    const dated = [...extended, ...basic].flatMap((date) =>
      [...times, ...times.map((text) => text.replaceAll(':', ''))].map((text) => `${date}T${text}`),
    );
    const [hours, minutes] = [two(Math.floor(Math.abs(offset) / 60)), two(Math.abs(offset) % 60)];
    const signs = offset < 0 ? ['-', '\u2212'] : offset > 0 ? ['+'] : ['+', '-'];
    const zones = signs.flatMap((sign) => [
      `${sign}${hours}:${minutes}`,
      `${sign}${hours}${minutes}`,
      ...(minutes === '00' ? [`${sign}${hours}`] : []),
    ]);
    const all = dated.flatMap((text) =>
      [...zones, ...(offset === 0 ? ['Z'] : [])].map((zone) => text + zone),
    );
    return all.flatMap((text) => [text, text.toLowerCase()]);
  });
}

describe('parseInstant', () => {
  it.each([
    '2027-01-01T00:30:00.250Z',
    '2024-02-29T23:59:59.999Z',
    '2026-12-31T12:00:00.000Z',
    '2020-12-31T23:00:00.001Z',
    '2021-01-03T00:00:00.000Z',
    '1999-12-31T23:59:59.000Z',
  ])('reads %s in every form', (iso) => {
    const forms = formsOf(new Date(iso));
    expect(new Set(forms).size).toBeGreaterThan(1_000);
    const wrong = forms.filter((form) => parseInstant(form)?.toISOString() !== iso);
    expect(wrong).toEqual([]);
  });

  it.each([
    ['2026-01-01T00:30+01:00', '2025-12-31T23:30:00.000Z'],
    ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123Z'],
    ['2026-01-01T00:00:00.9999Z', '2026-01-01T00:00:00.999Z'],
    ['2026-01-01T12Z', '2026-01-01T12:00:00.000Z'],
    ['2026-01-01T12.5Z', '2026-01-01T12:30:00.000Z'],
    ['20260101T1230,25Z', '2026-01-01T12:30:15.000Z'],
    ['2026-01-01T12:00:00-00:00', '2026-01-01T12:00:00.000Z'],
    ['2020-W53-7T00:00:00Z', '2021-01-03T00:00:00.000Z'],
    ['2024-366T00:00:00Z', '2024-12-31T00:00:00.000Z'],
    ['9999-12-31T23:59:59+10:00', '9999-12-31T13:59:59.000Z'],
  ])('reads %p', (text, iso) => expect(parseInstant(text)?.toISOString()).toBe(iso));

  it.each([
    ['no day of June', '2026-06-31T00:00:00Z'],
    ['no leap year', '2025-02-29T00:00:00Z'],
    ['no leap year, by its days', '2025-366T00:00:00Z'],
    ['no day 0', '2025-000T00:00:00Z'],
    ['no month 13', '2026-13-01T00:00:00Z'],
    ['no week 0', '2026-W00-1T00:00:00Z'],
    ['a year of 52 weeks', '2025-W53-1T00:00:00Z'],
    ['no eighth day', '2026-W01-8T00:00:00Z'],
    ['hour 24', '2026-01-01T24:00:00Z'],
    ['minute 60', '2026-01-01T00:60:00Z'],
    ['a leap second that was none', '2026-01-01T00:00:60Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['an offset of a day', '2026-01-01T00:00:00+24:00'],
    ['no zone', '2026-01-01T00:00:00'],
    ['no zone, basic', '20260101T000000'],
    ['no zone, with a fraction', '2026-01-01T00:00:00,5'],
    ['a date alone', '2026-01-01'],
    ['a date with a zone', '2026-01-01Z'],
    ['a month', '2026-01T00:00:00Z'],
    ['a week', '2026-W01T00:00:00Z'],
    ['a time alone', 'T00:00:00Z'],
    ['a space for the T', '2026-01-01 00:00:00Z'],
    ['two digits of a year', '26-01-01T00:00:00Z'],
    ['another order', '01-02-2026T00:00:00Z'],
    ['half a date with separators', '2026-0101T00:00:00Z'],
    ['half a date without', '202601-01T00:00:00Z'],
    ['half a time with separators', '2026-01-01T00:0000Z'],
    ['half a time without', '2026-01-01T0000:00Z'],
    ['a fraction that does not stand last', '2026-01-01T00.5:00Z'],
    ['an empty fraction', '2026-01-01T00:00:00.Z'],
    ['two zones', '2026-01-01T00:00:00Z+01:00'],
    ['a name of a zone', '2026-01-01T00:00:00 CET'],
    ['a military zone', '2026-01-01T00:00:00A'],
    ['an offset of one digit', '2026-01-01T00:00:00+1'],
    ['an offset of three digits', '2026-01-01T00:00:00+100'],
    ['an offset of 60 minutes', '2026-01-01T00:00:00+0160'],
    ['after the year 9999', '9999-12-31T23:59:59-10:00'],
    ['the year 0', '0000-01-01T00:00:00Z'],
    ['a year of six digits', '+020000-01-01T00:00:00Z'],
    ['a line break', '2026-01-01T00:00:00Z\n'],
    ['digits of another script', '２０２６-01-01T00:00:00Z'],
    ['Unix seconds', '1798761600'],
    ['nothing', ''],
    ['two times', '2026-01-01T00:00:00T00:00:00Z'],
  ])('refuses %s', (_what, text) => expect(parseInstant(text)).toBeNull());
});
