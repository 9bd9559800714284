import { Baseline1795910401000 } from './0001-baseline.js';

/** Every migration, in order. A released one is never edited (migrations/README.md). */
export const migrations = [Baseline1795910401000];
