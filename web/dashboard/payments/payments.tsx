import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { PaymentListItem } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Pick } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { Pill } from '../parts/pill.js';
import { Loaded } from '../parts/states.js';
import { Screen } from '../shell/screen.js';
import { isFiltered, type PaymentFilters, readFilters, STATUSES, writeFilters } from './filters.pure.js';
import { splitNew } from './new-rows.pure.js';
import { useApplications, usePayments } from './payments.queries.js';
import styles from './payments.module.css';
import { STATUS_WORDS } from './status.pure.js';

export function Payments(): ReactNode {
  const { text } = useTexts();
  const [query, setQuery] = useSearchParams();
  const filters = readFilters(query);
  const change = (changes: Partial<PaymentFilters>) =>
    setQuery(writeFilters({ ...filters, page: 1, ...changes }));
  const payments = usePayments(filters);
  return (
    <Screen title={text('nav.payments')}>
      <Filters filters={filters} onChange={change} />
      <Loaded query={payments} rows={6}>
        {({ data, meta: { pagination } }) =>
          data.length === 0 ? (
            <Nothing isFiltered={isFiltered(filters)} onClear={() => setQuery({})} />
          ) : (
            <div className={parts['card']}>
              <Rows key={query.toString()} items={data} isBusy={payments.isPlaceholderData} />
              <Pages
                page={pagination.current_page}
                pages={pagination.total_pages}
                total={pagination.total}
                onChange={(page) => change({ page })}
              />
            </div>
          )
        }
      </Loaded>
    </Screen>
  );
}

interface FiltersProps {
  filters: PaymentFilters;
  onChange: (changes: Partial<PaymentFilters>) => void;
}

function Filters({ filters, onChange }: FiltersProps): ReactNode {
  const { text } = useTexts();
  const applications = useApplications();
  const search = useRef<HTMLInputElement>(null);
  // The address may change by the browser's buttons.
  useEffect(() => {
    if (search.current) search.current.value = filters.search;
  }, [filters.search]);
  const toggle = (status: (typeof STATUSES)[number]) =>
    onChange({
      status: filters.status.includes(status)
        ? filters.status.filter((one) => one !== status)
        : [...filters.status, status],
    });
  return (
    <search className={styles['filters']}>
      <form
        className={styles['search']}
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ search: search.current?.value.trim() ?? '' });
        }}
      >
        <label className={parts['unseen']} htmlFor="search">
          <T k="payments.search" />
        </label>
        <input
          id="search"
          ref={search}
          type="search"
          maxLength={255}
          placeholder={text('payments.search')}
          defaultValue={filters.search}
        />
        <Button type="submit">
          <T k="payments.find" />
        </Button>
      </form>
      <div role="group" aria-label={text('payments.status')} className={styles['chips']}>
        {STATUSES.map((status) => (
          <button
            key={status}
            type="button"
            aria-pressed={filters.status.includes(status)}
            onClick={() => toggle(status)}
          >
            <T k={STATUS_WORDS[status].word} />
          </button>
        ))}
        <button
          type="button"
          aria-pressed={filters.unmatchedFunds}
          onClick={() => onChange({ unmatchedFunds: !filters.unmatchedFunds })}
        >
          <T k="payments.unmatched" />
        </button>
      </div>
      {(applications.data?.data.length ?? 0) > 1 && (
        <Pick
          label="payments.application"
          value={filters.paymentApplicationId}
          options={[
            ['', text('payments.all-applications')],
            ...(applications.data?.data ?? []).map(({ id, name }) => [id, name] as const),
          ]}
          onChange={(paymentApplicationId) => onChange({ paymentApplicationId })}
        />
      )}
    </search>
  );
}

function Rows({ items, isBusy }: { items: readonly PaymentListItem[]; isBusy: boolean }): ReactNode {
  const [top, setTop] = useState(items[0]?.id ?? null);
  const { fresh, shown } = splitNew(items, top);
  return (
    <>
      <div role="status">
        {fresh > 0 && (
          <Button onPress={() => setTop(items[0]?.id ?? null)}>
            <T k="payments.new" values={{ count: fresh }} />
          </Button>
        )}
      </div>
      <table className={parts['table']} aria-busy={isBusy}>
        <caption className={parts['unseen']}>
          <T k="payments.caption" />
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <T k="payments.order" />
            </th>
            <th scope="col">
              <T k="payments.status" />
            </th>
            <th scope="col" className={parts['end']}>
              <T k="payments.price" />
            </th>
            <th scope="col">
              <T k="payments.what" />
            </th>
            <th scope="col">
              <T k="payments.created" />
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((item) => (
            <Row key={item.id} item={item} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function Row({ item }: { item: PaymentListItem }): ReactNode {
  const { money, time } = useTexts();
  const { tone, word, what } = STATUS_WORDS[item.status];
  return (
    <tr>
      <td>
        <Link to={`/payments/${item.id}`}>
          <bdi>{item.reference}</bdi>
        </Link>
        {item.referenceLabel !== item.reference && (
          <div className={parts['hint']}>
            <bdi>{item.referenceLabel}</bdi>
          </div>
        )}
      </td>
      <td>
        <Pill tone={tone}>
          <T k={word} />
        </Pill>
      </td>
      <td className={`${parts['end']} ${parts['number']}`}>
        <bdi>{money(item.amount)}</bdi>
      </td>
      <td data-wide>
        <T k={what} />
      </td>
      <td data-wide>
        <time dateTime={item.date}>{time(item.date)}</time>
      </td>
    </tr>
  );
}

function Nothing({ isFiltered: filtered, onClear }: { isFiltered: boolean; onClear: () => void }): ReactNode {
  return (
    <div className={parts['note']}>
      <p>
        <T k={filtered ? 'payments.no-match' : 'payments.none'} />
      </p>
      <div className={parts['actions']}>
        {filtered ? (
          <Button onPress={onClear}>
            <T k="payments.clear" />
          </Button>
        ) : (
          <Link className={parts['button'] ?? ''} to="/tokens">
            <T k="payments.first" />
          </Link>
        )}
      </div>
    </div>
  );
}

interface PagesProps {
  page: number;
  pages: number;
  total: number;
  onChange: (page: number) => void;
}

export function Pages({ page, pages, total, onChange }: PagesProps): ReactNode {
  return (
    <div className={parts['actions']}>
      <span>
        <T k="pages.of" values={{ page, pages: Math.max(1, pages), total }} />
      </span>
      {page > 1 && (
        <Button onPress={() => onChange(page - 1)}>
          <T k="pages.before" />
        </Button>
      )}
      {page < pages && (
        <Button onPress={() => onChange(page + 1)}>
          <T k="pages.after" />
        </Button>
      )}
    </div>
  );
}
