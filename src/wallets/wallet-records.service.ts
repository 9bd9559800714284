import { Injectable } from '@nestjs/common';
import { WALLET, WALLET_CHANGE, WALLET_CHOICE } from './wallet-authentication.pure.js';
import { WalletAuthenticator } from './wallet-authenticator.service.js';
import type { WalletChangeEntity } from './wallet-change.entity.js';
import type { ChangeState } from './wallet-change.pure.js';
import { WalletChangeRepository } from './wallet-change.repository.js';
import type { WalletChoiceEntity } from './wallet-choice.entity.js';
import { WalletChoiceRepository } from './wallet-choice.repository.js';
import type { WalletEntity } from './wallet.entity.js';
import { WalletRepository } from './wallet.repository.js';

/** A wallet as it is compared with the audit log. */
export type RecordedWallet = Pick<
  WalletEntity,
  'id' | 'applicationId' | 'userId' | 'family' | 'fingerprint' | 'retiredAt'
> & { isAuthentic: boolean };

/** The statement which wallets of an owner are active; null: it is missing. */
export interface RecordedChoice extends Pick<WalletChoiceEntity, 'applicationId' | 'userId'> {
  wallets: WalletChoiceEntity['wallets'] | null;
  isAuthentic: boolean;
}

export interface RecordedChange extends Pick<WalletChangeEntity, 'id' | 'family'> {
  state: ChangeState;
  isAuthentic: boolean;
}

const BATCH = 1_000;
const NIL = '00000000-0000-0000-0000-000000000000';

/** Reads all wallets, their changes, and which are active, whether they are as they were written or not. */
@Injectable()
export class WalletRecords {
  constructor(
    private readonly wallets: WalletRepository,
    private readonly choices: WalletChoiceRepository,
    private readonly changes: WalletChangeRepository,
    private readonly rows: WalletAuthenticator,
  ) {}

  /** By id. */
  async listWallets(): Promise<RecordedWallet[]> {
    const all = await readAll((after) => this.wallets.listAfter(after, BATCH));
    return all.map((wallet) => {
      const { id, applicationId, userId, family, fingerprint, retiredAt } = wallet;
      const isAuthentic = this.rows.isAuthentic(WALLET, wallet);
      return { id, applicationId, userId, family, fingerprint, retiredAt, isAuthentic };
    });
  }

  async listChanges(): Promise<RecordedChange[]> {
    const all = await readAll((after) => this.changes.listAfter(after, BATCH));
    return all.map((change) => {
      const { id, family, appliedAt, cancelledAt } = change;
      const state = appliedAt ? 'applied' : cancelledAt ? 'cancelled' : 'pending';
      return { id, family, state, isAuthentic: this.rows.isAuthentic(WALLET_CHANGE, change) };
    });
  }

  async listChoices(): Promise<RecordedChoice[]> {
    const all = await readAll((after) => this.choices.listAfter(after, BATCH));
    const missing = await this.choices.listOwnersWithout();
    return [
      ...all.map((choice) => {
        const { applicationId, userId, wallets } = choice;
        return { applicationId, userId, wallets, isAuthentic: this.rows.isAuthentic(WALLET_CHOICE, choice) };
      }),
      ...missing.map((owner) => ({ ...owner, wallets: null, isAuthentic: false })),
    ];
  }
}

async function readAll<Row extends { id: string }>(read: (after: string) => Promise<Row[]>): Promise<Row[]> {
  const all: Row[] = [];
  for (let batch = await read(NIL); batch.length > 0; batch = await read(all.at(-1)?.id ?? NIL))
    all.push(...batch);
  return all;
}
