import { nodeLines } from './node-lines.pure.js';

it.each([
  [
    'an address as it is',
    ['ethereum', 'node', 'https://node.example.com/v1/key'],
    'CHAIN_ETHEREUM_RPC_URL=https://node.example.com/v1/key',
    'payment-gateway set-node ethereum https://node.example.com/v1/key',
  ],
  [
    'one that a shell would take apart',
    ['bitcoin-cash', 'node', 'https://node.example.com/?key=a&b=$HOME#x'],
    "CHAIN_BITCOIN_CASH_RPC_URL='https://node.example.com/?key=a&b=$HOME#x'",
    "payment-gateway set-node bitcoin-cash 'https://node.example.com/?key=a&b=$HOME#x'",
  ],
  [
    'one that would end its quotes',
    ['bitcoin', 'node', "http://u:p'; reboot'@h"],
    "CHAIN_BITCOIN_RPC_URL='http://u:p%27; reboot%27@h'",
    "payment-gateway set-node bitcoin 'http://u:p'\\''; reboot'\\''@h'",
  ],
  [
    'an Esplora server, which the installer does not take',
    ['bitcoin', 'esplora', 'https://esplora.example.com/api'],
    'CHAIN_BITCOIN_ESPLORA_URL=https://esplora.example.com/api',
    null,
  ],
] as const)('writes %s', (_title, [slug, source, address], setting, command) => {
  expect(nodeLines(slug, source, address)).toEqual({ setting, command });
});
