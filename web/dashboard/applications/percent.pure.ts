/** Hundredths of a percent as people write them: 9550 is "95.5". */
export function percentOf(bps: number): string {
  const text = String(bps).padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`.replace(/\.?0+$/, '') || '0';
}

/** {@link percentOf} backwards, with either decimal mark; -1: no such number, which the gateway refuses by name. */
export function bpsOf(percent: string): number {
  const [, whole, fraction = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(percent.trim()) ?? [];
  return whole === undefined ? -1 : Number(whole + fraction.padEnd(2, '0'));
}
