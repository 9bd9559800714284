import { Baseline1795224000001 } from './0001-baseline.js';

/** Every migration, in order. A released one is never edited (migrations/README.md). */
export const migrations = [Baseline1795224000001];
