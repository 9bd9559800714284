import { Injectable } from '@nestjs/common';
import type { BlockRef, ChainAdapter, ObservedTransfer } from '../../chains/chain-adapter.pure.js';
import {
  type AddressFlow,
  groupedBy,
  type TransferClaim,
  type UnspentOutput,
} from '../../chains/chain-auditor.pure.js';
import { ChainsService } from '../../chains/chains.service.js';
import {
  DepositAddressesService,
  type RecordedDepositAddress,
} from '../../wallets/deposit-addresses.service.js';
import type { Difference } from './reconciliation-report.pure.js';
import { auditBalance, isCredited, type RecordedTransfer, subjectOf } from './transfer-audit.pure.js';
import type { Unspent } from './unspent-outputs.service.js';

type TransferPlace = Pick<ObservedTransfer, 'txHash' | 'ordinal'>;

/** Result of comparing one chain. */
export interface ChainComparison {
  differences: Difference[];
  transfersOnChain: number;
  balances: number;
  balancesSpent: number;
}

/** Compares recorded transfers and addresses with the chain; throws when the node fails. */
@Injectable()
export class ChainComparer {
  constructor(
    private readonly chains: ChainsService,
    private readonly addresses: DepositAddressesService,
  ) {}

  /** @param transfers of the addresses on this chain, read together with the cursor */
  async compare(
    slug: string,
    cursor: BlockRef,
    addresses: readonly RecordedDepositAddress[],
    transfers: readonly RecordedTransfer[],
    unspent: Unspent | null,
  ): Promise<ChainComparison> {
    const credited = transfers.filter(isCredited);
    const claims = credited.map((transfer) => ({ ...transfer, height: transfer.height }));
    const auditor = this.chains.findAuditor(slug);
    const reasons =
      claims.length === 0
        ? []
        : await (auditor ? auditor.examine(claims) : reread(this.chains.adapter(slug), claims));
    const differences = credited.flatMap((transfer, i): Difference[] => {
      const reason = reasons[i] ?? null;
      if (reason === null) return [];
      const found = `${transfer.amount} of ${transfer.asset} in block ${transfer.blockHash}`;
      const { paymentId } = transfer;
      return [
        { check: 'transfer', chain: slug, paymentId, subject: subjectOf(transfer), expected: reason, found },
      ];
    });
    const balances = unspent
      ? await this.compareOutputs(slug, cursor, addresses, credited, unspent)
      : await this.compareBalances(slug, cursor, addresses, credited);
    return {
      differences: [...differences, ...balances.differences],
      transfersOnChain: credited.length,
      balances: balances.compared,
      balancesSpent: balances.spent,
    };
  }

  /** Every unspent output must be recorded; a recorded output that is not unspent was spent. */
  private async compareOutputs(
    slug: string,
    cursor: BlockRef,
    addresses: readonly RecordedDepositAddress[],
    credited: readonly (RecordedTransfer & { height: number })[],
    { at, outputs }: Unspent,
  ): Promise<{ differences: Difference[]; compared: number; spent: number }> {
    const result = { differences: [] as Difference[], compared: 0, spent: 0 };
    const byKey = groupedBy(credited, ({ key }) => key.toString('hex'));
    for (const { paymentId, address, key } of addresses) {
      const own = (byKey.get(key.toString('hex')) ?? []).filter(({ height }) => height <= at.height);
      const recorded = new Set(own.map(subjectOf));
      // Blocks that are not applied yet are not compared.
      const held = (outputs.get(key.toString('hex')) ?? []).filter(({ height }) => height <= cursor.height);
      const present = new Set(held.map(subjectOf));
      for (const output of held.filter((one) => !recorded.has(subjectOf(one)))) {
        const shown = await this.readOutput(slug, output);
        // Its block was replaced since the scan.
        if (shown === null) continue;
        const expected = `${shown.amount} in block ${output.height}, which it holds`;
        const subject = `${subjectOf(output)} at ${address}`;
        result.differences.push({
          check: 'balance',
          chain: slug,
          paymentId,
          subject,
          expected,
          found: 'nothing',
        });
      }
      if (own.some((transfer) => !present.has(subjectOf(transfer)))) result.spent += 1;
      result.compared += 1;
    }
    return result;
  }

  /** An output as its block shows it. */
  private async readOutput(slug: string, output: UnspentOutput): Promise<ObservedTransfer | null> {
    const adapter = this.chains.adapter(slug);
    const block = await adapter.block(output.height);
    if (!block) return null;
    const candidates = block.candidates.filter(({ key }) => key.equals(output.key));
    return (await adapter.verify(block, candidates)).find((shown) => isSame(shown, output)) ?? null;
  }

