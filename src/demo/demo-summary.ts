import type { DevEvmChain } from './demo-environment.js';
import type { DemoFacts } from './seed.js';

/** {@link DemoFacts} with the addresses of the services. */
export interface AnnouncedFacts extends DemoFacts {
  baseUrl: string;
  chains: Record<DevEvmChain, { rpcUrl: string; chainId: number }> & { litecoin?: { rpcUrl: string } };
}

/** The output of `npm start`. Each line can be copied and used unchanged. */
export function demoSummary(facts: AnnouncedFacts, factsFile: string): string {
  const { oauth, chains } = facts;
  const litecoin = chains.litecoin
    ? `\n  Litecoin dev chain    ${chains.litecoin.rpcUrl}   (regtest, as bitcoin too; a block every 5 s)`
    : '';
  return `
  Open ${facts.baseUrl}   (development profile, play money)

  Demo coffee shop      ${facts.shop.url}
  Pay this checkout     ${facts.checkoutUrl}
  with play money       npm run pay -- '${facts.checkoutUrl}'
  Client token          ${facts.clientToken}
  OAuth token           curl -s ${oauth.tokenUrl} -u ${oauth.clientId}:${oauth.clientSecret} -d grant_type=client_credentials
  Sign in as            ${facts.user.email} / ${facts.user.password}
  Ethereum dev chain    ${chains.ethereum.rpcUrl}   (chain id ${chains.ethereum.chainId}, a block every 2 s)
  Base dev chain        ${chains.base.rpcUrl}   (chain id ${chains.base.chainId}, a block every 2 s)${litecoin}
  All of this as JSON   ${factsFile}

  Ctrl-C stops everything; the next start continues from here.

`;
}
