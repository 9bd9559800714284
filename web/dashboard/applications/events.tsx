import type { ReactNode } from 'react';
import type { PaymentApplication } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T } from '../i18n/text.js';
import { Check } from '../parts/field.js';
import { SettingsForm } from './settings-form.js';

type EventType = PaymentApplication['events'][number];

/** Every one of them, because what is saved is the whole list. Null: every application gets it. */
const WORDS: Record<EventType, MessageKey | null> = {
  'payment.received': null,
  'payment.completed': null,
  'payment.underpaid': null,
  'payment.refund': null,
  'payment.found': 'event.found',
  'payment.expired': 'event.expired',
  'payment.cancelled': 'event.cancelled',
  'payment.updated': 'event.updated',
  'payment.refund_requested': 'event.refund-requested',
  'wallet.changed': 'event.wallet',
};
const EVENTS = Object.entries(WORDS) as [EventType, MessageKey | null][];
const STANDARD = EVENTS.filter(([, words]) => words === null).map(([event]) => event);

export function Events({ application }: { application: PaymentApplication }): ReactNode {
  return (
    <SettingsForm
      application={application}
      title="tab.events"
      read={(form) => ({ events: [...STANDARD, ...(form.getAll('events') as EventType[])] })}
    >
      {STANDARD.map((event) => (
        <Check key={event} isSelected isDisabled>
          <code>{event}</code> <T k="event.always" />
        </Check>
      ))}
      {EVENTS.map(
        ([event, words]) =>
          words && (
            <Check
              key={event}
              name="events"
              value={event}
              defaultSelected={application.events.includes(event)}
            >
              <code>{event}</code> <T k={words} />
            </Check>
          ),
      )}
    </SettingsForm>
  );
}
