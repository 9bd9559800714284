import { currentMain } from './dom.js';

/** Shows times in the customer's own zone; the server, which does not know it, wrote them in UTC. */
export function localizeTimes(): void {
  const locale = document.documentElement.lang;
  for (const time of currentMain().querySelectorAll('time')) {
    const instant = new Date(time.dateTime);
    if (Number.isNaN(instant.getTime())) continue;
    time.textContent = formatterOf(locale, isToday(instant)).format(instant);
  }
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
