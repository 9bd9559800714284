import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import tabs from '../applications/application.module.css';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { Screen } from '../shell/screen.js';
import { ReconciliationReport } from './reconciliation.js';
import { Chains } from './chains.js';
import { UnattributedFunds } from './funds.js';
import { Health } from './health.js';
import { Rates } from './rates.js';
import { Users } from './users.js';

const PARTS = {
  health: ['operator.health', Health],
  chains: ['operator.chains', Chains],
  rates: ['operator.rates', Rates],
  reconciliation: ['operator.reconciliation', ReconciliationReport],
  funds: ['operator.funds', UnattributedFunds],
  users: ['operator.users', Users],
} as const satisfies Record<string, readonly [MessageKey, () => ReactNode]>;

function isPart(name: string): name is keyof typeof PARTS {
  return Object.hasOwn(PARTS, name);
}

/** What only the operator of the gateway may see. */
export default function Operator(): ReactNode {
  const { text } = useTexts();
  const { part = '' } = useParams();
  const shown = isPart(part) ? part : 'health';
  const Part = PARTS[shown][1];
  return (
    <Screen title={text('nav.operator')}>
      <nav className={tabs['tabs']} aria-label={text('nav.operator')}>
        {(Object.keys(PARTS) as (keyof typeof PARTS)[]).map((name) => (
          <Link key={name} to={`/operator/${name}`} aria-current={name === shown ? 'page' : undefined}>
            <T k={PARTS[name][0]} />
          </Link>
        ))}
      </nav>
      <div className={parts['stack']}>
        <Part />
      </div>
    </Screen>
  );
}
