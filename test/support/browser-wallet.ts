import type { Page } from 'playwright-core';

/** A wallet of the browser, whose answers tests give. */

export interface WalletCall {
  method: string;
  params?: unknown[];
}

export type WalletAnswer = { result?: unknown; error?: { code?: number; message: string } };

/**
 * As EIP-6963 announces it. It hands everything to `walletRequest`, and throws what that returns as an error. Runs in the
 * page.
 */
const ANNOUNCED = `(() => {
  const provider = { request: async (call) => {
    const { error, result } = await walletRequest(call);
    if (error) throw Object.assign(new Error(error.message), { code: error.code });
    return result;
  } };
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'Test Wallet', icon: '', rdns: 'org.example' };
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
  addEventListener('eip6963:requestProvider', announce);
})()`;

/** Of Tron, as TIP-1193 and tronweb have it; every call goes to `walletRequest` under its name in tronweb. */
const TRON = `(() => {
  const ask = async (method, ...params) => {
    const { error, result } = await walletRequest({ method, params });
    if (error && error.code === undefined) throw error.message;
    if (error) throw Object.assign(new Error(error.message), { code: error.code });
    return result;
  };
  const of = (...names) => Object.fromEntries(names.map((name) => [name, (...params) => ask(name, ...params)]));
  const tronWeb = {
    defaultAddress: { base58: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' },
    address: { toHex: (text) => '41' + Array.from(text, (c) => c.charCodeAt(0).toString(16)).join('').slice(-40) },
    trx: of('getBlockByNumber', 'getBalance', 'sign', 'sendRawTransaction'),
    transactionBuilder: of('sendTrx', 'triggerSmartContract', 'triggerConstantContract'),
  };
  window.tron = { isTronLink: true, tronWeb, request: ({ method, params = [] }) => ask(method, ...params) };
})()`;

/** Puts the wallet into every document that the page loads. */
export async function installWallet(
  page: Page,
  request: (call: WalletCall) => Promise<unknown>,
  kind: 'evm' | 'tron' = 'evm',
): Promise<void> {
  await page.exposeFunction('walletRequest', request);
  await page.addInitScript(kind === 'evm' ? ANNOUNCED : TRON);
}

/** The 20 bytes that the library of {@link TRON} stands in for those of an address. */
export function fakeTronHex(address: string): string {
  return Array.from(address, (character) => character.charCodeAt(0).toString(16))
    .join('')
    .slice(-40);
}
