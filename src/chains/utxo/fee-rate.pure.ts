import { DecimalError, parseRate, pow10 } from '../../money/money.js';
import { JsonFloat } from '../../platform/kernel/exact-json.pure.js';

/** How nodes state fees: coins for 1,000 virtual bytes, or smallest units for one. */
export type FeeUnit = 'coins-for-1000' | 'units-for-1';

/** The coins of all chains here have 8 places, so a coin for 1,000 bytes is 10^5 smallest units for one. */
const SHIFT: Readonly<Record<FeeUnit, number>> = { 'coins-for-1000': 5, 'units-for-1': 0 };

/**
 * Smallest units for a virtual byte, rounded up.
 * @param value a number of a document that was read without loss; null for anything else, and where it is not above zero
 */
export function perByte(value: unknown, unit: FeeUnit): bigint | null {
  if (!(value instanceof JsonFloat) && typeof value !== 'number') return null;
  try {
    const { digits, scale } = parseRate(value instanceof JsonFloat ? value.text : String(value));
    const units = digits * pow10(SHIFT[unit]);
    return (units + pow10(scale) - 1n) / pow10(scale);
  } catch (error) {
    // Older nodes say -1 where they have no estimate.
    if (error instanceof DecimalError) return null;
    throw error;
  }
}
