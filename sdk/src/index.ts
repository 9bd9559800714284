// The entry point of the package: the only file in `exports`.
export { TERMINAL_STATUSES } from './payments.js';
export { Gateway } from './gateway.js';
export { GatewayError, InstructionsError, WebhookError } from './errors.js';
export { parseExact, stringifyExact } from './exact-json.js';
export { verifyDepositAddress, verifyInstructions } from './instructions.js';
export { verifyWebhook } from './webhooks.js';
export type { ClientErrorCode, ErrorCode, InstructionsRefusal, WebhookRefusal } from './errors.js';
export type { CallOptions, GatewayOptions, WriteOptions } from './http.js';
export type { SignedInstructions, VerifyInstructionsOptions } from './instructions.js';
export type { PinnedKey } from './jws.js';
export type { PaymentFilter, PaymentList, PaymentPage } from './payment-list.js';
export type { ChangesOptions } from './changes.js';
export type { CursorList, CursorPageOf } from './cursor-list.js';
export type {
  AttentionFilter,
  DeliveriesFilter,
  OverviewFilter,
  RefundsFilter,
  ReportQuery,
} from './overview.js';
export type { WaitOptions } from './payments.js';
export type { RefundListOptions, RefundPage } from './refunds.js';
export type { WebhookHeaders, WebhookRequest } from './webhooks.js';
export type * from './api-types.js';
