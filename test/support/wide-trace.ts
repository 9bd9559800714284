import type { Hex, TestChain } from './anvil.js';

/** Memory that each call passes on, in bytes: 3 gas a word, once. */
const INPUT_BYTES = 0x010000;

/**
 * Calls an empty account `calldata[32:64]` times, each time with the same 64 kB of memory as input, and then pays its value
 * to `calldata[0:32]`. 400 calls cost 106,754 gas, and their trace repeats 52 MB of input.
 */
const RUNTIME =
  '602035' + // calls left
  `5b6000600062${INPUT_BYTES.toString(16).padStart(6, '0')}6000600063deadbeef5af150` +
  '6001900380600357' + // again, from the JUMPDEST at 3
  '506000600060006000346000355af15000';
const CREATION: Hex = `0x60${(RUNTIME.length / 2).toString(16)}80600b6000396000f3${RUNTIME}`;

const word = (hex: string) => hex.padStart(64, '0');

/** Deploys the contract. @returns a payment through it, with a trace of so many calls; unmined */
export async function wideTraces(chain: TestChain) {
  const { address } = await chain.deploy({ abi: [] as const, bytecode: CREATION });
  return (to: string, value: bigint, calls: number): Promise<Hex> =>
    chain.send({ to: address, value, data: `0x${word(to.slice(2))}${word(calls.toString(16))}` });
}
