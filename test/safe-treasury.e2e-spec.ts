/**
 * @inOrder A Safe whose two owners collect what came in.
 */
import { createRequire } from 'node:module';
import {
  concatHex,
  encodeFunctionData,
  encodePacked,
  hashTypedData,
  hexToBigInt,
  parseAbi,
  size,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import type { CollectionContract } from '../src/collections/collection.contract.js';
import { type Artifact, type Hex, startAnvil, type TestChain } from './support/anvil.js';
import { run } from './support/collecting.js';
import { installMulticall3 } from './support/multicall3.js';
import { Shop, type ShopApplication } from './support/shop.js';

/** The contracts of the Safe that its apps deploy, as they were published. */
const safeContract = (path: string): Artifact => {
  const build = '@safe-global/safe-smart-account/build/artifacts/contracts';
  return createRequire(import.meta.url)(`${build}/${path}.json`) as Artifact;
};
const OWNERS = [1n, 2n, 3n].map((key) => privateKeyToAccount(`0x${key.toString(16).padStart(64, '0')}`));
const SETUP = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
]);
const FACTORY = parseAbi([
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 salt) returns (address)',
]);
const MULTI_SEND = parseAbi(['function multiSend(bytes transactions) payable']);
const SAFE = parseAbi([
  'function nonce() view returns (uint256)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
]);
/** EIP-712, as the Safe's own documentation has it. */
const SAFE_TX = {
  SafeTx: [
    'to address',
    'value uint256',
    'data bytes',
    'operation uint8',
    'safeTxGas uint256',
    'baseGas uint256',
    'gasPrice uint256',
    'gasToken address',
    'refundReceiver address',
    'nonce uint256',
  ].map((field) => ({ name: field.split(' ')[0] ?? '', type: field.split(' ')[1] ?? '' })),
};
const DEPOSITS = 130;
const COIN = 10n ** 16n;
const TOKENS = 10n ** 7n;

interface BatchFile {
  chainId: string;
  transactions: { to: Hex; value: string; data: Hex }[];
}

let bsc: TestChain;
let shop: Shop;
let application: ShopApplication;
let usdc: Hex;
let safe: Hex;
let multiSend: Hex;

/** A Safe of {@link OWNERS} that takes two signatures, made by the published factory. */
async function deploySafe(chain: TestChain): Promise<Hex> {
  const { address: singleton } = await chain.deploy(safeContract('Safe.sol/Safe'));
  const { address: factory } = await chain.deploy(
    safeContract('proxies/SafeProxyFactory.sol/SafeProxyFactory'),
  );
  const owners = OWNERS.map(({ address }) => address);
  const initializer = encodeFunctionData({
    abi: SETUP,
    args: [owners, 2n, zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress],
  });
  const data = encodeFunctionData({ abi: FACTORY, args: [singleton, initializer, 7n] });
  const made = await chain.rpc<Hex>('eth_call', [{ to: factory, data }, 'latest']);
  expect(await run(chain, { to: factory, data, value: '0x0' })).toMatchObject({ ok: true });
  return `0x${made.slice(-40)}`;
}

/** What the Transaction Builder of the Safe's app makes of a file: one call of MultiSend, which two owners sign. */
async function signAndExecute(file: BatchFile, signers = OWNERS.slice(0, 2)): Promise<{ ok: boolean }> {
  const calls = file.transactions.map(({ to, value, data }) =>
    encodePacked(
      ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
      [0, to, BigInt(value), BigInt(size(data)), data],
    ),
  );
  const data = encodeFunctionData({ abi: MULTI_SEND, args: [concatHex(calls)] });
  const nonce = hexToBigInt(
    await bsc.rpc<Hex>('eth_call', [
      { to: safe, data: encodeFunctionData({ abi: SAFE, functionName: 'nonce' }) },
      'latest',
    ]),
  );
  const message = {
    to: multiSend,
    value: 0n,
    data,
    operation: 1,
    safeTxGas: 0n,
    baseGas: 0n,
    gasPrice: 0n,
    gasToken: zeroAddress,
    refundReceiver: zeroAddress,
    nonce,
  };
  const hash = hashTypedData({
    domain: { chainId: Number(file.chainId), verifyingContract: safe },
    types: SAFE_TX,
    primaryType: 'SafeTx',
    message,
  });
  const ordered = signers.toSorted((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1));
  const signatures = concatHex(await Promise.all(ordered.map((owner) => owner.sign({ hash }))));
  const call = encodeFunctionData({
    abi: SAFE,
    functionName: 'execTransaction',
    args: [multiSend, 0n, data, 1, 0n, 0n, 0n, zeroAddress, zeroAddress, signatures],
  });
  return run(bsc, { to: safe, data: call, value: '0x0' }, { gas: 25_000_000n });
}

