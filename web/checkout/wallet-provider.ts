import { type Holdings, type Lack, lackOf } from './holdings.js';

/*
 * What a wallet is asked for, and what its answers mean (EIP-1193). Each reason why nothing was sent is the name of a
 * sentence in src/checkout/page/browser-wallets.ts.
 */

export interface Provider {
  request(call: { method: string; params?: unknown }): Promise<unknown>;
}

/** What the server wrote into `#wallets`; amounts are hexadecimal and exact. */
export interface WantedTransaction {
  chain: string;
  to: string;
  amount: string;
  /** Of a token. */
  contract?: string;
}

/** A network as a wallet adds it (EIP-3085), where the operator lists an address for customers. */
export type AddableNetwork = Readonly<Record<string, unknown>>;

/** How far the page goes along. */
export interface Asking {
  /** Asked at the last moment: meanwhile the price may have ended, or the payment may have been seen. */
  isWanted(): boolean;
  /** The customer was told what this account lacks, and wants to send all the same: balances may be out of date. */
  accepts(account: string): boolean;
  tellHeld(held: bigint): void;
}

/** EIP-1193: the user said no. */
const REJECTED = 4001;
/** EIP-1474: something like it is open already. */
const BUSY = -32_002;
/** EIP-3326: the wallet does not have the network. */
const UNKNOWN_CHAIN = 4902;
/** Of `transfer(address,uint256)` and `balanceOf(address)` (ERC-20). */
const TRANSFER = '0xa9059cbb';
const BALANCE_OF = '0x70a08231';

/** A reason why a payment was not sent; the name of its sentence. */
export class Refusal extends Error {}

/** The account has too little, by what the wallet says. */
export class Shortfall extends Refusal {
  constructor(
    lack: Lack,
    readonly account: string,
    readonly held: bigint | null,
  ) {
    super(lack);
  }
}

/**
 * Asks for the account, the network, what the account holds, and then for the transaction.
 * @param network what the wallet may be offered to add; null: it has to have the network
 * @returns the transaction's hash; empty: the wallet says none
 * @throws whatever the wallet throws, or a Refusal: {@link reasonOf}
 */
export async function sendBy(
  provider: Provider,
  wanted: WantedTransaction,
  network: AddableNetwork | null,
  asking: Asking,
): Promise<string> {
  const from = await connect(provider);
  await switchTo(provider, wanted.chain, network);
  goOnWith(await holdingsOf(provider, from, wanted), from, asking);
  const { chain, to, amount, contract } = wanted;
  const transaction =
    contract === undefined
      ? { from, to, value: amount }
      : { from, to: contract, value: '0x0', data: `${TRANSFER}${word(to)}${word(amount)}` };
  const params = [{ ...transaction, chainId: chain }];
  const hash = await provider.request({ method: 'eth_sendTransaction', params });
  return typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash) ? hash : '';
}

/** @throws Shortfall before the customer has accepted it; Refusal when the page does not want the payment any more */
export function goOnWith(holdings: Holdings, account: string, asking: Asking): void {
  const lack = lackOf(holdings);
  if (lack !== null && !asking.accepts(account)) throw new Shortfall(lack, account, holdings.held);
  if (!asking.isWanted()) throw new Refusal('failed');
  if (lack === null && holdings.held !== null) asking.tellHeld(holdings.held);
}

export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  const code = codeOf(error);
  if (code === REJECTED) return 'rejected';
  if (code === BUSY) return 'busy';
  // Nodes have no code of their own for it (EIP-1474: -32000, invalid input).
  return /insufficient funds/i.test(messageOf(error)) ? 'no-funds' : 'failed';
}

export async function connect(provider: Provider): Promise<string> {
  try {
    const [from] = (await provider.request({ method: 'eth_requestAccounts' })) as unknown[];
    if (typeof from === 'string') return from;
  } catch (error) {
    throw codeOf(error) === REJECTED ? new Refusal('unconnected') : error;
  }
  throw new Refusal('failed');
}

/** The network that the wallet is on. @throws SyntaxError for what is no number */
export async function chainOf(provider: Provider): Promise<bigint> {
  return BigInt(String(await provider.request({ method: 'eth_chainId' })));
}

async function switchTo(provider: Provider, chain: string, network: AddableNetwork | null): Promise<void> {
  const isThere = async (): Promise<boolean> => (await chainOf(provider)) === BigInt(chain);
  const change = () =>
    provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: chain }] });
  if (await isThere()) return;
  try {
    await change();
  } catch (error) {
    const code = codeOf(error);
    if (code === BUSY) throw error;
    // Some wallets say it in words only.
    const isUnknown = code === UNKNOWN_CHAIN || /unrecognized chain/i.test(messageOf(error));
    if (!isUnknown) throw new Refusal('chain');
    if (network === null || !(await add(provider, chain, network))) throw new Refusal('unknown');
    // Most wallets switch as they add; EIP-3085 leaves it to them.
    if (!(await isThere())) await change().catch(() => null);
  }
  if (!(await isThere())) throw new Refusal('chain');
}

/** @returns whether the wallet has it now; not, if the customer declined */
async function add(provider: Provider, chain: string, network: AddableNetwork): Promise<boolean> {
  try {
    const params = [{ ...network, chainId: chain }];
    await provider.request({ method: 'wallet_addEthereumChain', params });
    return true;
  } catch (error) {
    if (codeOf(error) === BUSY) throw error;
    return false;
  }
}

/** By the wallet's own node, which learns nothing that it does not know. */
export async function holdingsOf(
  provider: Provider,
  from: string,
  { amount, contract }: Pick<WantedTransaction, 'amount' | 'contract'>,
): Promise<Holdings> {
  const isToken = contract !== undefined;
  const held = isToken
    ? await read(provider, 'eth_call', { to: contract, data: `${BALANCE_OF}${word(from)}` })
    : null;
  const coin = await read(provider, 'eth_getBalance', from);
  return { due: BigInt(amount), held: isToken ? held : coin, coin, isToken };
}

/** A number of the newest block; null: the wallet does not answer such a question. */
async function read(provider: Provider, method: string, of: unknown): Promise<bigint | null> {
  try {
    const answer = await provider.request({ method, params: [of, 'latest'] });
    return typeof answer === 'string' && /^0x[0-9a-f]+$/i.test(answer) ? BigInt(answer) : null;
  } catch {
    return null;
  }
}

/** 32 bytes of call data. @param hex an address or a number */
function word(hex: string): string {
  return BigInt(hex).toString(16).padStart(64, '0');
}

function codeOf(error: unknown): number {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { originalError?: { code?: unknown } } };
  // Some wallets wrap the error of the network.
  return Number(data?.originalError?.code ?? code);
}

/** Some wallets throw texts. */
export function messageOf(error: unknown): string {
  return typeof error === 'string' ? error : String((error as Partial<Error> | null)?.message);
}
