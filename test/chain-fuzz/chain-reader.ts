import { toHex } from 'viem';
import { placeSql } from '../../src/payments/event-place.pure.js';
import { JsonFloat, parseExact } from '../../src/platform/kernel/exact-json.pure.js';
import type { Hex } from '../support/anvil.js';
import { CHAINS, type ChainName, CONFIRMATIONS, type Deployment, type Surroundings } from './deployment.js';
import type { MerchantApi, ShownPayment } from '../support/merchant-api.js';
import type {
  RecordedPart,
  RecordedPayment,
  RecordedTransfer,
  Records,
  ChainTruth,
  Holding,
  Truth,
} from './oracle.js';
import type { Payee } from './payees.js';

interface Tip {
  height: number;
  hash: string;
}

export async function readTip({ evm, utxo }: Surroundings, chain: ChainName): Promise<Tip> {
  if (chain === 'ethereum') {
    const block = await evm.chain.rpc<{ number: Hex; hash: Hex }>('eth_getBlockByNumber', ['latest', false]);
    return { height: Number(block.number), hash: block.hash };
  }
  const { blocks, bestblockhash } = await utxo.node.rpc<{ blocks: number; bestblockhash: string }>(
    'getblockchaininfo',
  );
  return { height: blocks, hash: bestblockhash };
}

/** Chains whose cursor is not the node's tip, in words. */
export async function laggards({ db, surroundings }: Deployment): Promise<string[]> {
  const { rows } = await db.query<{
    chain: string;
    height: string;
    hash: string;
    halt_reason: string | null;
  }>('select chain, height, hash, halt_reason from chain_cursors');
  const found: string[] = [];
  for (const chain of CHAINS) {
    const cursor = rows.find((row) => row.chain === chain);
    if (cursor?.halt_reason) found.push(`${chain} is halted: ${cursor.halt_reason}`);
    const tip = await readTip(surroundings, chain);
    if (cursor?.hash !== tip.hash)
      found.push(`${chain} is at ${cursor?.height ?? 'no block'}, its node at ${tip.height} ${tip.hash}`);
  }
  return found;
}

/** What a chain alone says that every deposit address got; nothing here is the gateway's code or its database. */
export async function readHoldings(
  surroundings: Surroundings,
  payees: readonly Payee[],
  chain: ChainName,
): Promise<Holding[]> {
  return chain === 'ethereum' ? evmHoldings(surroundings, payees) : utxoHoldings(surroundings, payees);
}

/** How the two chains are now, as far as the records speak of them. */
export async function readChains(
  surroundings: Surroundings,
  transfers: readonly RecordedTransfer[],
): Promise<Truth['chains']> {
  const { utxo } = surroundings;
  return new Map<string, ChainTruth>([
    ['ethereum', await readEvmChain(surroundings, transfers)],
    [
      'bitcoin',
      {
        hashAt: new Map(
          await Promise.all(
            heightsOf('bitcoin', transfers).map(
              async (height) => [height, await utxo.node.hashAt(height)] as const,
            ),
          ),
        ),
        pool: new Set(await utxo.node.rpc<string[]>('getrawmempool')),
      },
    ],
  ]);
}

export async function readEvmChain(
  { evm }: Pick<Surroundings, 'evm'>,
  transfers: readonly RecordedTransfer[],
): Promise<ChainTruth> {
  const hashes = heightsOf('ethereum', transfers).map(
    async (height) => [height, (await evm.chain.blockHash(height)) ?? ''] as const,
  );
  return { hashAt: new Map(await Promise.all(hashes)), pool: await evmPool({ evm }) };
}

function heightsOf(chain: ChainName, transfers: readonly RecordedTransfer[]): number[] {
  const heights = transfers.flatMap((each) =>
    each.chain === chain && each.height !== null ? [each.height] : [],
  );
  return [...new Set(heights)];
}

/** Deposit addresses never spend, so that a balance is what came. */
export async function evmHoldings(
  { evm }: Pick<Surroundings, 'evm'>,
  payees: readonly Payee[],
): Promise<Holding[]> {
  const { chain, contracts } = evm;
  const height = await chain.blockNumber();
  const deep = height - CONFIRMATIONS.ethereum + 1;
  const assets = [
    { asset: 'native', name: 'ETH', token: null },
    { asset: contracts.USDT.address, name: 'USDT', token: contracts.USDT.address },
    { asset: contracts.USDC.address, name: 'USDC', token: contracts.USDC.address },
  ] as const;
  const balance = async (token: Hex | null, address: Hex, at: number): Promise<bigint> => {
    const holder = address.slice(2).padStart(64, '0');
    const answer = token
      ? await chain.rpc<Hex>('eth_call', [{ to: token, data: `0x70a08231${holder}` }, toHex(at)])
      : await chain.rpc<Hex>('eth_getBalance', [address, toHex(at)]);
    return BigInt(answer);
  };
  const owned = payees.flatMap(({ paymentId, evm: address }) => (address ? [{ paymentId, address }] : []));
  return Promise.all(
    owned.flatMap(({ paymentId, address }) =>
      assets.map(async ({ asset, name, token }): Promise<Holding> => {
        return {
          paymentId,
          chain: 'ethereum',
          asset: asset.toLowerCase(),
          name,
          mined: await balance(token, address, height),
          deep: await balance(token, address, deep),
          everDeep: 0n,
          waiting: null,
        };
      }),
    ),
  );
}

async function evmPool({ evm }: Pick<Surroundings, 'evm'>): Promise<Set<string>> {
  type Pool = Record<string, Record<string, { hash: Hex }>>;
  const { pending, queued } = await evm.chain.rpc<{ pending: Pool; queued: Pool }>('txpool_content');
  return new Set(
    [...Object.values(pending), ...Object.values(queued)].flatMap((bySender) =>
      Object.values(bySender).map(({ hash }) => hash),
    ),
  );
}

