import type { ReactNode } from 'react';
import type { Tone } from './tone.pure.js';

const PATHS: Record<Tone, string> = {
  good: 'm3 9 4 4 8-9',
  warn: 'M9 2 1.5 15.5h15zM9 7v4m0 2.2v.1',
  bad: 'M4 4l10 10M14 4 4 14',
  calm: 'M9 5v4l2.5 2M9 2a7 7 0 1 0 0 14A7 7 0 0 0 9 2',
  idle: 'M9 2a7 7 0 1 0 0 14A7 7 0 0 0 9 2',
};

export function Icon({ tone }: { tone: Tone }): ReactNode {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true">
      <path d={PATHS[tone]} />
    </svg>
  );
}
