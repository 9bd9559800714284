import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { Figures } from '../parts/figures.js';
import { formatCount, formatMoney, formatTime, type Money } from './format.pure.js';
import type { MessageKey, TextValues } from './message-key.pure.js';

export interface Texts {
  text: (key: MessageKey, values?: TextValues) => string;
  money: (amount: Money) => string;
  /** With seconds and zone; parts/when.tsx says also how long ago. */
  time: (iso: string) => string;
  /** Of what waits. */
  count: (count: number) => string;
  locale: string;
}

/** Texts, amounts and times in the reader's language. */
export function useTexts(): Texts {
  const { formatMessage, locale: tag } = useIntl();
  // Without the digits of app.tsx, which are those of messages.
  const [locale = 'en'] = tag.split('-u-');
  return {
    text: (key, values) => formatMessage({ id: key }, values),
    money: (amount) => formatMoney(amount, locale),
    time: (iso) => formatTime(iso, locale),
    count: (count) => formatCount(count, locale),
    locale,
  };
}

/** One message. Values are text, never markup. */
export function T({ k, values }: { k: MessageKey; values?: TextValues }): ReactNode {
  return <Figures>{useTexts().text(k, values)}</Figures>;
}
