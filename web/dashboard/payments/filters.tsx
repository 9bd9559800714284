import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { AttentionKind } from '../api/operations.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Chip, Chips } from '../parts/chips.js';
import { ATTENTION_WORDS } from './attention-words.pure.js';
import {
  ATTENTION_FILTERS,
  type AttentionFilter,
  type PaymentFilters,
  QUEUED,
  STATUSES,
} from './filters.pure.js';
import { MoreFilters } from './more-filters.js';
import { useAttentionCounts } from './payments.queries.js';
import styles from './payments.module.css';
import { STATUS_WORDS } from './status.pure.js';

interface FiltersProps {
  filters: PaymentFilters;
  onChange: (changes: Partial<PaymentFilters>) => void;
}

export function Filters({ filters, onChange }: FiltersProps): ReactNode {
  const search = useRef<HTMLInputElement>(null);
  // The address may change by the browser's buttons.
  useEffect(() => {
    if (search.current) search.current.value = filters.search;
  }, [filters.search]);
  return (
    <search className={styles['filters']}>
      <form
        className={styles['search']}
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ search: search.current?.value.trim() ?? '' });
        }}
      >
        <label htmlFor="search">
          <T k="payments.search" />
        </label>
        <input id="search" ref={search} type="search" maxLength={255} defaultValue={filters.search} />
        <Button type="submit">
          <T k="payments.find" />
        </Button>
      </form>
      <StatusChips filters={filters} onChange={onChange} />
      <MoreFilters key={JSON.stringify(filters)} filters={filters} onChange={onChange} />
    </search>
  );
}

/** Statuses, and reasons to look at a payment as far as there are any. */
function StatusChips({ filters, onChange }: FiltersProps): ReactNode {
  const texts = useTexts();
  const { status, attention } = filters;
  const counts = useAttentionCounts(filters.application).data?.data ?? [];
  const countOf = (kind: AttentionKind | 'expired_with_funds') =>
    counts.find((one) => one.kind === kind)?.count ?? 0;
  const toggle = (one: PaymentFilters['status'][number]) =>
    onChange({
      attention: '',
      status: status.includes(one) ? status.filter((other) => other !== one) : [...status, one],
    });
  const toggleReason = (one: AttentionFilter) =>
    onChange({ status: [], attention: attention === one ? '' : one });
  return (
    <Chips label="payments.status">
      <Chip
        name="payments.all"
        isOn={status.length === 0 && attention === ''}
        onPress={() => onChange({ status: [], attention: '' })}
      />
      {STATUSES.map((one) => (
        <Chip
          key={one}
          name={STATUS_WORDS[one].word}
          count={one === 'UNDERPAID' ? countOf('underpaid') : 0}
          isOn={status.includes(one)}
          onPress={() => toggle(one)}
        />
      ))}
      {ATTENTION_FILTERS.filter((one) => one === attention || countOf(one) > 0).map((one) => (
        <Chip
          key={one}
          name={ATTENTION_WORDS[one]}
          count={countOf(one)}
          isOn={one === attention}
          onPress={() => toggleReason(one)}
        />
      ))}
      {QUEUED.filter((one) => countOf(one) > 0).map((one) => (
        <Link key={one} to={`/attention?kind=${one}`}>
          <T k={ATTENTION_WORDS[one]} /> <strong>{texts.count(countOf(one))}</strong>
        </Link>
      ))}
    </Chips>
  );
}
