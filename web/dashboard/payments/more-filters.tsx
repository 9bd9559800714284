import type { ReactNode } from 'react';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Check } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { countMore, MORE, NO_FILTERS, type PaymentFilters } from './filters.pure.js';
import { useApplications, useCurrencies, useNetworks } from './payments.queries.js';
import styles from './payments.module.css';

interface MoreProps {
  filters: PaymentFilters;
  onChange: (changes: Partial<PaymentFilters>) => void;
}

/** Filters that are used less often; they take effect together. */
export function MoreFilters({ filters, onChange }: MoreProps): ReactNode {
  const count = countMore(filters);
  return (
    <details open={count > 0}>
      <summary className={styles['more']}>
        <T k="filters.more" values={{ count }} />
      </summary>
      <form
        className={styles['fields']}
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const changes = Object.fromEntries(MORE.map((name) => [name, (form.get(name) as string).trim()]));
          const isExpired = form.has('expired_with_funds');
          const was = filters.attention === 'expired_with_funds';
          onChange({
            ...changes,
            ...(isExpired && { attention: 'expired_with_funds', status: [] }),
            ...(was && !isExpired && { attention: '' }),
          });
        }}
      >
        <Fields filters={filters} />
        <div className={parts['actions']}>
          <Button type="submit" kind="first">
            <T k="filters.apply" />
          </Button>
          {count > 0 && (
            <Button
              onPress={() => onChange(Object.fromEntries(MORE.map((name) => [name, NO_FILTERS[name]])))}
            >
              <T k="payments.clear" />
            </Button>
          )}
        </div>
      </form>
    </details>
  );
}

function Fields({ filters }: { filters: PaymentFilters }): ReactNode {
  const applications = useApplications().data?.data ?? [];
  const currencies = useCurrencies().data?.data ?? [];
  const { networks } = useNetworks();
  const inUse = networks.filter(({ enabled, slug }) => enabled || slug === filters.network);
  const coins = currencies.filter(({ type, enabled }) => type === 'crypto' && enabled);
  return (
    <>
      <Choice
        name="application"
        label="payments.application"
        value={filters.application}
        options={applications.map(({ id, name }) => [id, name])}
      />
      <Choice
        name="network"
        label="filters.network"
        value={filters.network}
        options={inUse.map(({ slug, name }) => [slug, name])}
      />
      <Choice
        name="coin"
        label="filters.coin"
        value={filters.coin}
        options={coins.map(({ code }) => [code, code])}
      />
      <Choice
        name="currency"
        label="filters.currency"
        value={filters.currency}
        options={currencies.map(({ code }) => [code, code])}
      />
      <Line name="min" label="filters.min" value={filters.min} />
      <Line name="max" label="filters.max" value={filters.max} />
      <Line name="since" label="filters.since" value={filters.since} />
      <Line name="until" label="filters.until" value={filters.until} />
      <Check name="expired_with_funds" defaultSelected={filters.attention === 'expired_with_funds'}>
        <T k="attention.expired_with_funds" />
      </Check>
    </>
  );
}

interface ChoiceProps {
  name: string;
  label: MessageKey;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
}

function Choice({ name, label, value, options }: ChoiceProps): ReactNode {
  const { text } = useTexts();
  // What the address asks for stays, also before its name is known.
  const all =
    value === '' || options.some(([key]) => key === value) ? options : [[value, value] as const, ...options];
  return (
    <label className={parts['field']}>
      <T k={label} />
      {/* Its options come later than its value. */}
      <select key={all.length} name={name} defaultValue={value}>
        <option value="">{text('filters.any')}</option>
        {all.map(([key, shown]) => (
          <option key={key} value={key}>
            {shown}
          </option>
        ))}
      </select>
    </label>
  );
}

function Line({ name, label, value }: Omit<ChoiceProps, 'options'>): ReactNode {
  const isDay = name === 'since' || name === 'until';
  return (
    <label className={parts['field']}>
      <T k={label} />
      <input
        name={name}
        defaultValue={value}
        {...(isDay ? { type: 'date' } : { inputMode: 'decimal', pattern: '[0-9]+([.][0-9]+)?', dir: 'ltr' })}
      />
    </label>
  );
}
