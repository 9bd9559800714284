import { Injectable } from '@nestjs/common';
import { CHAIN_CATALOG } from '../../chains/chain-catalog.pure.js';
import { ChainsService } from '../../chains/chains.service.js';
import { ServiceUnavailableError, ValidationError } from '../../platform/kernel/errors/errors.pure.js';
import { DepositAddressRepository } from '../deposit-address.repository.js';
import { describePresence, tokenAt } from './treasury-presence.pure.js';

const FIELD = 'treasury';
/** A node that is away is so for longer than the usual seconds. */
const RETRY_AFTER_SECONDS = 60;

/** Whether an address can take what is collected on every chain, as far as this gateway can know. */
@Injectable()
export class TreasuryChecks {
  constructor(
    private readonly chains: ChainsService,
    private readonly addresses: DepositAddressRepository,
  ) {}

  /**
   * @param key 20 bytes
   * @throws ValidationError with the reason; ServiceUnavailableError where a node that has to be asked does not answer
   */
  async require(key: Buffer): Promise<void> {
    const token = tokenAt(key, [...this.chains.list(), ...CHAIN_CATALOG]);
    if (token) throw refusal(`must be an address of yours: this one is the contract of ${token}`);
    if ((await this.addresses.findByKeys('evm', [key])).length > 0)
      throw refusal('must be an address of your wallet: this one was made by this gateway for a payment');
    const { problem, unknown } = describePresence(await this.chains.findPresence(key));
    if (problem !== null) throw refusal(problem);
    if (unknown.length > 0)
      throw new ServiceUnavailableError(
        `The ${FIELD} could not be checked on ${unknown.join(', ')}: no node answers, so that a contract which is not ` +
          'there too cannot be told from a wallet. Nothing was changed; try again when the node answers, or set an ' +
          'extended public key.',
        RETRY_AFTER_SECONDS,
      );
  }
}

const refusal = (problem: string) => ValidationError.of(FIELD, `The ${FIELD} field ${problem}.`);
