import type { ChainConfig } from '../config-chains.js';

/** Settings that several families refuse; each check returns the problem, or nothing. */

export function chainIdProblems(name: string, { chainId }: ChainConfig): string[] {
  return chainId === undefined ? [] : [`CHAIN_ID: ${name} has none; its networks differ by NETWORK`];
}

export function multiNodeProblems(name: string, { rpcUrls, agreeFrom }: ChainConfig): string[] {
  return [
    ...(rpcUrls.length <= 1 ? [] : [`RPC_URL: ${name} is read through one node`]),
    ...(agreeFrom === undefined ? [] : [`AGREE_FROM: ${name} is read through one node`]),
  ];
}

export function esploraProblems(name: string, { esploraUrl }: ChainConfig): string[] {
  return esploraUrl === undefined ? [] : [`ESPLORA_URL: ${name} is read by RPC_URL`];
}

export function proofOfWorkProblems(name: string, { minDifficulty }: ChainConfig): string[] {
  return minDifficulty === undefined ? [] : [`MIN_DIFFICULTY: blocks of ${name} hold no work of their own`];
}

export function apiKeyProblems(name: string, { apiKey }: ChainConfig): string[] {
  return apiKey === undefined
    ? []
    : [`API_KEY: nodes of ${name} take no such header; write the key into RPC_URL`];
}

export function walletRpcProblems(name: string, { walletRpcUrls }: ChainConfig): string[] {
  return walletRpcUrls === undefined
    ? []
    : [`WALLET_RPC_URL: wallets take no address of ${name} from a page; only EVM chains have it`];
}

export function nativeOfferProblems(name: string, { nativeOffer }: ChainConfig): string[] {
  return nativeOffer === undefined ? [] : [`NATIVE: every node of ${name} shows all transfers of its coin`];
}
