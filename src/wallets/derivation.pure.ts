/* What runs without the gateway: in the client package and in the pages (scripts/bundle-derivation.mjs). */
export { AddressQuestionError, findAddressOfKey, readingsOfKey, secretIn } from './account-addresses.pure.js';
export { CollectionError, deployFactoryCall } from './collection.pure.js';
export { prepareExport } from './collection-export.pure.js';
export { safeBatchOf } from './safe-batch.pure.js';
export { COLLECTOR_FACTORY, depositAddressOf } from './treasury/treasury-address.pure.js';
export { readTreasuryAddress } from './treasury/treasury-input.pure.js';
export { findAddressOfTreasury } from './treasury/treasury-question.pure.js';
