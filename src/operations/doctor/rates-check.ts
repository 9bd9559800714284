import type { Clock } from '../../platform/kernel/clock.pure.js';
import type { Config } from '../../config.js';
import type { RateSource } from '../../rates/rate-source.pure.js';
import { type ClockReading, assessClock } from './clock-findings.js';
import { type Finding, reasonOf, Subject } from './finding.js';

/** Every source lists it. */
const [BASE, QUOTE] = ['BTC', 'USD'];

/** Requests one price from every source. Without any source, only payments in the coin's own currency are possible. */
export async function checkRates(sources: readonly RateSource[]): Promise<Finding[]> {
  const about = new Subject('rates');
  const results = await Promise.all(
    sources.map(async (source) => ({ name: source.name, ...(await ask(source)) })),
  );
  const good = results.filter(({ price }) => price !== null);
  const fix = 'allow connections to it (firewall, DNS), or check whether the source itself is down';
  return results.map(({ name, price, reason }) => {
    if (price !== null) return about.ok(`${name}: one ${BASE} is ${price} ${QUOTE}`);
    const found = `${name} gives no price: ${reason}`;
    return good.length > 0 ? about.warning(found, fix) : about.failure(found, fix);
  });
}

async function ask(source: RateSource): Promise<{ price: string | null; reason: string }> {
  try {
    return { price: await source.fetchPrice(BASE, QUOTE), reason: `it does not list ${BASE}/${QUOTE}` };
  } catch (error) {
    return { price: null, reason: reasonOf(error) };
  }
}

/** Compares with the clock of a rate source, which every HTTP response carries (RFC 9110 section 6.6.1). */
export async function checkClockOutside(
  { rates: { krakenUrl, coinbaseUrl, timeoutMs } }: Config,
  clock: Clock,
): Promise<Finding> {
  for (const url of [krakenUrl, coinbaseUrl]) {
    const reading = await readDate(url, timeoutMs, clock);
    if (reading) return assessClock(reading);
  }
  return new Subject('clock').warning(
    'no rate source sent its time, so it was compared with no clock outside',
    'compare it by hand: timedatectl',
  );
}

async function readDate(url: string, timeoutMs: number, clock: Clock): Promise<ClockReading | null> {
  const before = clock.now();
  try {
    const { headers } = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(timeoutMs) });
    const theirs = new Date(headers.get('date') ?? '');
    if (Number.isNaN(theirs.getTime())) return null;
    return { of: new URL(url).host, theirs, before, after: clock.now(), resolution: 1_000 };
  } catch {
    // The check of the rates reports it.
    return null;
  }
}
