import { goOnWith, type Asking, messageOf, type Provider, reasonOf, Refusal } from './wallet-provider.js';

/*
 * Wallets of Tron in the browser: `window.tron` (TIP-1193) or, of older ones, `window.tronLink`; both with the library
 * tronweb, which builds a transaction by the wallet's own node. The wallet shows it and signs; then it is broadcast.
 */

/** What the server wrote into `#wallets`; amounts are hexadecimal and exact, addresses as people write them. */
export interface WantedTransfer {
  to: string;
  amount: string;
  contract?: string;
  /** The id of the network's first block. */
  genesis: string;
}

export interface TronProvider extends Partial<Provider> {
  tronWeb?: TronWeb | false;
  isTronLink?: boolean;
}

interface Built {
  txID: string;
  raw_data: { contract: readonly { parameter: { value: Readonly<Record<string, unknown>> } }[] };
}

/** The part of tronweb that is used here. */
interface TronWeb {
  ready?: boolean;
  defaultAddress?: { base58?: string | false };
  address: { toHex(base58: string): string };
  trx: {
    getBlockByNumber(height: number): Promise<{ blockID: string }>;
    getBalance(address: string): Promise<number>;
    sign(transaction: Built): Promise<Built>;
    sendRawTransaction(signed: Built): Promise<{ result?: boolean; code?: string; txid?: string }>;
  };
  transactionBuilder: {
    sendTrx(to: string, sun: number, from: string): Promise<Built>;
    triggerSmartContract(...call: unknown[]): Promise<{ result?: { result?: boolean }; transaction: Built }>;
    triggerConstantContract(...call: unknown[]): Promise<{ constant_result?: string[] }>;
  };
}

/** Sun (a millionth of a TRX) that a transfer may burn for energy: it needs a tenth of this, and the rest is not taken. */
const FEE_LIMIT = 100_000_000;
/** Of `transfer(address,uint256)`. */
const TRANSFER = 'a9059cbb';

/** As sendBy() of wallet-provider.ts. */
export async function sendByTron(
  find: () => TronProvider | null,
  wanted: WantedTransfer,
  asking: Asking,
): Promise<string> {
  const from = await connect(find);
  const tronWeb = await onNetwork(find, wanted.genesis);
  const [amount, isToken] = [BigInt(wanted.amount), wanted.contract !== undefined];
  const coin = await numberOf(() => tronWeb.trx.getBalance(from));
  const held = isToken ? await heldOf(tronWeb, from, wanted.contract) : coin;
  // Without TRX, energy that was staked for may still pay the fee: what is missing is a warning.
  goOnWith({ due: amount, held, coin, isToken }, from, asking);
  const transaction = await build(tronWeb, from, wanted, amount);
  if (!paysExactly(tronWeb, transaction, wanted, amount)) throw new Refusal('failed');
  const signed = await tronWeb.trx.sign(transaction);
  // It may have waited for the customer.
  if (!asking.isWanted()) throw new Refusal('failed');
  const { result, code = '' } = await tronWeb.trx.sendRawTransaction(signed);
  if (result !== true) throw new Refusal(/BAND|ENERGY/i.test(code) ? 'no-fee' : 'failed');
  return /^[0-9a-f]{64}$/i.test(signed.txID) ? signed.txID : '';
}

export function tronReasonOf(error: unknown): string {
  const words = messageOf(error);
  // The desk's and the phones' words of TronLink, which throws texts; the last is its spelling on Android.
  if (/declined by user|user reject|^cancel$|^cancle$/i.test(words)) return 'rejected';
  if (/balance is not sufficient/i.test(words)) return 'no-funds';
  return reasonOf(error);
}

