import { currentMain } from './dom.js';

/**
 * Shows times in the customer's own zone; the server, which does not know it, wrote them in UTC.
 * @param isKept the page is kept, or printed: today is a date like others
 */
export function localizeTimes(isKept = false): void {
  const locale = document.documentElement.lang;
  for (const time of currentMain().querySelectorAll('time')) {
    const instant = new Date(time.dateTime);
    if (Number.isNaN(instant.getTime())) continue;
    if ('ago' in time.dataset) continue;
    const isShort = !isKept && isToday(instant);
    const formatter = formatterOf(locale, isShort, 'seconds' in time.dataset);
    time.textContent = unbrokenClock(formatter.formatToParts(instant));
  }
}

const AGES: readonly [unit: 'second' | 'minute' | 'hour' | 'day', seconds: number, most: number][] = [
  ['second', 1, 60],
  ['minute', 60, 90 * 60],
  ['hour', 3_600, 48 * 3_600],
  ['day', 86_400, Infinity],
];

/** Keeps how long ago things were, as the server writes it (Texts.ago), outside of what screen readers are told. */
export function showAges(now: number): void {
  const format = new Intl.RelativeTimeFormat(`${document.documentElement.lang}-u-nu-latn`);
  for (const time of currentMain().querySelectorAll<HTMLTimeElement>('time[data-ago]')) {
    const seconds = Math.max(1, Math.round((now - Date.parse(time.dateTime)) / 1_000));
    const [unit, size] = AGES.find(([, , most]) => seconds < most) ?? ['day' as const, 86_400];
    const words = format.format(-Math.round(seconds / size), unit);
    if (time.textContent !== words) time.textContent = words;
  }
}

const CLOCK: readonly string[] = ['hour', 'minute', 'dayPeriod', 'timeZoneName'];

/** No line ends between "8:45" and "AM". */
function unbrokenClock(parts: readonly Intl.DateTimeFormatPart[]): string {
  const isOfClock = (at: number): boolean => CLOCK.includes(parts[at]?.type ?? '');
  return parts
    .map(({ value }, at) =>
      isOfClock(at - 1) && isOfClock(at + 1) ? value.replaceAll(' ', '\u{a0}') : value,
    )
    .join('');
}

/** Digits 0 to 9 in every language, as on the rest of the page. */
function formatterOf(locale: string, isShort: boolean, hasSeconds: boolean): Intl.DateTimeFormat {
  const seconds = hasSeconds ? { second: '2-digit' as const } : {};
  const time = { hour: 'numeric', minute: '2-digit', ...seconds, timeZoneName: 'short' } as const;
  const date = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  return new Intl.DateTimeFormat(`${locale}-u-nu-latn`, isShort ? time : { ...date, ...time });
}

function isToday(instant: Date): boolean {
  return instant.toDateString() === new Date().toDateString();
}
