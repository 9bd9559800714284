import { VERSION } from '../platform/runtime/version.js';

/** `crypto-payment-gateway/<version>` (api.md G1). */
export const USER_AGENT = `crypto-payment-gateway/${VERSION}`;
