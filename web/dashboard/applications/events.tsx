import type { ReactNode } from 'react';
import type { PaymentApplication } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T } from '../i18n/text.js';
import { Check } from '../parts/field.js';
import { SettingsForm } from './settings-form.js';

type EventType = PaymentApplication['events'][number];

/** Every application gets them. */
const STANDARD: readonly EventType[] = [
  'payment.received',
  'payment.completed',
  'payment.underpaid',
  'payment.refund',
];
const OPTIONAL: readonly (readonly [EventType, MessageKey])[] = [
  ['payment.found', 'event.found'],
  ['payment.expired', 'event.expired'],
  ['payment.cancelled', 'event.cancelled'],
  ['wallet.changed', 'event.wallet'],
];

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
      {OPTIONAL.map(([event, name]) => (
        <Check key={event} name="events" value={event} defaultSelected={application.events.includes(event)}>
          <code>{event}</code> <T k={name} />
        </Check>
      ))}
    </SettingsForm>
  );
}
