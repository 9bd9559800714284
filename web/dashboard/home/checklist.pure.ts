import type { MessageKey } from '../i18n/message-key.pure.js';

/** What is known of the account; undefined: not yet. */
export interface Known {
  applications: number | undefined;
  wallets: number | undefined;
  /** Active ones whose addresses have not been compared since their key took effect. */
  uncompared: number | undefined;
  tokens: number | undefined;
  /** The watched networks, and those that are not read now. */
  chains: number | undefined;
  haltedChains: number | undefined;
  /** Whether the reader may try a node. */
  isOperator: boolean | undefined;
  /** The dashboard's own address, and every webhook URL. */
  addresses: readonly string[] | undefined;
  /** Whether a webhook was ever answered with 2xx, test events included. */
  hasDelivered: boolean | undefined;
  /** Whether the reader's sign-in asks for it; null: the sign-in is another program's. */
  secondFactor: boolean | null | undefined;
  paid: number | undefined;
  /** Paid on a network whose coins are worth something. */
  paidForReal: number | undefined;
}

export interface Step {
  text: MessageKey;
  /** Null: not known yet. */
  isDone: boolean | null;
  path: string;
}

/** The way from an empty account to a paid order; each step is checked, not ticked. */
export function checklist(known: Known, applicationId?: string): Step[] {
  const some = (count: number | undefined) => (count === undefined ? null : count > 0);
  // What belongs to an application cannot be there without one.
  const ofApplication = (is: boolean | null) => (known.applications === 0 ? false : is);
  const settings = applicationId === undefined ? '/applications' : `/applications/${applicationId}`;
  const wallets = applicationId === undefined ? settings : `${settings}/wallets`;
  return [
    { text: 'step.application', isDone: some(known.applications), path: '/applications' },
    { text: 'step.wallet', isDone: ofApplication(areCompared(known)), path: wallets },
    { text: 'step.token', isDone: ofApplication(some(known.tokens)), path: '/tokens' },
    ...(known.secondFactor === null
      ? []
      : [{ text: 'step.second-factor' as const, isDone: known.secondFactor ?? null, path: '/account' }]),
    { text: 'step.node', isDone: areRead(known), path: known.isOperator ? '/operator/health#try-node' : '/' },
    { text: 'step.https', isDone: ofApplication(areSafe(known)), path: settings },
    { text: 'step.webhook', isDone: ofApplication(known.hasDelivered ?? null), path: '/webhooks' },
    { text: 'step.paid', isDone: some(known.paid), path: '/payments' },
    { text: 'step.real', isDone: some(known.paidForReal), path: '/payments' },
  ];
}

function areCompared({ wallets, uncompared }: Known): boolean | null {
  if (wallets === undefined || uncompared === undefined) return null;
  return wallets > 0 && uncompared === 0;
}

function areRead({ chains, haltedChains }: Known): boolean | null {
  if (chains === undefined || haltedChains === undefined) return null;
  return chains > 0 && haltedChains === 0;
}

function areSafe({ addresses }: Known): boolean | null {
  return addresses?.every((address) => /^https:/i.test(address)) ?? null;
}

/** Nothing is left to do: the list can go. */
export function isComplete(steps: readonly Step[]): boolean {
  return steps.every(({ isDone }) => isDone === true);
}
