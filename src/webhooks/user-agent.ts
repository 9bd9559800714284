import { VERSION } from '../platform/kernel/version.js';

/** `crypto-payment-gateway/<version>` (specification/webhooks.md#request). */
export const USER_AGENT = `crypto-payment-gateway/${VERSION}`;