async function collect(): Promise<CollectionContract> {
  const path = `/api/payment-applications/${application.id}/collections`;
  const { status, body } = await shop.call<CollectionContract>('POST', path, shop.owner.accessToken, {
    blockchain: 'bsc',
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data;
}

beforeAll(async () => {
  bsc = await startAnvil({ chainId: 56 });
  await installMulticall3(bsc);
  ({ address: usdc } = await bsc.deployToken('USDC'));
  shop = await Shop.open({ CHAIN_BSC_RPC_URL: bsc.url, CHAIN_BSC_TOKENS: `USDC:${usdc}:6` });
  shop.rates.setPrice('BNB', 'USD', '500');
  safe = await deploySafe(bsc);
  ({ address: multiSend } = await bsc.deploy(
    safeContract('libraries/MultiSendCallOnly.sol/MultiSendCallOnly'),
  ));
  // The shop's other chain has the Safe at the same address, as an owner who uses both would have it.
  await shop.chain.rpc('anvil_setCode', [safe, await bsc.rpc('eth_getCode', [safe, 'latest'])]);
  application = await shop.application();
  const { status, body } = await shop.call(
    'PUT',
    `/api/payment-applications/${application.id}/wallets/evm`,
    shop.owner.accessToken,
    { treasury: safe },
  );
  if (status !== 200) throw new Error(JSON.stringify(body));
});
afterAll(async () => {
  await shop?.close();
  await bsc?.stop();
});

it('gets all that came in by the file of one batch, with two signatures', async () => {
  for (let i = 0; i < DEPOSITS; i++) {
    const payment = await shop.createPayment(application);
    const { address } = await shop.instructions(payment, 'bnb', 'bsc');
    const to = address as Hex;
    if (i % 2 === 0) await bsc.sendEth({ to, value: COIN });
    else await bsc.sendToken({ token: usdc, to, value: TOKENS });
  }
  await bsc.mine(20);
  await shop.gateway.get(ChainWatcherService).drain('bsc');
  const { safeBatches, deployment, leftOut } = await collect();
  if (deployment) expect(await run(bsc, deployment)).toMatchObject({ ok: true });
  expect([leftOut, safeBatches.reduce((sum, { deposits }) => sum + deposits, 0)]).toEqual([[], DEPOSITS]);
  const files = safeBatches.map(({ file }) => JSON.parse(file) as BatchFile);

  // One signature of two is no decision, and moves nothing.
  for (const file of files)
    expect(await signAndExecute(file, OWNERS.slice(0, 1))).toMatchObject({ ok: false });
  expect(await bsc.balance(safe)).toBe(0n);

  for (const file of files) expect(await signAndExecute(file)).toMatchObject({ ok: true });
  expect(await bsc.balance(safe)).toBe((BigInt(DEPOSITS) / 2n) * COIN);
  expect(await bsc.tokenBalance(usdc, safe)).toBe((BigInt(DEPOSITS) / 2n) * TOKENS);
  expect(await collect()).toMatchObject({ transactions: [], safeBatches: [], leftOut: [] });
});

it('executes an old file again without harm, and a new one for what came since', async () => {
  const payment = await shop.createPayment(application);
  const to = (await shop.instructions(payment, 'bnb', 'bsc')).address as Hex;
  await bsc.sendEth({ to, value: COIN });
  await bsc.mine(20);
  await shop.gateway.get(ChainWatcherService).drain('bsc');
  const file = JSON.parse((await collect()).safeBatches[0]?.file ?? '') as BatchFile;
  const before = await bsc.balance(safe);
  expect(await signAndExecute(file)).toMatchObject({ ok: true });
  expect(await signAndExecute(file)).toMatchObject({ ok: true });
  expect((await bsc.balance(safe)) - before).toBe(COIN);
});
