import { PaymentAddresses } from '../checkout/payment-addresses.service.js';
import { parseInstant } from '../platform/kernel/instant.pure.js';
import { type Command, required, UsageError } from './command.js';
import type { TimelineEntryContract } from '../overview/timeline.contract.js';
import { TimelineService } from '../overview/timeline.service.js';
import { PaymentPresenter } from '../payments/payment-presenter.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import { UUID } from '../platform/kernel/ids.pure.js';
import { WebhookLogService } from '../webhooks/webhook-log.service.js';

export const showPayment: Command = async (app, options, terminal) => {
  const id = required(options.id, 'id');
  if (!UUID.test(id)) throw new UsageError('--id must be the id of a payment');
  const state = await app.get(PaymentsService).get(id);
  const { userId, applicationId } = state.payment;
  const { status, amount, reference, date, expiresAt } = app.get(PaymentPresenter).payment(state);
  const lines = [
    `payment:     ${id}`,
    `reference:   ${JSON.stringify(reference)}`,
    `application: ${applicationId}`,
    `user:        ${userId}`,
    `status:      ${status}`,
    `price:       ${amount.formatted}`,
    `created:     ${date}`,
    `expires:     ${expiresAt}`,
  ];
  for (const { family, address, derivation } of await app.get(PaymentAddresses).list(id)) {
    const { treasury, keyFingerprint, path, index } = derivation;
    const place = treasury
      ? `treasury ${treasury.address}, index ${index}`
      : `key ${keyFingerprint}, path ${path}`;
    lines.push(`address:     ${address} (${family}, ${place})`);
  }
  lines.push('', ...(await app.get(TimelineService).list(state)).map(lineOf));
  terminal.write(`${lines.join('\n')}\n`);
};

function lineOf(entry: TimelineEntryContract): string {
  const { at, kind, code, previous, reason, amount, blockchain, txHash, actor, actorId } = entry;
  const { deliveryStatus, attempts } = entry;
  const parts = [
    previous === null ? code : `${previous} -> ${code}`,
    amount?.formatted,
    blockchain && `on ${blockchain}`,
    txHash && `in ${txHash}`,
    // A merchant's server may have written the reason: quoted, it stays on its line.
    reason && `(${/^[\w ./:-]+$/.test(reason) ? reason : JSON.stringify(reason)})`,
    actor && `by ${actor}${actorId === null ? '' : ` ${actorId}`}`,
    deliveryStatus && `delivery ${deliveryStatus}, attempts ${attempts ?? 0}`,
  ];
  return [at, kind.padEnd(8), ...parts.filter(Boolean)].join('  ');
}

export const replayWebhooks: Command = async (app, options, terminal) => {
  const text = required(options.since, 'since');
  const since = parseInstant(text);
  if (since === null)
    throw new UsageError('--since must be a time with a time zone, such as 2026-01-15T10:00:00Z');
  let total = 0;
  for await (const { applicationId, count } of app.get(WebhookLogService).replayAll(since)) {
    total += count;
    if (count > 0) terminal.write(`${applicationId}: ${count}\n`);
  }
  terminal.write(`deliveries that are due now: ${total}\n`);
};
