import type { ReactNode } from 'react';
import { T, useTexts } from '../i18n/text.js';

interface PaidLateProps {
  ordered: string;
  ended: string;
  paid: string;
}

/** What a shop must know to decide about money that came after the end. */
export function PaidLate({ ordered, ended, paid }: PaidLateProps): ReactNode {
  const { time } = useTexts();
  const values = { ordered: time(ordered), ended: time(ended), paid: time(paid) };
  return <T k="attention.paid-late-text" values={values} />;
}
