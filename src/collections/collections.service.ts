import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import type { AccountReader } from '../chains/account-reader.pure.js';
import { groupedBy } from '../chains/chain-auditor.pure.js';
import { CHAIN_CATALOG } from '../chains/chain-catalog.pure.js';
import { chainMessage } from '../chains/chain-selection.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { familyOf } from '../chains/chain-families.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import type { OutputReader } from '../chains/output-reader.pure.js';
import { derivationOf } from '../checkout/payment-addresses.service.js';
import { getCurrency } from '../money/currencies.js';
import { presentAmount } from '../money/present-amount.js';
import { ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { selectionMessage } from '../platform/web/contract/selection-message.pure.js';
import type { Draft } from '../platform/web/contract/read-contract.js';
import { Cursors } from '../platform/web/cursors/cursors.service.js';
import { AtOnce } from '../platform/web/rate-limiting/at-once.js';
import { formatPlace, type Place } from '../platform/web/http/keyset-cursor.pure.js';
import type {
  CollectionContract,
  CollectionPsbtContract,
  LeftOutContract,
  PrepareCollectionContract,
} from './collection.contract.js';
import { type GatheringTerms, planGathering, toPsbt } from './psbt.pure.js';
import { ReceivedRepository } from './received.repository.js';
import {
  estimatedFeeRate,
  type LeftOutput,
  type SpendableInput,
  SpendableOutputs,
} from './spendable-outputs.service.js';
import { TreasuryCollections, type TreasuryTerms } from './treasury-collections.service.js';

/** Each asks a node hundreds of questions, which the watcher asks, too. */
const AT_ONCE = { name: 'collections', perUser: 2, total: 10, retryAfter: 5 };

type Source =
  | { kind: 'outputs'; chain: Chain; reader: OutputReader }
  | { kind: 'accounts'; chain: Chain; reader: AccountReader };
type Request =
  | (Extract<Source, { kind: 'outputs' }> & { terms: GatheringTerms })
  | (Extract<Source, { kind: 'accounts' }> & { terms: TreasuryTerms });
/**
 * Prepares transactions that gather what the deposit addresses of an application have received, and never signs. What is
 * there is what the node says now: nothing is stored (docs/decisions/0894-gather-with-one-psbt.md).
 */
@Injectable()
export class CollectionsService {
  private readonly atOnce = new AtOnce(AT_ONCE);

  constructor(
    private readonly applications: ApplicationsService,
    private readonly chains: ChainsService,
    private readonly received: ReceivedRepository,
    private readonly spendable: SpendableOutputs,
    private readonly treasuries: TreasuryCollections,
    private readonly cursors: Cursors,
  ) {}

  /** @throws NotFoundError for a foreign application, ValidationError, TooManyRequestsError, ServiceUnavailableError */
  async prepare(
    userId: string,
    applicationId: string,
    draft: Draft<PrepareCollectionContract>,
    after: Place,
  ): Promise<CollectionContract> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    return this.atOnce.run(userId, () => this.prepareOf(userId, id, draft, after));
  }

  private async prepareOf(
    userId: string,
    applicationId: string,
    draft: Draft<PrepareCollectionContract>,
    after: Place,
  ): Promise<CollectionContract> {
    const request = await this.readRequest(draft);
    const { chain, reader } = request;
    const page = { userId, applicationId, chain: chain.slug, limit: reader.most + 1 };
    if (request.kind === 'accounts') {
      const rows = await this.received.listPaid(page, after);
      const paid = rows.slice(0, reader.most);
      const prepared = await this.treasuries.of(chain, request.reader, paid, request.terms);
      return { psbts: [], ...prepared, next: this.placeAfter(rows, reader.most) };
    }
    const rows = await this.received.listOutputs(page, after);
    const outputs = rows.slice(0, reader.most);
    const { inputs, leftOut } = await this.spendable.inputsOf(outputs, chain, request.reader);
    return this.present(chain, inputs, leftOut, request.terms, this.placeAfter(rows, reader.most));
  }

  /** Null: there are no more. */
  private placeAfter(rows: readonly { id: string; seenAt: Date }[], limit: number): string | null {
    const last = rows[limit - 1];
    return last && rows.length > limit
      ? this.cursors.seal(formatPlace({ at: last.seenAt, id: last.id }))
      : null;
  }

  /** @throws ValidationError with every wrong field */
  private async readRequest(draft: Draft<PrepareCollectionContract>): Promise<Request> {
    const { given, problems } = draft;
    const place = await problems.collect(() =>
      given.blockchain === undefined ? null : this.readBlockchain(given.blockchain),
    );
    if (place?.kind === 'accounts') {
      const { chain, reader } = place;
      const { coins = null, minimum = 0n } = given;
      refuseGiven(
        draft,
        ['destination', 'feeRate'],
        `on ${chain.name}: the addresses pay their treasury only, and the sender chooses the fee`,
      );
      const codes = chain.assets.map(({ currencyCode }) => currencyCode);
      const foreign = coins?.find((code) => !codes.includes(code));
      if (foreign !== undefined)
        problems.add('coins', selectionMessage('coins', foreign, { allowed: codes }));
      draft.finish();
      return { kind: 'accounts', chain, reader, terms: { coins, minimum } };
    }
    if (place)
      refuseGiven(
        draft,
        ['coins', 'minimum'],
        `on ${place.chain.name}, which has one coin: the fee rate decides what is left out`,
      );
    if (place && given.destination === undefined && !problems.has('destination'))
      problems.add('destination', 'The destination field is required.');
    const destination = await problems.collect(() =>
      place === null || given.destination === undefined
        ? null
        : this.spendable.readTarget(place.chain, given.destination, 'destination'),
    );
    const feeRate =
      problems.has('feeRate') || place === null
        ? null
        : await problems.collect(() => given.feeRate ?? estimatedFeeRate(place.chain, place.reader));
    draft.finish();
    if (place === null || destination === null || feeRate === null)
      throw new Error('a field is neither read nor refused');
    const { dustLimit = 0n } = place.chain;
    return { ...place, terms: { destination, feeRate, dustLimit } };
  }

  private readBlockchain(slug: string): Source {
    const chain = this.chains.find(slug);
    if (!chain)
      throw ValidationError.of(
        'blockchain',
        chainMessage('blockchain', slug, this.chains.list(), CHAIN_CATALOG),
      );
    const problem = familyOf(chain.family).gatheringProblem(chain);
    if (problem !== null) throw ValidationError.of('blockchain', `The blockchain field must ${problem}.`);
    const accounts = this.chains.findAccounts(chain.slug);
    if (accounts) return { kind: 'accounts', chain, reader: accounts };
    const reader = this.chains.findOutputs(chain.slug);
    if (!reader) throw ValidationError.of('blockchain', 'The blockchain field must have outputs.');
    return { kind: 'outputs', chain, reader };
  }

  private present(
    chain: Chain,
    inputs: readonly SpendableInput[],
    leftOut: LeftOutput[],
    terms: GatheringTerms,
    next: string | null,
  ): CollectionContract {
    const expectedOf = (units: bigint) => (units > 0n ? [{ amount: amount(units), token: null }] : []);
    const [asset] = chain.assets;
    if (!asset) throw new Error(`${chain.slug} has no coin`);
    const currency = { ...getCurrency(asset.currencyCode), decimals: asset.decimals };
    const amount = (units: bigint) => presentAmount(units, currency);
    const groups = [...groupedBy(inputs, ({ found }) => found.place.walletId).values()];
    const psbts = groups.flatMap((group): (CollectionPsbtContract & { units: bigint })[] => {
      const plan = planGathering(group, terms);
      leftOut.push(
        ...plan.leftOut.map(({ input, reason }) => ({
          output: input.found,
          place: input.found.place,
          reason,
        })),
      );
      return plan.gatherings.flatMap((gathering) => {
        const [first] = gathering.inputs;
        if (!first) return [];
        const { keyFingerprint, masterFingerprint, accountPath, keyOwner } = first.found.place;
        return [
          {
            psbt: toPsbt(gathering.inputs, [{ script: terms.destination, amount: gathering.amount }]),
            keyFingerprint,
            masterFingerprint,
            accountPath,
            keyOwner,
            inputs: gathering.inputs.length,
            amount: amount(gathering.amount),
            fee: amount(gathering.fee),
            feeRate: Number(terms.feeRate),
            weight: gathering.weight,
            units: gathering.amount,
          },
        ];
      });
    });
    return {
      psbts: psbts.map(({ units: _units, ...psbt }) => psbt),
      transactions: [],
      safeBatches: [],
      plans: [],
      deployment: null,
      expected: expectedOf(psbts.reduce((sum, { units }) => sum + units, 0n)),
      leftOut: leftOut.map(({ output, reason, place }): LeftOutContract => ({
        address: output.address,
        amount: amount(output.amount),
        token: null,
        txHash: output.txHash,
        derivation: place ? derivationOf(place) : null,
        reason,
      })),
      unpriced: [],
      next,
    };
  }
}

/** What was sent although it means nothing there: it would be ignored. */
function refuseGiven(
  { problems, sent }: Draft<PrepareCollectionContract>,
  fields: readonly string[],
  why: string,
): void {
  for (const field of fields)
    if ((sent[field] ?? null) !== null && !problems.has(field))
      problems.add(field, `The ${field} field does not apply ${why}.`);
}
