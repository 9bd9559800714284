import type { AddressFamily } from './chain.pure.js';
import type { Connect } from './chain-connection.js';
import { connectEvm } from './evm/evm-connection.js';
import { connectTron } from './tron/tron-connection.js';
import { connectUtxo } from './utxo/utxo-connection.js';

const CONNECT: Readonly<Record<AddressFamily, Connect>> = {
  evm: connectEvm,
  bitcoin: connectUtxo,
  litecoin: connectUtxo,
  dogecoin: connectUtxo,
  bitcoincash: connectUtxo,
  tron: connectTron,
};

export const connectChain: Connect = (chain, config, options) =>
  CONNECT[chain.family](chain, config, options);
