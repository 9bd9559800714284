import { type ReactNode, useRef, useState } from 'react';
import { localDecimal, shortestDecimal } from '../i18n/format.pure.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Check } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { countMore, crossedOf, MORE, NO_FILTERS, type PaymentFilters } from './filters.pure.js';
import { readAmount } from './read-amount.pure.js';
import { useApplications, useCurrencies, useNetworks } from './payments.queries.js';
import styles from './payments.module.css';
import { Figures } from '../parts/figures.js';

interface MoreProps {
  filters: PaymentFilters;
  onChange: (changes: Partial<PaymentFilters>) => void;
}

/** Filters that are used less often; they take effect together. */
export function MoreFilters({ filters, onChange }: MoreProps): ReactNode {
  const count = countMore(filters);
  const { text, locale, money } = useTexts();
  const currencies = useCurrencies().data?.data ?? [];
  const [problem, setProblem] = useState<string | null>(null);
  const isTyped = useRef(false);
  /** As it stands in the address, or why it does not. */
  const readBound = (written: string, code: string): { decimal: string } | { refusal: string } => {
    const decimals = currencies.find((one) => one.code === code)?.decimals;
    if (written === '' || decimals === undefined) return { decimal: '' };
    const formatted = (atomic: string) => money({ atomic, decimals, currency: { code } });
    const read = readAmount(written, { decimals, locale });
    if (read.kind === 'amount') return { decimal: shortestDecimal(read.atomic, decimals) };
    if (read.kind === 'wrong')
      return {
        refusal: text('create.amount-wrong', { example: formatted(`1${'0'.repeat(decimals)}`), decimals }),
      };
    const [one, other] = read.atomics;
    return { refusal: text('create.ambiguous', { one: formatted(one), other: formatted(other) }) };
  };
  return (
    <details open={count > 0}>
      <summary className={styles['more']}>
        <T k="filters.more" values={{ count }} />
      </summary>
      <form
        className={styles['fields']}
        onChange={() => (isTyped.current = true)}
        // Whoever goes on to the list or its export means what stands here.
        onBlur={({ currentTarget, relatedTarget }) => {
          if (isTyped.current && !currentTarget.contains(relatedTarget)) currentTarget.requestSubmit();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          isTyped.current = false;
          const form = new FormData(event.currentTarget);
          const changes = Object.fromEntries(MORE.map((name) => [name, (form.get(name) as string).trim()]));
          const code = form.get('currency') as string;
          const bounds = (['min', 'max'] as const).map(
            (name) => [name, readBound(changes[name] ?? '', code)] as const,
          );
          const refused = bounds.flatMap(([, bound]) => ('refusal' in bound ? bound.refusal : []));
          for (const [name, bound] of bounds) if ('decimal' in bound) changes[name] = bound.decimal;
          const crossed = refused.length === 0 ? crossedOf(changes) : null;
          if (crossed)
            refused.push(text('filters.backwards', { from: text(crossed[0]), to: text(crossed[1]) }));
          setProblem(refused[0] ?? null);
          if (refused.length > 0) return;
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
        {problem !== null && (
          <p role="alert" className={parts['note']} data-tone="bad">
            <Figures>{problem}</Figures>
          </p>
        )}
        <div className={`${parts['actions']} ${styles['whole']}`}>
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
  const { locale } = useTexts();
  const shown = (decimal: string) => localDecimal(decimal, locale);
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
      <Line name="min" label="filters.min" value={shown(filters.min)} />
      <Line name="max" label="filters.max" value={shown(filters.max)} />
      <Line name="since" label="filters.since" value={filters.since} />
      <Line name="until" label="filters.until" value={filters.until} />
      <div className={styles['whole']}>
        <Check name="expired_with_funds" defaultSelected={filters.attention === 'expired_with_funds'}>
          <T k="attention.expired_with_funds" />
        </Check>
      </div>
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
        {...(isDay ? { type: 'date' } : { inputMode: 'decimal', dir: 'ltr' })}
      />
    </label>
  );
}
