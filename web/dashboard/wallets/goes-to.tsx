import type { ReactNode } from 'react';
import type { Destination } from '../api/operations.js';
import { useRead } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { familiesOf } from './families.pure.js';
import { Fingerprint } from './fingerprint.js';
import { OWNERS } from './key-owners.js';

/** Whose key new payments of an application are paid to, for every blockchain that the gateway watches. */
export function GoesTo({ applicationId }: { applicationId: string }): ReactNode {
  const destinations = useRead('listDestinations', { path: { id: applicationId } });
  const chains = useRead('listBlockchains', {}, { isFixed: true }).data?.data ?? [];
  const { locale } = useTexts();
  const families = familiesOf(chains);
  const nameOf = ({ family }: Destination) =>
    new Intl.ListFormat(locale).format(families.find((one) => one.family === family)?.names ?? [family]);
  return (
    <section
      className={parts['note']}
      data-destinations=""
      // Somebody else's key is never shown as fine.
      data-tone={destinations.data?.data.some(({ owner }) => owner === 'operator') ? 'warn' : undefined}
    >
      <p>
        <T k="goes.title" />
      </p>
      <Loaded query={destinations} rows={1}>
        {({ data }) => (
          <ul className={parts['stack']}>
            {data.map((one) => (
              <li key={one.family} data-owner={one.owner ?? 'none'}>
                <bdi>{nameOf(one)}</bdi>
                {': '}
                <strong>
                  <T k={one.owner === null ? 'goes.none' : OWNERS[one.owner]} />
                </strong>
                <br />
                {one.treasury ? (
                  <code dir="ltr">{one.treasury.address}</code>
                ) : (
                  one.fingerprint !== null && (
                    <Fingerprint of={one.fingerprint} master={one.masterFingerprint} path={one.accountPath} />
                  )
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}
