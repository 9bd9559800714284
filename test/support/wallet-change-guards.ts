import { CHANGE, copy } from './guarded-rows.js';

/** What Postgres refuses about changes of wallets that wait. */
export const WALLET_CHANGES_REFUSED: [what: string, statement: string, guard: string][] = [
  ['a deleted change of a wallet', 'delete from wallet_changes', 'wallet_changes is append-only'],
  [
    'a change of a wallet that takes effect earlier',
    'update wallet_changes set effective_at = requested_at',
    'what was requested, and how it ended, is immutable',
  ],
  [
    'another key in a change of a wallet',
    `update wallet_changes set sealed_key = 'other'`,
    'what was requested, and how it ended, is immutable',
  ],
  [
    'a change of a wallet that is cancelled and waits again',
    `update wallet_changes set cancelled_at = now(), sealed_key = null;
     update wallet_changes set cancelled_at = null, sealed_key = 'sealed'`,
    'what was requested, and how it ended, is immutable',
  ],
  [
    'a change of a wallet that is applied before its time',
    `update wallet_changes set applied_at = requested_at, sealed_key = null`,
    'wallet_changes_check',
  ],
  [
    'a change of a wallet without a key',
    'update wallet_changes set sealed_key = null',
    'wallet_changes_check',
  ],
  ['two pending changes of a wallet', copy('wallet_changes', CHANGE, {}), 'wallet_changes_one_pending'],
];

export const WALLET_CHANGES_ALLOWED: [what: string, statement: string][] = [
  [
    'a change of a wallet that was applied, and its MAC under another key',
    `update wallet_changes set applied_at = now(), sealed_key = null, mac = 'm1.k.y';
     set local gateway.resealing = 'on'; update wallet_changes set mac = 'm1.l.y'`,
  ],
];
