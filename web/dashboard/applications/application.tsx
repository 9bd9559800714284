import { lazy, type ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import type { PaymentApplication } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { Elsewhere } from '../people/elsewhere.js';
import { Screen } from '../shell/screen.js';
import { TokensOf } from '../tokens/tokens.js';
import styles from './application.module.css';
import { useApplication } from './applications.queries.js';
import { Branding } from './branding.js';
import { Events } from './events.js';
import { General } from './general.js';
import { Methods } from './methods.js';
import { Secret } from './secret.js';

const Wallets = lazy(() => import('../wallets/wallets.js'));

const TABS = {
  general: ['tab.general', General],
  branding: ['tab.branding', Branding],
  methods: ['tab.methods', Methods],
  wallets: ['tab.wallets', Wallets],
  events: ['tab.events', Events],
  secret: ['tab.secret', Secret],
  tokens: ['nav.tokens', TokensOf],
} as const satisfies Record<
  string,
  readonly [MessageKey, (props: { application: PaymentApplication }) => ReactNode]
>;

function isTab(name: string | null): name is keyof typeof TABS {
  return name !== null && Object.hasOwn(TABS, name);
}

export default function Application(): ReactNode {
  const { id = '', part = null } = useParams();
  const { text } = useTexts();
  const tab = isTab(part) ? part : 'general';
  const application = useApplication(id);
  const Tab = TABS[tab][1];
  if (application.error?.status === 404)
    return (
      <Screen title={text('applications.not-found')}>
        <Elsewhere />
        <Link to="/applications">
          <T k="nav.applications" />
        </Link>
      </Screen>
    );
  return (
    <Loaded query={application}>
      {({ data }) => (
        <Screen title={data.name}>
          <nav className={styles['tabs']} aria-label={text('tab.all')}>
            {(Object.keys(TABS) as (keyof typeof TABS)[]).map((name) => (
              <Link
                key={name}
                to={`/applications/${data.id}/${name}`}
                aria-current={name === tab ? 'page' : undefined}
              >
                <T k={TABS[name][0]} />
              </Link>
            ))}
          </nav>
          <div className={parts['stack']}>
            <Tab key={`${tab} ${data.id}`} application={data} />
          </div>
        </Screen>
      )}
    </Loaded>
  );
}
