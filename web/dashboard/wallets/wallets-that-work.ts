/** The page for people about wallet programs. */
export const WALLETS_THAT_WORK =
  'https://git.example.com/crypto-payment-gateway/blob/main/docs/how-to/wallets.md';
