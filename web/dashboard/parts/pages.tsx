import type { ReactNode } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { Cursor } from '../api/operations.js';
import { T } from '../i18n/text.js';
import { Button } from './button.js';
import styles from './parts.module.css';
import { readTrail } from './trail.pure.js';

interface PagesProps {
  page: number;
  pages: number;
  total: number;
  onChange: (page: number) => void;
}

export function Pages({ page, pages, total, onChange }: PagesProps): ReactNode {
  return (
    <div className={styles['actions']}>
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

/**
 * Of a list that is continued from a place. The place is the parameter `after` of the address; the places before it are
 * kept with the entry of the browser's history, because a list of this kind cannot be read backwards.
 */
export function CursorPages({ cursor }: { cursor: Cursor }): ReactNode {
  const [query, setQuery] = useSearchParams();
  const trail = readTrail(useLocation().state);
  const after = query.get('after') ?? '';
  const go = (place: string, before: readonly string[]) => {
    const next = new URLSearchParams(query);
    next.delete('after');
    if (place !== '') next.set('after', place);
    setQuery(next, { state: { trail: before } });
    window.scrollTo(0, 0);
  };
  if (after === '' && !cursor.hasMore) return null;
  return (
    <div className={styles['actions']}>
      {after !== '' && (
        <Button onPress={() => go('', [])}>
          <T k="pages.first" />
        </Button>
      )}
      {trail.length > 1 && (
        <Button onPress={() => go(trail.at(-1) ?? '', trail.slice(0, -1))}>
          <T k="pages.before" />
        </Button>
      )}
      {cursor.hasMore && (
        <Button onPress={() => go(cursor.next, [...trail, after])}>
          <T k="pages.after" />
        </Button>
      )}
    </div>
  );
}
