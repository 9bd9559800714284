import { DatabaseThief, type Statement } from './database-thief.js';

/** Ids that a manipulation works on. */
export interface WalletScene {
  /** The victim. */
  userId: string;
  applicationId: string;
  /** The wallet that the victim's payments use, and one that was replaced before. */
  activeId: string;
  retiredId: string;
  /** The victim's default wallet, which payments would fall back to. */
  defaultId: string;
  /** The active wallet of a thief who is a merchant here. */
  thiefWalletId: string;
  thiefUserId: string;
  thiefApplicationId: string;
}

/** A change of wallets by SQL, and what `verify` names because of it. */
export interface WalletManipulation {
  what: string;
  statements: (scene: WalletScene) => Statement[];
  /** The subject of a difference of the check `wallet`. */
  named: (scene: WalletScene) => string;
}

/** The id of a row that no gateway made. */
const FORGED = '00000000-0000-7000-8000-00000000f0f0';

const active = ({ activeId }: WalletScene) => `evm wallet ${activeId}`;
const retired = ({ retiredId }: WalletScene) => `evm wallet ${retiredId}`;
const thieves = ({ thiefWalletId }: WalletScene) => `evm wallet ${thiefWalletId}`;
const ownChoice = ({ applicationId }: WalletScene) => `wallet choice of application ${applicationId}`;
const accountChoice = ({ userId }: WalletScene) => `wallet choice of user ${userId}`;

const RETIRE = 'update wallets set retired_at = now() where id = $1';
const COPY_MAC = 'update wallets set mac = (select mac from wallets where id = $2) where id = $1';
const CHOOSE = `update wallet_choices set wallets = jsonb_build_object('evm', $2::text) where application_id = $1`;

/** After each of these a new address would come from elsewhere, if nothing were authenticated. */
export const WALLET_MANIPULATIONS: readonly WalletManipulation[] = [
  {
    what: "the victim's wallet is retired and the thief's wallet is given to the victim",
    statements: ({ activeId, thiefWalletId, applicationId, userId }) => [
      [RETIRE, [activeId]],
      [
        'update wallets set application_id = $2, user_id = $3 where id = $1',
        [thiefWalletId, applicationId, userId],
      ],
    ],
    named: thieves,
  },
  {
    what: "the victim's wallet is retired, so that the default wallet would be used",
    statements: ({ activeId }) => [[RETIRE, [activeId]]],
    named: active,
  },
  {
    what: "the victim's wallets are retired, and the statements say that there are none",
    statements: ({ activeId, defaultId, userId }) => [
      [RETIRE, [activeId]],
      [RETIRE, [defaultId]],
      [`update wallet_choices set wallets = '{}' where user_id = $1`, [userId]],
    ],
    named: ownChoice,
  },
  {
    what: "the victim's wallet is given to another owner",
    statements: ({ activeId }) => [
      [`update wallets set application_id = null, user_id = 'no such user' where id = $1`, [activeId]],
    ],
    named: active,
  },
  {
    what: "the victim's wallet is moved to another family",
    statements: ({ activeId }) => [[`update wallets set family = 'tron' where id = $1`, [activeId]]],
    named: ({ activeId }) => `tron wallet ${activeId}`,
  },
  {
    what: "the victim's wallet is deleted",
    statements: ({ activeId }) => [['delete from wallets where id = $1', [activeId]]],
    named: active,
  },
  {
    what: 'a key that was replaced is made active again',
    statements: ({ activeId, retiredId }) => [
      [RETIRE, [activeId]],
      ['update wallets set retired_at = null where id = $1', [retiredId]],
    ],
    named: retired,
  },
  {
    what: 'a key that was replaced is made active again, with the MACs of the two wallets exchanged',
    statements: ({ activeId, retiredId, applicationId }) => [
      [COPY_MAC, [retiredId, activeId]],
      [RETIRE, [activeId]],
      ['update wallets set retired_at = null where id = $1', [retiredId]],
      [CHOOSE, [applicationId, retiredId]],
    ],
    named: retired,
  },
  {
    what: "the statement names the thief's wallet",
    statements: ({ applicationId, thiefWalletId }) => [[CHOOSE, [applicationId, thiefWalletId]]],
    named: ownChoice,
  },
  {
    what: 'the statement names no wallet',
    statements: ({ applicationId }) => [
      [`update wallet_choices set wallets = '{}' where application_id = $1`, [applicationId]],
    ],
    named: ownChoice,
  },
  {
    what: "the statement is the thief's, moved to the victim",
    statements: ({ applicationId, userId, thiefApplicationId }) => [
      ['delete from wallet_choices where application_id = $1', [applicationId]],
      [
        'update wallet_choices set application_id = $1, user_id = $2 where application_id = $3',
        [applicationId, userId, thiefApplicationId],
      ],
    ],
    named: ownChoice,
  },
  {
    what: 'the statement is deleted',
    statements: ({ applicationId }) => [
      ['delete from wallet_choices where application_id = $1', [applicationId]],
    ],
    named: ownChoice,
  },
  {
    what: "the statement of the victim's account is deleted",
    statements: ({ userId }) => [
      ['delete from wallet_choices where user_id = $1 and application_id is null', [userId]],
    ],
    named: accountChoice,
  },
  {
    what: "the key is replaced by the thief's, encrypted as the gateway has encrypted it",
    statements: ({ activeId, thiefWalletId }) => [
      [
        `update wallets set (sealed_extended_public_key, key_hash, masked_key, fingerprint) =
           (select sealed_extended_public_key, sha256(key_hash), masked_key, fingerprint from wallets where id = $2)
         where id = $1`,
        [activeId, thiefWalletId],
      ],
    ],
    named: active,
  },
  {
    what: 'the script type is changed',
    statements: ({ activeId }) => [[`update wallets set script_type = 'p2wpkh' where id = $1`, [activeId]]],
    named: active,
  },
  {
    what: 'the shown key is changed',
    statements: ({ activeId }) => [[`update wallets set masked_key = 'xpub…' where id = $1`, [activeId]]],
    named: active,
  },
  {
    what: 'a wallet is inserted by hand and chosen',
    statements: ({ activeId, thiefWalletId, applicationId, userId }) => [
      [RETIRE, [activeId]],
      [
        `insert into wallets select (jsonb_populate_record(w, jsonb_build_object('id', $2::text,
           'application_id', $3::text, 'user_id', $4::text, 'key_hash', sha256('other')))).*
         from wallets w where w.id = $1`,
        [thiefWalletId, FORGED, applicationId, userId],
      ],
      [CHOOSE, [applicationId, FORGED]],
    ],
    named: () => `evm wallet ${FORGED}`,
  },
  {
    what: 'a MAC is removed',
    statements: ({ activeId }) => [[`update wallets set mac = 'm1..' where id = $1`, [activeId]]],
    named: active,
  },
];

