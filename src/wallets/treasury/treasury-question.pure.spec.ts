import { AddressQuestionError } from '../account-addresses.pure.js';
import { COLLECTOR_FACTORY, depositAddressOf, readTreasury } from './treasury-address.pure.js';
import { findAddressOfTreasury } from './treasury-question.pure.js';

const SAFE = '0x52908400098527886E0F7030069857D2E4169EE7';
const OTHER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const NAMESPACE = '00112233445566778899aabbccddeeff';
const { address } = depositAddressOf(readTreasury({ treasury: SAFE, namespace: NAMESPACE }), 7);
const own = depositAddressOf(readTreasury({ treasury: SAFE, namespace: NAMESPACE, factory: OTHER }), 7);
const question = { treasury: SAFE, namespace: NAMESPACE, index: 7, address };

describe('findAddressOfTreasury', () => {
  it.each([
    ['as it is', {}],
    ['in lower case', { address: address.toLowerCase(), treasury: SAFE.toLowerCase() }],
    ['with spaces around it', { address: ` ${address}\n` }],
    ['with the known factory named', { factory: COLLECTOR_FACTORY }],
  ])('knows the address %s', (_how, change) => {
    expect(findAddressOfTreasury({ ...question, ...change })).toEqual({
      treasury: SAFE,
      factory: COLLECTOR_FACTORY,
      salt: `0x${NAMESPACE}${'7'.padStart(32, '0')}`,
      address,
    });
  });

  it('knows an address of the own factory only where that is named', () => {
    expect(findAddressOfTreasury({ ...question, address: own.address })).toBeNull();
    expect(findAddressOfTreasury({ ...question, address: own.address, factory: OTHER })?.factory).toBe(OTHER);
  });

  it.each([
    ['another index', { index: 8 }],
    ['a swapped treasury', { treasury: OTHER }],
    ['another namespace', { namespace: NAMESPACE.replace('0', '1') }],
    ['another address', { address: OTHER }],
  ])('is null with %s', (_why, change) => {
    expect(findAddressOfTreasury({ ...question, ...change })).toBeNull();
  });

  it.each([
    ['address', { address: address.slice(1) }],
    ['treasury', { treasury: 'vitalik.eth' }],
    ['treasury', { treasury: COLLECTOR_FACTORY }],
    ['namespace', { namespace: '' }],
    ['index', { index: 1.5 }],
    ['factory', { factory: '0x' }],
  ])('cannot be answered with a wrong %s', (field, change) => {
    const ask = () => findAddressOfTreasury({ ...question, ...change });
    expect(ask).toThrow(AddressQuestionError);
    expect(ask).toThrow(new RegExp(`^${field}: `));
  });
});
