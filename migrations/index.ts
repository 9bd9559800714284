import { Baseline1795996801000 } from './0001-baseline.js';

/** Every migration, in order. A released one is never edited (migrations/README.md). */
export const migrations = [Baseline1795996801000];
