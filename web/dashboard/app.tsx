import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { RawIntlProvider, createIntl } from 'react-intl';
import { BrowserRouter, Route, Routes } from 'react-router';
import type { Api } from './api/api.js';
import { ApiContext } from './api/use-api.js';
import { Home } from './home/home.js';
import { digitsTag } from './i18n/format.pure.js';
import type { Locale } from './i18n/locales.pure.js';
import type { Messages } from './i18n/messages.js';
import { Live } from './live/live.js';
import { Skeleton } from './parts/states.js';
import { basePath } from './session/acting-account.js';
import type { Session } from './session/session.js';
import { SessionContext, SessionEnded, SignedIn, SignInFailed } from './session/session-dialog.js';
import { Nowhere } from './shell/nowhere.js';
import { Shell } from './shell/shell.js';

const Payments = lazy(() => import('./payments/payments.js'));
const Payment = lazy(() => import('./payment/payment.js'));
const Attention = lazy(() => import('./attention/attention.js'));
const Refunds = lazy(() => import('./refunds/refunds.js'));
const Applications = lazy(() => import('./applications/applications.js'));
const Application = lazy(() => import('./applications/application.js'));
const DefaultWallets = lazy(() => import('./wallets/default-wallets.js'));
const Tokens = lazy(() => import('./tokens/tokens.js'));
const Account = lazy(() => import('./account/account.js'));
const People = lazy(() => import('./people/people.js'));
const Audit = lazy(() => import('./audit/audit.js'));
const Operator = lazy(() => import('./operator/operator.js'));
const Webhooks = lazy(() => import('./webhooks/webhooks.js'));
const Deliveries = lazy(() => import('./webhooks/deliveries.js'));
const Delivery = lazy(() => import('./webhooks/delivery.js'));
const Requests = lazy(() => import('./requests/requests.js'));
const Funds = lazy(() => import('./funds/funds.js'));
const Reports = lazy(() => import('./reports/reports.js'));

interface AppProps {
  session: Session;
  api: Api;
  locale: Locale;
  messages: Messages;
  /** The sign-in could not be completed. */
  hasFailed: boolean;
}

export function App({ session, api, locale, messages, hasFailed }: AppProps): ReactNode {
  const [client] = useState(
    // The client package has made its attempts already.
    () => new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 2_000 } } }),
  );
  const [intl] = useState(() => createIntl({ locale: digitsTag(locale), defaultLocale: locale, messages }));
  return (
    <RawIntlProvider value={intl}>
      <I18nProvider locale={locale}>
        <SessionContext value={session}>
          <ApiContext value={api}>
            <QueryClientProvider client={client}>
              <BrowserRouter basename={basePath()}>
                {hasFailed ? (
                  <SignInFailed />
                ) : (
                  <Live>
                    <Screens />
                  </Live>
                )}
              </BrowserRouter>
              <SessionEnded />
            </QueryClientProvider>
          </ApiContext>
        </SessionContext>
      </I18nProvider>
    </RawIntlProvider>
  );
}

function Screens(): ReactNode {
  return (
    <Routes>
      <Route path="signed-in" element={<SignedIn />} />
      <Route element={<Shell />}>
        <Route index element={<Home />} />
        <Route path="payments" element={<Later screen={<Payments />} />} />
        <Route path="payments/:paymentId" element={<Later screen={<Payment />} />} />
        <Route path="attention" element={<Later screen={<Attention />} />} />
        <Route path="refunds" element={<Later screen={<Refunds />} />} />
        <Route path="funds" element={<Later screen={<Funds />} />} />
        <Route path="applications" element={<Later screen={<Applications />} />} />
        <Route path="applications/:id/:part?" element={<Later screen={<Application />} />} />
        <Route path="wallets" element={<Later screen={<DefaultWallets />} />} />
        <Route path="tokens" element={<Later screen={<Tokens />} />} />
        <Route path="webhooks" element={<Later screen={<Webhooks />} />} />
        <Route path="webhooks/deliveries" element={<Later screen={<Deliveries />} />} />
        <Route path="webhooks/deliveries/:deliveryId" element={<Later screen={<Delivery />} />} />
        <Route path="requests" element={<Later screen={<Requests />} />} />
        <Route path="people" element={<Later screen={<People />} />} />
        <Route path="audit" element={<Later screen={<Audit />} />} />
        <Route path="account" element={<Later screen={<Account />} />} />
        <Route path="operator/:part?" element={<Later screen={<Operator />} />} />
        <Route path="reports" element={<Later screen={<Reports />} />} />
        <Route path="*" element={<Nowhere />} />
      </Route>
    </Routes>
  );
}

/** A screen that is loaded when it is opened. */
function Later({ screen }: { screen: ReactNode }): ReactNode {
  return <Suspense fallback={<Skeleton />}>{screen}</Suspense>;
}
