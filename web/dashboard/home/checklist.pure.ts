import type { MessageKey } from '../i18n/message-key.pure.js';

/** What is known of the account; undefined: not yet. */
export interface Known {
  applications: number | undefined;
  tokens: number | undefined;
  hasCallback: boolean | undefined;
  payments: number | undefined;
  paid: number | undefined;
}

export interface Step {
  text: MessageKey;
  /** Null: not known yet. */
  isDone: boolean | null;
  path: string;
}

/** The way from an empty account to a paid order. */
export function checklist({ applications, tokens, hasCallback, payments, paid }: Known): Step[] {
  const some = (count: number | undefined) => (count === undefined ? null : count > 0);
  // What belongs to an application cannot be there without one.
  const ofApplication = (is: boolean | null) => (applications === 0 ? false : is);
  return [
    { text: 'step.application', isDone: some(applications), path: '/applications' },
    { text: 'step.token', isDone: ofApplication(some(tokens)), path: '/tokens' },
    { text: 'step.webhook', isDone: ofApplication(hasCallback ?? null), path: '/webhooks' },
    { text: 'step.payment', isDone: some(payments), path: '/payments' },
    { text: 'step.paid', isDone: some(paid), path: '/payments' },
  ];
}

/** Nothing is left to do: the list can go. */
export function isComplete(steps: readonly Step[]): boolean {
  return steps.every(({ isDone }) => isDone === true);
}
