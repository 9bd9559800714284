import { Baseline1795224000001 } from './0001-baseline.js';
import { WalletChanges1795310405000 } from './0005-wallet-changes.js';

/** Every migration, in order. A released one is never edited (migrations/README.md). */
export const migrations = [Baseline1795224000001, WalletChanges1795310405000];