  private async compareBalances(
    slug: string,
    cursor: BlockRef,
    addresses: readonly RecordedDepositAddress[],
    credited: readonly RecordedTransfer[],
  ): Promise<{ differences: Difference[]; compared: number; spent: number }> {
    const result = { differences: [] as Difference[], compared: 0, spent: 0 };
    const auditor = this.chains.findAuditor(slug);
    if (!auditor || addresses.length === 0) return result;
    const owners = new Map(addresses.map((owner) => [owner.key.toString('hex'), owner]));
    const sums = new Map<string, bigint>();
    for (const { key, asset, amount } of credited) {
      const place = placeOf(key, asset);
      sums.set(place, (sums.get(place) ?? 0n) + amount);
    }
    const creditedTo = (key: Buffer, asset: string) => sums.get(placeOf(key, asset)) ?? 0n;
    const keys = addresses.map(({ key }) => key);
    const holdings = (await auditor.holdings(cursor, keys, creditedTo)).map((holding) => {
      const owner = owners.get(holding.key.toString('hex'));
      if (!owner) throw new Error(`a holding of an address that was not asked for on ${slug}`);
      return { ...holding, owner, sum: creditedTo(holding.key, holding.asset) };
    });
    // The transfers are read only if the cheap comparison does not settle it.
    const flows = new Map<string, ReadonlyMap<string, AddressFlow> | null>();
    const differing = holdings.filter(({ amount, sum }) => amount !== sum);
    for (const asset of new Set(differing.map((holding) => holding.asset))) {
      const claims = differing
        .filter((holding) => holding.asset === asset)
        .map(({ key, owner }) => ({ key, since: owner.createdAt }));
      flows.set(asset, await auditor.flows(asset, claims, cursor));
    }
    const treasuries = await this.treasuriesOf(differing.map(({ owner }) => owner));
    for (const { key, asset, amount: held, isUnspent, owner, sum } of holdings) {
      const flow = held === sum ? null : (flows.get(asset)?.get(key.toString('hex')) ?? null);
      const { paymentId, address } = owner;
      const outcome = auditBalance({
        chain: slug,
        paymentId,
        address,
        asset,
        credited: sum,
        held,
        isUnspent,
        isOfTreasury: treasuries.has(owner.id),
        flow,
      });
      if ('difference' in outcome) result.differences.push(outcome.difference);
      else if (outcome.verdict === 'spent') result.spent += 1;
      result.compared += 1;
    }
    return result;
  }

  /** The ids of those addresses that are of a treasury. */
  private async treasuriesOf(owners: readonly RecordedDepositAddress[]): Promise<Set<string>> {
    const places = await this.addresses.listPlaces([...new Set(owners.map(({ paymentId }) => paymentId))]);
    return new Set(places.flatMap(({ id, treasuryIndex }) => (treasuryIndex === null ? [] : [id])));
  }
}

const placeOf = (key: Buffer, asset: string) => `${key.toString('hex')} ${asset}`;

function isSame(one: TransferPlace, other: TransferPlace): boolean {
  return one.txHash === other.txHash && one.ordinal === other.ordinal;
}

/** For families without an auditor: reads the blocks of the transfers again. */
async function reread(adapter: ChainAdapter, claims: readonly TransferClaim[]): Promise<(string | null)[]> {
  const reasons = new Map<TransferClaim, string | null>();
  for (const [height, here] of groupedBy(claims, (claim) => claim.height)) {
    const block = await adapter.block(height);
    const ours = new Set(here.map(({ key }) => key.toString('hex')));
    const shown = block
      ? await adapter.verify(
          block,
          block.candidates.filter(({ key }) => ours.has(key.toString('hex'))),
        )
      : [];
    const bySubject = new Map(shown.map((transfer) => [subjectOf(transfer), transfer]));
    for (const claim of here) {
      if (block?.hash !== claim.blockHash) {
        reasons.set(claim, `block ${height} of the chain is ${block?.hash ?? 'missing'}`);
        continue;
      }
      const found = bySubject.get(subjectOf(claim));
      const isSame =
        found?.asset === claim.asset && found.amount === claim.amount && found.key.equals(claim.key);
      reasons.set(
        claim,
        isSame ? null : found ? `it moves ${found.amount} of ${found.asset}` : 'no such transfer',
      );
    }
  }
  return claims.map((claim) => reasons.get(claim) ?? null);
}
