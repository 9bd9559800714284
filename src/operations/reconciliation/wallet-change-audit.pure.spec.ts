import type { ChangeState } from '../../wallets/wallet-change.pure.js';
import type { RecordedChange } from '../../wallets/wallet-records.service.js';
import { auditWalletChanges, type WalletChangeEntry } from './wallet-change-audit.pure.js';

const change = (state: ChangeState, isAuthentic = true): RecordedChange => ({
  id: 'c1',
  family: 'evm',
  state,
  isAuthentic,
});
const entry = (act: WalletChangeEntry['act']): WalletChangeEntry => ({ act, changeId: 'c1', family: 'evm' });
const REQUESTED = entry('wallet.change_requested');
const APPLIED = entry('wallet.change_applied');
const CANCELLED = entry('wallet.change_cancelled');

type Case = [string, RecordedChange[], WalletChangeEntry[], [expected: string, found: string][]];

describe('auditWalletChanges', () => {
  it.each<Case>([
    ['nothing', [], [], []],
    ['a pending change', [change('pending')], [REQUESTED], []],
    ['an applied change', [change('applied')], [REQUESTED, APPLIED], []],
    ['a cancelled change', [change('cancelled')], [REQUESTED, CANCELLED], []],
    ['a change that was applied at once', [change('applied')], [], []],
    ['a pending change without a request', [change('pending')], [], [['applied', 'pending']]],
    [
      'a cancelled change that is pending again',
      [change('pending')],
      [REQUESTED, CANCELLED],
      [['cancelled', 'pending']],
    ],
    ['an applied change that waits', [change('pending')], [REQUESTED, APPLIED], [['applied', 'pending']]],
    ['a change that disappeared', [], [REQUESTED], [['pending', 'no change']]],
    [
      'a change with another content',
      [change('pending', false)],
      [REQUESTED],
      [['as the gateway wrote it', 'without a valid MAC']],
    ],
  ])('%s', (_case, changes, entries, expected) => {
    const subject = 'evm wallet change c1';
    expect(auditWalletChanges(changes, entries)).toEqual(
      expected.map(([wanted, found]) => ({
        check: 'wallet',
        chain: null,
        paymentId: null,
        subject,
        expected: wanted,
        found,
      })),
    );
  });
});
