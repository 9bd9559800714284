import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { AddressFamily } from '../chains/chain.pure.js';
import { familyOf } from '../chains/chain-families.pure.js';
import { requiredMessage } from '../platform/web/contract/messages.js';
import type { Draft } from '../platform/web/contract/read-contract.js';
import { ExtendedKeyError } from './extended-public-key.pure.js';
import { COLLECTOR_FACTORY } from './treasury/treasury-address.pure.js';
import { TreasuryChecks } from './treasury/treasury-checks.service.js';
import { readTreasuryAddress, TREASURY_REFUSALS } from './treasury/treasury-input.pure.js';
import { ScriptTypeError } from './utxo-account-key.pure.js';
import type { PutWalletContract } from './wallet.contract.js';
import { WalletKeys } from './wallet-keys.service.js';
import { findTreasury, sourceOfTreasury, type WalletSource } from './wallet-source.pure.js';

const FIELD = 'extendedPublicKey';
/** The chains of the others have no contracts, or (Tron) another way to make one. */
const TREASURY_FAMILY = 'evm';

/** Reads what a wallet is set to: a key, or a treasury. */
@Injectable()
export class WalletInput {
  constructor(
    private readonly keys: WalletKeys,
    private readonly treasuries: TreasuryChecks,
  ) {}

  /** @throws ValidationError with every invalid field; ServiceUnavailableError where a treasury could not be checked */
  async read(family: AddressFamily, draft: Draft<PutWalletContract>): Promise<WalletSource> {
    const source = draft.given.treasury ? this.readTreasury(family, draft) : this.readKey(family, draft);
    draft.finish();
    if (!source) throw new Error('a wallet without a key passed its checks');
    const treasury = findTreasury(source.masked);
    if (treasury) await this.treasuries.require(Buffer.from(treasury.address.slice(2), 'hex'));
    return source;
  }

  /** Null: the key is not valid, and `problems` has the reason, without the key. */
  private readKey(family: AddressFamily, { given, problems }: Draft<PutWalletContract>): WalletSource | null {
    const { extendedPublicKey, scriptType = null } = given;
    const hasScriptTypes = familyOf(family).accounts.scriptTypes !== null;
    if (!hasScriptTypes) refuseScriptType(family, given, problems);
    if (extendedPublicKey === undefined || extendedPublicKey === null) {
      if (problems.has(FIELD) || problems.has('treasury')) return null;
      const choice = family === TREASURY_FAMILY ? ' Give it, or a treasury.' : '';
      problems.add(FIELD, `${requiredMessage(FIELD)}${choice}`);
      return null;
    }
    try {
      return this.keys.read(family, extendedPublicKey, hasScriptTypes ? scriptType : null);
    } catch (error) {
      if (error instanceof ExtendedKeyError) problems.add(FIELD, `The ${FIELD} field ${error.message}.`);
      else if (error instanceof ScriptTypeError)
        problems.add('scriptType', `The scriptType field ${error.message}.`);
      else throw error;
      return null;
    }
  }

  /** Null: as for a key. The namespace is drawn anew: the same treasury may serve many wallets, and no address two. */
  private readTreasury(
    family: AddressFamily,
    { given, problems }: Draft<PutWalletContract>,
  ): WalletSource | null {
    refuseScriptType(family, given, problems);
    if (given.extendedPublicKey || problems.has(FIELD))
      problems.add(
        'treasury',
        `The treasury field and the ${FIELD} field exclude each other. Give one of them.`,
      );
    else if (family !== TREASURY_FAMILY)
      problems.add('treasury', `The treasury field does not apply to ${family} wallets. Give the ${FIELD}.`);
    const read = readTreasuryAddress(given.treasury ?? '');
    if (typeof read === 'string') problems.add('treasury', `The treasury field ${TREASURY_REFUSALS[read]}.`);
    if (typeof read === 'string' || problems.has('treasury')) return null;
    const namespace = randomBytes(16).toString('hex');
    return sourceOfTreasury({
      address: read.address,
      factory: COLLECTOR_FACTORY,
      kind: 'passing',
      namespace,
    });
  }
}

function refuseScriptType(
  family: AddressFamily,
  { scriptType = null }: Draft<PutWalletContract>['given'],
  problems: Draft<PutWalletContract>['problems'],
): void {
  if (scriptType !== null)
    problems.add('scriptType', `The scriptType field does not apply to ${family} wallets. Leave it out.`);
}