/** @returns the account as people write it */
async function connect(find: () => TronProvider | null): Promise<string> {
  const provider = find();
  // `eth_requestAccounts` is of TIP-1193 and opens a locked wallet; TronLink before that had its own name for it.
  const isStandard = (globalThis as { tron?: unknown }).tron === provider;
  const method = isStandard ? 'eth_requestAccounts' : 'tron_requestAccounts';
  let answer: unknown;
  try {
    answer = await provider?.request?.({ method });
  } catch (error) {
    throw reasonOf(error) === 'rejected' ? new Refusal('unconnected') : error;
  }
  const { code } = (answer ?? {}) as { code?: number };
  if (code === 4001) throw new Refusal('unconnected');
  // TronLink: the same page has asked already, and the customer has not answered.
  if (code === 4000) throw new Refusal('busy');
  const web = find()?.tronWeb;
  const first: unknown = Array.isArray(answer) ? answer[0] : undefined;
  const account = typeof first === 'string' ? first : web ? web.defaultAddress?.base58 : '';
  if (!account) throw new Refusal('locked');
  return account;
}

/** Looks at the first block that the wallet's node has: nothing else tells a network for sure. */
async function onNetwork(find: () => TronProvider | null, genesis: string): Promise<TronWeb> {
  const current = async (): Promise<TronWeb | null> => {
    const web = find()?.tronWeb;
    if (!web) throw new Refusal('locked');
    return (await web.trx.getBlockByNumber(0)).blockID === genesis ? web : null;
  };
  const there = await current();
  if (there) return there;
  // TIP-474: the last four bytes are the number by which wallets switch (TIP-3326); older ones do not.
  const params = [{ chainId: `0x${genesis.slice(-8)}` }];
  await find()
    ?.request?.({ method: 'wallet_switchEthereumChain', params })
    .catch(() => null);
  const switched = await current();
  if (!switched) throw new Refusal('chain');
  return switched;
}

async function heldOf(tronWeb: TronWeb, from: string, contract: string | undefined): Promise<bigint | null> {
  const parameters = [{ type: 'address', value: from }];
  try {
    const { constant_result: [word = ''] = [] } = await tronWeb.transactionBuilder.triggerConstantContract(
      contract,
      'balanceOf(address)',
      {},
      parameters,
      from,
    );
    return /^[0-9a-f]{64}$/i.test(word) ? BigInt(`0x${word}`) : null;
  } catch {
    return null;
  }
}

async function numberOf(ask: () => Promise<unknown>): Promise<bigint | null> {
  try {
    const answer = await ask();
    return typeof answer === 'number' && Number.isSafeInteger(answer) ? BigInt(answer) : null;
  } catch {
    return null;
  }
}

async function build(
  tronWeb: TronWeb,
  from: string,
  { to, contract }: WantedTransfer,
  amount: bigint,
): Promise<Built> {
  const { transactionBuilder } = tronWeb;
  if (contract === undefined) {
    const sun = Number(amount);
    // tronweb takes a number; beyond this it would be rounded.
    if (!Number.isSafeInteger(sun)) throw new Refusal('failed');
    return transactionBuilder.sendTrx(to, sun, from);
  }
  const parameters = [
    { type: 'address', value: to },
    { type: 'uint256', value: amount.toString() },
  ];
  const { result, transaction } = await transactionBuilder.triggerSmartContract(
    contract,
    'transfer(address,uint256)',
    { feeLimit: FEE_LIMIT, callValue: 0 },
    parameters,
    from,
  );
  if (result?.result !== true) throw new Refusal('failed');
  return transaction;
}

/** What was built by the wallet's node, before anybody is asked to sign it. */
function paysExactly(
  tronWeb: TronWeb,
  built: Built,
  { to, contract }: WantedTransfer,
  amount: bigint,
): boolean {
  const [{ parameter: { value } } = { parameter: { value: {} } }, ...others] = built.raw_data.contract;
  // tronweb writes 0x41 and 20 bytes.
  const hexOf = (address: string) => tronWeb.address.toHex(address).replace(/^0x/, '').toLowerCase();
  if (others.length > 0) return false;
  if (contract === undefined)
    return value['amount'] === Number(amount) && String(value['to_address']).toLowerCase() === hexOf(to);
  const data = `${TRANSFER}${hexOf(to).slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`;
  return (
    String(value['data']).toLowerCase() === data &&
    String(value['contract_address']).toLowerCase() === hexOf(contract)
  );
}
