import { type ReactNode, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Export } from '../parts/export.js';
import { CursorPages } from '../parts/pages.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { Allowed } from '../people/allowed.js';
import { Screen } from '../shell/screen.js';
import { CreatePayment } from './create-payment.js';
import { Filters } from './filters.js';
import { isFiltered, type PaymentFilters, readFilters, writeFilters } from './filters.pure.js';
import { useDecimals, usePayments } from './payments.queries.js';
import { exportQuery } from './query.pure.js';
import { Rows } from './rows.js';
import { Views } from './views.js';

export default function Payments(): ReactNode {
  const { text } = useTexts();
  const { key } = useLocation();
  const [query, setQuery] = useSearchParams();
  const [isCreating, setCreating] = useState(false);
  const filters = readFilters(query);
  // A change begins at the newest ones.
  const change = (changes: Partial<PaymentFilters>) => setQuery(writeFilters({ ...filters, ...changes }));
  const payments = usePayments(filters, query.get('after') ?? '');
  const isOld = payments.isPlaceholderData || payments.data === undefined;
  return (
    <Screen
      title={text('nav.payments')}
      aside={
        <div className={parts['buttons']}>
          <ExportPayments filters={filters} />
          <Allowed to="createCheckout">
            <Button kind="first" onPress={() => setCreating(true)}>
              <T k="create.link" />
            </Button>
          </Allowed>
        </div>
      }
    >
      <Views filters={filters} />
      <Filters filters={filters} onChange={change} />
      <Loaded query={payments} rows={6}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <>
              <Nothing
                isFiltered={isFiltered(filters)}
                isSearched={filters.search !== ''}
                onClear={() => setQuery({})}
                onCreate={() => setCreating(true)}
              />
              <CursorPages cursor={meta.cursor} />
            </>
          ) : (
            <div className={parts['card']}>
              <Rows
                // Rows that a filter brings back are not new.
                key={isOld ? 'old' : key}
                items={data}
                isOld={isOld}
              />
              <CursorPages cursor={meta.cursor} />
            </div>
          )
        }
      </Loaded>
      {isCreating && <CreatePayment onClose={() => setCreating(false)} />}
    </Screen>
  );
}

function ExportPayments({ filters }: { filters: PaymentFilters }): ReactNode {
  const query = exportQuery(filters, useDecimals(filters));
  return (
    <Export id="exportPayments" name="payments" query={query}>
      <T k={isFiltered(filters) ? 'export.filtered' : 'export.all-payments'} />
    </Export>
  );
}

interface NothingProps {
  isFiltered: boolean;
  isSearched: boolean;
  onClear: () => void;
  onCreate: () => void;
}

function Nothing({ isFiltered: filtered, isSearched, onClear, onCreate }: NothingProps): ReactNode {
  if (filtered)
    return (
      <div className={parts['note']}>
        <p>
          <T k="payments.no-match" />
        </p>
        {isSearched && (
          <p className={parts['hint']}>
            <T k="palette.nothing" />
          </p>
        )}
        <div className={parts['actions']}>
          <Button onPress={onClear}>
            <T k="payments.clear" />
          </Button>
        </div>
      </div>
    );
  return (
    <div className={parts['note']}>
      <p>
        <T k="payments.none" />
      </p>
      <ul className={parts['actions']}>
        <Allowed to="createCheckout">
          <li>
            <Button kind="first" onPress={onCreate}>
              <T k="create.link" />
            </Button>
          </li>
        </Allowed>
        <Allowed to="createClientToken">
          <li>
            <Link className={parts['button'] ?? ''} to="/tokens">
              <T k="payments.first" />
            </Link>
          </li>
        </Allowed>
        <li>
          <a className={parts['button'] ?? ''} href="/api/docs">
            <T k="payments.by-api" />
          </a>
        </li>
      </ul>
    </div>
  );
}
