import type { ReactNode } from 'react';
import type { Finding } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T } from '../i18n/text.js';
import { Pill } from '../parts/pill.js';
import type { Tone } from '../parts/tone.pure.js';
import styles from './health.module.css';

const WORDS: Record<Finding['severity'], readonly [Tone, MessageKey]> = {
  failure: ['bad', 'health.failure'],
  warning: ['warn', 'health.warning'],
  ok: ['good', 'health.ok'],
};
const ORDER = Object.keys(WORDS);

/** Results of checks, the worst first, in the words of the server, which has English ones. */
export function Findings({ findings }: { findings: readonly Finding[] }): ReactNode {
  const sorted = findings.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
  return (
    <ul className={styles['problems']}>
      {sorted.map(({ subject, severity, found, fix }, index) => (
        <li key={index}>
          <Pill tone={WORDS[severity][0]}>
            <T k={WORDS[severity][1]} />
          </Pill>
          <div lang="en" dir="ltr">
            <strong>{subject}</strong>: {found}
            {fix !== null && <p>→ {fix}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}
