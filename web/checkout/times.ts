import { currentMain } from './dom.js';

/** Shows times in the customer's own zone; the server, which does not know it, wrote them in UTC. */
export function localizeTimes(): void {
  const locale = document.documentElement.lang;
  for (const time of currentMain().querySelectorAll('time')) {
    const instant = new Date(time.dateTime);
    if (Number.isNaN(instant.getTime())) continue;
    time.textContent = unbrokenClock(formatterOf(locale, isToday(instant)).formatToParts(instant));
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
function formatterOf(locale: string, isShort: boolean): Intl.DateTimeFormat {
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  const date = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  return new Intl.DateTimeFormat(`${locale}-u-nu-latn`, isShort ? time : { ...date, ...time });
}

function isToday(instant: Date): boolean {
  return instant.toDateString() === new Date().toDateString();
}
