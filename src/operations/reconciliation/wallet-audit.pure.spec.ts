import type { RecordedChoice, RecordedWallet } from '../../wallets/wallet-records.service.js';
import { auditWallets, type WalletEntry } from './wallet-audit.pure.js';

const OWNER = { userId: 'u1', applicationId: 'a1' };
const NOW = new Date('2026-01-01T00:00:00Z');

const recorded = (changes: Partial<RecordedWallet> = {}): RecordedWallet => ({
  id: 'w1',
  ...OWNER,
  family: 'evm',
  fingerprint: '0000000a',
  retiredAt: null,
  isAuthentic: true,
  ...changes,
});
const activated = (changes: Partial<WalletEntry> = {}): WalletEntry => ({
  act: 'wallet.activated',
  walletId: 'w1',
  ...OWNER,
  family: 'evm',
  fingerprint: '0000000a',
  ...changes,
});
const removed: WalletEntry = { ...activated(), act: 'wallet.removed', fingerprint: null };
const choice = (
  wallets: RecordedChoice['wallets'],
  changes: Partial<RecordedChoice> = {},
): RecordedChoice => ({
  ...OWNER,
  wallets,
  isAuthentic: true,
  ...changes,
});
const OTHER_KEY = 'evm key 0000000b of user u1, application a1';
const KEY = 'evm key 0000000a of user u1, application a1';
const RETIRED = recorded({ retiredAt: NOW });
const NEXT = recorded({ id: 'w2', fingerprint: '0000000b' });
const NEXT_ENTRY = activated({ walletId: 'w2', fingerprint: '0000000b' });

type Case = [string, RecordedWallet[], RecordedChoice[], WalletEntry[], [string, string, string][]];

describe('auditWallets', () => {
  it.each<Case>([
    ['nothing', [], [], [], []],
    ['an active wallet', [recorded()], [choice({ evm: 'w1' })], [activated()], []],
    ['a removed wallet', [RETIRED], [choice({})], [activated(), removed], []],
    ['a replaced wallet', [RETIRED, NEXT], [choice({ evm: 'w2' })], [activated(), NEXT_ENTRY], []],
    [
      'a key that came back',
      [recorded(), { ...NEXT, retiredAt: NOW }],
      [choice({ evm: 'w1' })],
      [activated(), NEXT_ENTRY, activated()],
      [],
    ],
    [
      'wallets of two families',
      [recorded(), recorded({ id: 'w2', family: 'tron' })],
      [choice({ tron: 'w2', evm: 'w1' })],
      [activated(), activated({ walletId: 'w2', family: 'tron' })],
      [],
    ],
    [
      'the operator, without a statement',
      [recorded({ userId: null, applicationId: null })],
      [],
      [activated({ userId: null, applicationId: null })],
      [],
    ],
    [
      'a wallet without a valid MAC',
      [recorded({ isAuthentic: false })],
      [],
      [activated()],
      [['evm wallet w1', 'as the gateway wrote it', 'without a valid MAC']],
    ],
    [
      'a wallet without an activation',
      [recorded()],
      [],
      [],
      [['evm wallet w1', 'an activation in the audit log', 'none']],
    ],
    [
      'a removal without an activation',
      [RETIRED],
      [],
      [removed],
      [['evm wallet w1', 'an activation in the audit log', 'none']],
    ],
    [
      'another owner',
      [recorded({ userId: 'u2', applicationId: null })],
      [],
      [activated()],
      [['evm wallet w1', KEY, 'evm key 0000000a of user u2']],
    ],
    [
      'another family',
      [recorded({ family: 'tron' })],
      [],
      [activated()],
      [['tron wallet w1', KEY, 'tron key 0000000a of user u1, application a1']],
    ],
    [
      'another key',
      [recorded({ fingerprint: '0000000b' })],
      [],
      [activated()],
      [['evm wallet w1', KEY, OTHER_KEY]],
    ],
    ['a wallet retired unseen', [RETIRED], [], [activated()], [['evm wallet w1', 'active', 'retired']]],
    [
      'a wallet revived unseen',
      [recorded()],
      [],
      [activated(), removed],
      [['evm wallet w1', 'retired', 'active']],
    ],
    ['a wallet that is gone', [], [], [activated()], [['evm wallet w1', KEY, 'no wallet']]],
    [
      'a missing statement',
      [],
      [choice(null, { isAuthentic: false })],
      [],
      [['wallet choice of application a1', 'a statement which wallets are active', 'none']],
    ],
    [
      'a statement without a valid MAC',
      [],
      [choice({}, { applicationId: null, isAuthentic: false })],
      [],
      [['wallet choice of user u1', 'as the gateway wrote it', 'without a valid MAC']],
    ],
    [
      'a statement that names a replaced wallet',
      [RETIRED, NEXT],
      [choice({ evm: 'w1' })],
      [activated(), NEXT_ENTRY],
      [['wallet choice of application a1', 'evm w2', 'evm w1']],
    ],
    [
      'a statement that names none',
      [recorded()],
      [choice({})],
      [activated()],
      [['wallet choice of application a1', 'evm w1', 'no wallet']],
    ],
  ])('%s', (_what, wallets, choices, entries, expected) => {
    const found = auditWallets(wallets, choices, entries);
    expect(found.map(({ subject, expected: wanted, found: is }) => [subject, wanted, is])).toEqual(expected);
    expect(found.every(({ check }) => check === 'wallet')).toBe(true);
  });
});
