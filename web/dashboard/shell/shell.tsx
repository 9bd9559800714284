import { type ReactNode, useState } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import { useRead } from '../api/use-api.js';
import { totalOf } from '../attention/attention.pure.js';
import { LOCALES } from '../i18n/locales.pure.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { storeLocale } from '../i18n/stored-locale.js';
import { T, useTexts } from '../i18n/text.js';
import { PaletteButton } from '../palette/palette-button.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';
import { AccountPick, ActingNote } from '../people/account-pick.js';
import { useAttentionCounts } from '../payments/payments.queries.js';
import { useSession } from '../session/session-dialog.js';
import { Boundary } from './boundary.js';
import styles from './shell.module.css';

const SCREENS: readonly (readonly [path: string, name: MessageKey])[] = [
  ['/', 'nav.home'],
  ['/payments', 'nav.payments'],
  ['/attention', 'nav.attention'],
  ['/refunds', 'payment.refunds'],
  ['/funds', 'nav.funds'],
  ['/applications', 'nav.applications'],
  ['/tokens', 'nav.tokens'],
  ['/webhooks', 'nav.webhooks'],
  ['/requests', 'nav.requests'],
  ['/reports', 'nav.reports'],
  ['/people', 'nav.people'],
  ['/audit', 'nav.audit'],
  ['/account', 'nav.account'],
];
/** For the operator of the gateway. */
const OPERATOR = ['/operator', 'nav.operator'] as const;

/** What surrounds every screen. */
export function Shell(): ReactNode {
  const { text } = useTexts();
  const { pathname } = useLocation();
  /** On a phone, the page whose other places are shown. */
  const [opened, setOpened] = useState<string | null>(null);
  const isOpen = opened === pathname;
  const isOperator = useRead('getAccount', {}).data?.data.isOperator === true;
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#main">
        <T k="nav.skip" />
      </a>
      <nav className={styles['nav']} data-open={isOpen || undefined} aria-label={text('nav.main')}>
        {[...SCREENS, ...(isOperator ? [OPERATOR] : [])].map(([path, name]) => (
          <NavLink key={path} to={path} end={path === '/'}>
            <T k={name} />
            {path === '/attention' && <AttentionCount />}
          </NavLink>
        ))}
        <button
          type="button"
          className={styles['more']}
          aria-expanded={isOpen}
          onClick={() => setOpened(isOpen ? null : pathname)}
        >
          <T k="nav.more" />
        </button>
        <div className={styles['own']}>
          <You />
        </div>
      </nav>
      <div className={styles['page']}>
        <header className={styles['top']}>
          <PaletteButton screens={SCREENS.map(([path, name]) => ({ path, text: text(name), hint: '' }))} />
          <AccountPick />
          <div className={styles['you']}>
            <You />
          </div>
        </header>
        <main id="main" className={styles['main']}>
          <ActingNote />
          <Boundary key={pathname}>
            <Outlet />
          </Boundary>
        </main>
      </div>
    </div>
  );
}

/** How much waits; nothing while it is not known. */
function AttentionCount(): ReactNode {
  const texts = useTexts();
  const count = totalOf(useAttentionCounts().data?.data ?? []);
  return count > 0 && <span className={styles['badge']}>{texts.count(count)}</span>;
}

function You(): ReactNode {
  const session = useSession();
  const account = useRead('getAccount', {});
  const { text, locale } = useTexts();
  const signOut = async () => {
    await session.end();
    location.assign('/api/oauth/sign-out');
  };
  return (
    <>
      <span className={styles['email']}>{account.data?.data.email}</span>
      <label>
        <span className={parts['unseen']}>
          <T k="nav.language" />
        </span>
        <select
          className={styles['language']}
          value={locale}
          aria-label={text('nav.language')}
          onChange={(event) => {
            storeLocale(event.target.value);
            location.reload();
          }}
        >
          {LOCALES.map((one) => (
            <option key={one} value={one} lang={one}>
              {new Intl.DisplayNames(one, { type: 'language' }).of(one)}
            </option>
          ))}
        </select>
      </label>
      <Button onPress={() => void signOut()}>
        <T k="nav.sign-out" />
      </Button>
    </>
  );
}
