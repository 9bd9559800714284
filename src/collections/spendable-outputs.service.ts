import { Injectable } from '@nestjs/common';
import type { Chain } from '../chains/chain.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import type { OutputReader, OutputState } from '../chains/output-reader.pure.js';
import { ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { NEWEST } from '../platform/web/http/keyset-cursor.pure.js';
import { stepsOf } from '../wallets/account-path.pure.js';
import { DepositAddressesService, type KeyPlace } from '../wallets/deposit-addresses.service.js';
import { readDestination, refused } from './destination.pure.js';
import type { LeftOutReason } from './left-out.pure.js';
import { claimOf, isOutputOf, reasonBefore, voutOf } from './output-claims.pure.js';
import { type GatheredInput, needsPrevious } from './psbt.pure.js';
import { ReceivedRepository, type ReceivedOutput } from './received.repository.js';

/** A received output with the place of its key. */
interface Found extends ReceivedOutput {
  place: SpendPlace;
}
type SpendPlace = KeyPlace & { publicKey: Uint8Array; accountPath: string };
/** What a transaction can spend. */
export type SpendableInput = GatheredInput & { found: Found };
export interface LeftOutput {
  output: ReceivedOutput;
  place: KeyPlace | undefined;
  reason: LeftOutReason;
}

/** What received outputs can be spent now, as the node says, and where their keys are. */
@Injectable()
export class SpendableOutputs {
  constructor(
    private readonly chains: ChainsService,
    private readonly received: ReceivedRepository,
    private readonly addresses: DepositAddressesService,
  ) {}

  /** Of the newest outputs of an application, as many as one request may ask for. */
  async newestInputs(
    owner: { userId: string; applicationId: string },
    chain: Chain,
    reader: OutputReader,
  ): Promise<SpendableInput[]> {
    const page = { ...owner, chain: chain.slug, limit: reader.most };
    const outputs = await this.received.listOutputs(page, NEWEST);
    return (await this.inputsOf(outputs, chain, reader)).inputs;
  }

  /** What arrives on a deposit address would be a payment. */
  async readTarget(chain: Chain, text: string, field: string): Promise<Buffer> {
    const { key } = readDestination(chain, text, field);
    if ((await this.addresses.match(chain.family, [key])).length > 0)
      throw refused(field, 'must not be an address on which payments are received');
    return key;
  }

  /** Asks the node for each of them. */
  async inputsOf(
    outputs: readonly ReceivedOutput[],
    chain: Chain,
    reader: OutputReader,
  ): Promise<{ inputs: SpendableInput[]; leftOut: LeftOutput[] }> {
    const leftOut: LeftOutput[] = [];
    const places = await this.addresses.locateKeys([
      ...new Set(outputs.map(({ depositAddressId }) => depositAddressId)),
    ]);
    const newest = await this.newestOf(chain, outputs);
    const found = outputs.flatMap((output): Found[] => {
      const place = places.get(output.depositAddressId);
      const reason =
        reasonBefore(output, newest, chain.coinbaseConfirmations) ??
        (isSpendable(place) ? null : 'key_unavailable');
      if (reason === null && isSpendable(place)) return [{ ...output, place }];
      leftOut.push({ output, place, reason: reason ?? 'key_unavailable' });
      return [];
    });
    const states = await reader.states(found.map(claimOf));
    const unspent = found.filter((output, i) => {
      const state: OutputState = states[i] ?? 'unread';
      if (state !== 'unspent') leftOut.push({ output, place: output.place, reason: state });
      return state === 'unspent';
    });
    const previous = await reader.previous(unspent.map(claimOf));
    const inputs = unspent.flatMap((output, i): SpendableInput[] => {
      const input = toInput(output, previous[i] ?? null);
      const reason = isOutputOf(input, chain.family)
        ? needsPrevious(input.script) && input.previous === null
          ? 'previous_missing'
          : null
        : 'unknown';
      if (reason !== null) leftOut.push({ output, place: output.place, reason });
      return reason === null ? [{ ...input, found: output }] : [];
    });
    return { inputs, leftOut };
  }

  /** The height of the newest block, which only newly mined coins are counted from; null: not needed, or not known. */
  private async newestOf({ slug }: Chain, outputs: readonly ReceivedOutput[]): Promise<number | null> {
    if (outputs.every(({ inputs }) => inputs !== null)) return null;
    return this.chains
      .adapter(slug)
      .tip()
      .then(
        ({ height }) => height,
        () => null,
      );
  }
}

function isSpendable(place: KeyPlace | undefined): place is SpendPlace {
  return place !== undefined && place.publicKey !== null && place.accountPath !== null;
}

/** Smallest units for each virtual byte, as the node says. @throws ValidationError */
export async function estimatedFeeRate({ name }: Chain, reader: OutputReader): Promise<bigint> {
  const rate = await reader.feeRate();
  if (rate !== null) return rate;
  throw ValidationError.of('feeRate', `The feeRate field is required: the node of ${name} has no estimate.`);
}

function toInput({ txHash, ordinal, amount, place }: Found, previous: Buffer | null): GatheredInput {
  const { key, publicKey, masterFingerprint, keyFingerprint, accountPath, derivationIndex } = place;
  const below = [0, derivationIndex];
  const origin =
    masterFingerprint === null
      ? { fingerprint: Number.parseInt(keyFingerprint, 16), path: below }
      : { fingerprint: Number.parseInt(masterFingerprint, 16), path: [...stepsOf(accountPath), ...below] };
  return { txHash, vout: voutOf(ordinal), amount, script: key, publicKey, origin, previous };
}
