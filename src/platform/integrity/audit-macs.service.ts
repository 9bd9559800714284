import { Injectable } from '@nestjs/common';
import { Keyring } from '../kernel/keyring.js';
import type { AuditLink, AuditRow } from './audit-chain.pure.js';
import type { AuditAnchor } from './audit-end.pure.js';

/** The MAC of an entry. */
export const ENTRY_MAC = {
  purpose: 'audit entry',
  /** The hash covers all other columns, and the entries before. */
  fieldsOf: ({ seq, hash }: AuditLink) => [String(seq), hash.toString('hex')],
};
/** The MAC of the end. */
export const ANCHOR_MAC = {
  purpose: 'audit anchor',
  fieldsOf: ({ seq, hash, resumedSeq }: Omit<AuditAnchor, 'mac'>) => [
    String(seq),
    hash.toString('hex'),
    String(resumedSeq),
  ],
};

/** Makes and checks the MACs of the audit log (docs/decisions/0505-key-the-audit-log.md). */
@Injectable()
export class AuditMacs {
  constructor(private readonly keyring: Keyring) {}

  ofEntry(entry: AuditLink): string {
    return this.keyring.mac(ENTRY_MAC.purpose, ENTRY_MAC.fieldsOf(entry));
  }

  isOfEntry(entry: AuditLink, mac: string): boolean {
    return this.keyring.isMacOf(ENTRY_MAC.purpose, ENTRY_MAC.fieldsOf(entry), mac);
  }

  sealAnchor(anchor: Omit<AuditAnchor, 'mac'>): AuditAnchor {
    return { ...anchor, mac: this.keyring.mac(ANCHOR_MAC.purpose, ANCHOR_MAC.fieldsOf(anchor)) };
  }

  isAuthentic(anchor: AuditAnchor | null): boolean {
    return (
      anchor !== null && this.keyring.isMacOf(ANCHOR_MAC.purpose, ANCHOR_MAC.fieldsOf(anchor), anchor.mac)
    );
  }

  /** What is wrong with the MAC of an entry, or null. */
  findProblem(row: Pick<AuditRow, 'seq' | 'hash'> & { mac: string }): string | null {
    if (this.isOfEntry(row, row.mac)) return null;
    const [, key = ''] = row.mac.split('.');
    return this.keyring.has(key)
      ? `row ${row.seq} was not written by the gateway`
      : `row ${row.seq} was authenticated with the key "${key}", which APP_KEYS lacks`;
  }
}
