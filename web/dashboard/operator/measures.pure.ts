import { digitsTag } from '../i18n/format.pure.js';

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const STEP = 1_000;

/** "2.3 GB", as disks are sold and as systems show them. @param isChange with a sign */
export function formatBytes(bytes: number, locale: string, isChange = false): string {
  let [size, unit] = [Math.abs(bytes), 0];
  while (size >= STEP && unit < SIZES.length - 1) {
    size /= STEP;
    unit += 1;
  }
  return new Intl.NumberFormat(digitsTag(locale), {
    style: 'unit',
    unit: SIZES[unit] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: size < 10 && unit > 0 ? 1 : 0,
    signDisplay: isChange ? 'exceptZero' : 'auto',
  }).format(bytes < 0 ? -size : size);
}

/** Seconds from a time to a later one; a clock that is ahead gives 0. Both RFC 3339. */
export function secondsFrom(time: string, now: string): number {
  return Math.max(0, Math.floor((Date.parse(now) - Date.parse(time)) / 1_000));
}

/** "80 ms". */
export function formatDuration(ms: number, locale: string): string {
  const unit = { style: 'unit', unit: 'millisecond', unitDisplay: 'short' } as const;
  return new Intl.NumberFormat(digitsTag(locale), unit).format(ms);
}
