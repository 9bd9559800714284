import './global.css';
import { createRoot } from 'react-dom/client';
import { Api } from './api/api.js';
import { App } from './app.js';
import { type Locale, localeOf } from './i18n/locales.pure.js';
import { plainText, readMessages } from './i18n/messages.js';
import { Session } from './session/session.js';
import { CALLBACK, finishSignIn, startSignIn } from './session/sign-in.js';

/** Milliseconds between two questions to a gateway that does not answer. */
const PAUSE_MS = 3_000;

/** Signs in where need be, then shows the screen of the address. */
async function start(): Promise<void> {
  const locale = localeOf(document.documentElement.lang);
  const session = new Session();
  const root = document.getElementById('root');
  if (!root) throw new Error('no #root');
  const messages = readMessages();
  // While the gateway does not answer there is more to see than a white page.
  root.textContent = plainText(messages['state.loading']);
  let entry = await enter(session, locale);
  while (entry === 'away') {
    root.textContent = plainText(messages['state.away']);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    entry = await enter(session, locale);
  }
  if (entry === 'leaving') return;
  const api = new Api(session);
  createRoot(root).render(
    <App session={session} api={api} locale={locale} messages={messages} hasFailed={entry === 'failed'} />,
  );
}

/**
 * `leaving`: the browser is on its way to the sign-in. `failed`: it could not be completed; a loop would not help.
 * `away`: whether somebody is signed in is not known, as the gateway or its database does not answer.
 */
async function enter(session: Session, locale: Locale): Promise<'signed-in' | 'leaving' | 'failed' | 'away'> {
  try {
    const query = new URLSearchParams(location.search);
    if (location.pathname === CALLBACK) {
      if (query.has('error')) return 'failed';
      const path = await finishSignIn(session, query);
      history.replaceState(null, '', path ?? '/dashboard');
      if (path !== null) return 'signed-in';
    }
    const isSignedIn = await session.renew().catch(() => null);
    if (isSignedIn === null) return 'away';
    if (isSignedIn) return 'signed-in';
    await startSignIn(`${location.pathname}${location.search}`, locale);
    return 'leaving';
  } catch (error) {
    reportError(error);
    return 'failed';
  }
}

void start();
