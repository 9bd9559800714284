import { ConflictError } from '../platform/kernel/errors/errors.pure.js';

/** What becomes of a webhook meanwhile, as its log says it. */
export const UNTRUSTED_SETTINGS = "the application's settings were changed outside of the gateway";

/** The settings of an application are not as the gateway wrote them (specification/applications.md#integrity). */
export class SettingsIntegrityError extends ConflictError {
  constructor() {
    super(
      'settings_integrity',
      'The settings of this payment application were changed outside of the gateway, so they are not used. Tell the operator, and set url, callbackUrl, allowUnderpay, allowOverpay, confirmations and events anew in one request.',
    );
  }
}