/** The address of an open payment, and what the thief has. */
export interface AddressScene {
  /** The payment whose address is changed, and its row. */
  paymentId: string;
  addressId: string;
  /** Another payment's row. */
  otherAddressId: string;
  /** An address of the thief, and where it comes from. */
  thief: { walletId: string; userId: string; paymentId: string; index: number; key: Buffer; address: string };
}

export interface AddressManipulation {
  what: string;
  statements: (scene: AddressScene) => Statement[];
  /** Whether the row has the thief's address now; else it has its own. */
  isRedirected: boolean;
  /** The payment that `verify` names. */
  named?: (scene: AddressScene) => string;
}

const REDIRECT = `
  update deposit_addresses set wallet_id = $2, derivation_index = $3, key = $4, address = $5 where id = $1`;
const redirect = ({ addressId, thief }: AddressScene): Statement => [
  REDIRECT,
  [addressId, thief.walletId, thief.index, thief.key, thief.address],
];

export const ADDRESS_MANIPULATIONS: readonly AddressManipulation[] = [
  {
    what: "wallet, index, key and address are the thief's",
    statements: (scene) => [redirect(scene)],
    isRedirected: true,
  },
  {
    what: "wallet, index, key, address and user are the thief's",
    statements: (scene) => [
      redirect(scene),
      ['update deposit_addresses set user_id = $2 where id = $1', [scene.addressId, scene.thief.userId]],
    ],
    isRedirected: true,
  },
  {
    what: "wallet, index, key and address are the thief's, and the wallet is said to be the operator's",
    statements: (scene) => [
      redirect(scene),
      ['update wallets set retired_at = now() where user_id is null and retired_at is null'],
      ['update wallets set application_id = null, user_id = null where id = $1', [scene.thief.walletId]],
    ],
    isRedirected: true,
  },
  {
    what: 'the row has the MAC of another row',
    statements: ({ addressId, otherAddressId }) => [
      [
        'update deposit_addresses set mac = (select mac from deposit_addresses where id = $2) where id = $1',
        [addressId, otherAddressId],
      ],
    ],
    isRedirected: false,
  },
  {
    what: 'the row is removed, and one inserted by hand takes its place',
    statements: ({ addressId, thief }) => [
      [
        `with removed as (delete from deposit_addresses where id = $1 returning *)
         insert into deposit_addresses select (jsonb_populate_record(null::deposit_addresses, to_jsonb(d) || jsonb_build_object(
           'id', $2::text, 'wallet_id', $3::text, 'derivation_index', $4::int, 'key', $5::bytea,
           'address', $6::text))).*
         from removed d`,
        [addressId, FORGED, thief.walletId, thief.index, thief.key, thief.address],
      ],
    ],
    isRedirected: true,
  },
  {
    what: "the address is moved to the thief's payment",
    statements: ({ addressId, thief }) => [
      [
        'update deposit_addresses set payment_id = $2, user_id = $3 where id = $1',
        [addressId, thief.paymentId, thief.userId],
      ],
    ],
    isRedirected: false,
    named: ({ thief }) => thief.paymentId,
  },
];

/** Puts earlier rows of the wallets back, with the MACs that they had: those are valid. */
export function replay(copies: readonly ['wallets' | 'wallet_choices', object][]): Statement[] {
  return copies.flatMap(([table, copy]) => DatabaseThief.restore(table, copy));
}
