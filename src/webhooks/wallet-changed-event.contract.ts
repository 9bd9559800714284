import { EXAMPLE_APPLICATION_ID } from '../applications/applications.contract.js';
import { Contract } from '../platform/web/contract/contract.js';
import { Choice, Constant, Flag, Instant, Nested, Text, Uuid } from '../platform/web/contract/fields.js';
import { Webhook } from '../platform/web/contract/operation.js';
import { TreasuryContract } from '../wallets/treasury/treasury.contract.js';
import {
  CHANGE_STATES,
  CHANGED_BY,
  type ChangedBy,
  type ChangeState,
} from '../wallets/wallet-change.pure.js';

@Contract(
  'WalletChange',
  'A change of a wallet: its removal, or a key that replaces another or is the first.',
)
export class WalletChangeContract {
  @Choice(CHANGE_STATES, {
    about:
      '`pending`: it takes effect at `effectiveAt`, and you can cancel it until then. `applied`: new addresses come from ' +
      'the new key. `cancelled`: the wallet stays as it was.',
    example: 'pending',
  })
  state: ChangeState;

  @Text({ about: 'The family of blockchains.', example: 'evm' })
  family: string;

  @Flag({
    about: 'Whether it is your default wallet, which the application uses, or its own.',
    example: false,
  })
  isDefaultWallet: boolean;

  @Text({
    nullable: true,
    pattern: '^[0-9a-f]{8}$',
    about: 'The fingerprint of the new key or treasury. Null: the wallet is removed.',
    example: '5c1bd648',
  })
  fingerprint: string | null;

  @Text({
    nullable: true,
    pattern: '^[0-9a-f]{8}$',
    about: 'The fingerprint of the key or treasury before; null: the wallet had none.',
    example: '3442193e',
  })
  previousFingerprint: string | null;

  @Nested(() => TreasuryContract, {
    nullable: true,
    about: 'The new treasury. Null: there is a key, or the wallet is removed.',
  })
  treasury: TreasuryContract | null;

  @Instant({ about: 'When it takes effect, or did at the earliest.', example: '2026-01-16T10:20:00Z' })
  effectiveAt: string;

  @Choice(CHANGED_BY, { about: 'Who asked for it: a user who had signed in, or a server.', example: 'user' })
  requestedBy: ChangedBy;
}

@Contract('WalletChangedEvent', 'The wallet that new addresses of the application come from is changed.')
@Webhook({
  id: 'onWalletChanged',
  description:
    'Only if the application lists it in `events`: when a change is requested and waits, when it takes effect, and when ' +
    'it is cancelled. It has no `payment`, and is neither in the feed nor in the delivery log.',
})
export class WalletChangedEvent {
  @Uuid({ about: 'The event. Handle each once.', example: '0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11' })
  id: string;

  @Constant('wallet.changed', { about: 'The name of the event.' })
  event: 'wallet.changed';

  @Instant({ about: 'When it happened.', example: '2026-01-15T10:20:00Z' })
  createdAt: string;

  @Uuid({ about: 'The application that receives the event.', example: EXAMPLE_APPLICATION_ID })
  applicationId: string;

  @Nested(() => WalletChangeContract, { about: 'What has changed, or will.' })
  change: WalletChangeContract;
}