/** The set of unspent outputs: nothing of ours is ever spent. What waits, from the mempool. */
async function utxoHoldings({ utxo }: Surroundings, payees: readonly Payee[]): Promise<Holding[]> {
  type Unspent = { scriptPubKey: string; amount: number | JsonFloat; height: number };
  type Transaction = { vout: { value: number | JsonFloat; scriptPubKey: { hex: string } }[] };
  const owned = payees.flatMap(({ paymentId, script }) =>
    script ? [{ paymentId, script: script.toString('hex') }] : [],
  );
  const scan = await utxo.node.rpc<{ unspents: Unspent[]; height: number }>('scantxoutset', [
    'start',
    owned.map(({ script }) => `raw(${script})`),
  ]);
  const hashes = await utxo.node.rpc<string[]>('getrawmempool');
  const waiting = await Promise.all(
    hashes.map((hash) => utxo.node.rpc<Transaction>('getrawtransaction', [hash, true])),
  );
  return owned.map(({ paymentId, script }) => {
    const mined = scan.unspents.filter(({ scriptPubKey }) => scriptPubKey === script);
    const deep = mined.filter(({ height }) => scan.height - height + 1 >= CONFIRMATIONS.bitcoin);
    const outputs = waiting.flatMap(({ vout }) => vout.filter((each) => each.scriptPubKey.hex === script));
    return {
      paymentId,
      chain: 'bitcoin',
      asset: 'native',
      name: 'BTC',
      mined: sum(mined.map(({ amount }) => amount)),
      deep: sum(deep.map(({ amount }) => amount)),
      everDeep: 0n,
      waiting: sum(outputs.map(({ value }) => value)),
    };
  });
}

/** Whole coins with up to 8 places, as the node prints them, in the smallest unit. */
function sum(amounts: readonly (number | JsonFloat)[]): bigint {
  return amounts.reduce<bigint>((total, amount) => {
    const [whole = '', places = ''] = (amount instanceof JsonFloat ? amount.text : String(amount)).split('.');
    return total + BigInt(whole + places.padEnd(8, '0'));
  }, 0n);
}

/** What the gateway says: its transfers and histories by SQL, its payments by the API. */
export async function readRecords(
  { db }: Pick<Deployment, 'db'>,
  merchant: Pick<MerchantApi, 'payment'>,
  payees: readonly Payee[],
): Promise<Records> {
  const ids = payees.map(({ paymentId }) => paymentId);
  const transfers = await db.query<Record<string, string> & { height: string | null }>(
    `select payment_id, chain, asset, tx_hash, state, amount, block_height as height, block_hash
     from payment_transfers where payment_id = any($1::uuid[])`,
    [ids],
  );
  const history = await db.query<{ payment_id: string; seq: number; from: string | null; to: string }>(
    `select payment_id, seq, from_status as "from", to_status as "to"
     from payment_status_history where payment_id = any($1::uuid[]) order by payment_id, seq`,
    [ids],
  );
  const events = await db.query<EventRow>(
    `select payment_id, id, body, seq, type, superseded_at is not null as superseded
     from payment_events e where payment_id = any($1::uuid[]) order by payment_id, ${placeSql('e')}`,
    [ids],
  );
  return {
    transfers: transfers.rows.map((row): RecordedTransfer => ({
      paymentId: row['payment_id'] ?? '',
      chain: row['chain'] ?? '',
      asset: row['asset'] ?? '',
      txHash: row['tx_hash'] ?? '',
      state: row['state'] ?? '',
      amount: BigInt(row['amount'] ?? 0),
      height: row.height === null ? null : Number(row.height),
      blockHash: row['block_hash'] ?? null,
    })),
    payments: await Promise.all(
      ids.map(async (paymentId): Promise<RecordedPayment> => {
        const shown = await merchant.payment(paymentId);
        return {
          paymentId,
          status: shown.status,
          received: BigInt(shown.receivedAmount.atomic),
          reviewReason: shown.reviewReason,
          parts: partsOf(shown),
          history: history.rows.filter((row) => row.payment_id === paymentId),
          ...eventsOf(events.rows.filter((row) => row.payment_id === paymentId)),
        };
      }),
    ),
  };
}

/** @param rows of one payment, in order */
function eventsOf(rows: readonly EventRow[]): Pick<RecordedPayment, 'events' | 'lastTold'> {
  const all = rows.map(({ id, body, seq, type, superseded }) => {
    const sent = parseExact(body) as { id: string; payment: ShownPayment };
    return {
      id,
      sentId: sent.id,
      sentStatus: sent.payment.status,
      sentReceived: BigInt(sent.payment.receivedAmount.atomic),
      sentParts: partsOf(sent.payment),
      seq,
      type,
      isSuperseded: superseded,
    };
  });
  const moves = all.flatMap((event) => (event.seq === null ? [] : [{ ...event, seq: event.seq }]));
  return { events: moves, lastTold: all.at(-1)?.sentReceived ?? null };
}

interface EventRow {
  payment_id: string;
  id: string;
  body: string;
  /** Null: payment.updated. */
  seq: number | null;
  type: string;
  superseded: boolean;
}

function partsOf({ transactions, otherTransactions }: ShownPayment): RecordedPart[] {
  return [...transactions, ...otherTransactions].map(({ currencyCode, status, matched, ...part }) => ({
    currencyCode,
    status,
    matched,
    amount: BigInt(part.amount.atomic),
    credited: BigInt(part.creditedAmount.atomic),
    count: BigInt(part.count ?? 1),
  }));
}
