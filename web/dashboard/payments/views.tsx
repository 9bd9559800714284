import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Field } from '../parts/field.js';
import { Form } from '../parts/form.js';
import { Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Failure } from '../parts/states.js';
import { isFiltered, type PaymentFilters, writeFilters } from './filters.pure.js';
import { useChangeViews, useSavedViews } from './payments.queries.js';
import styles from './payments.module.css';
import { viewsOf, withoutView, withView } from './views.pure.js';

/** Filters that the user has kept under a name. */
export function Views({ filters }: { filters: PaymentFilters }): ReactNode {
  const { text } = useTexts();
  const saved = useSavedViews();
  const remove = useChangeViews();
  const [isNaming, setNaming] = useState(false);
  const query = writeFilters(filters).toString();
  const views = viewsOf(saved.data?.data.views ?? {});
  const current = views.find((one) => one.query === query);
  if (views.length === 0 && !isFiltered(filters)) return null;
  return (
    <div className={styles['views']}>
      {views.length > 0 && (
        <nav aria-label={text('views.views')}>
          <ul>
            {views.map(({ name, query: its }) => (
              <li key={name}>
                <Link to={`/payments?${its}`} aria-current={its === query ? 'page' : undefined}>
                  <bdi>{name}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {current && (
        <Button
          isPending={remove.isPending}
          onPress={() => remove.mutate((all) => withoutView(all, current.name))}
        >
          <T k="views.delete" />
        </Button>
      )}
      {!current && isFiltered(filters) && (
        <Button onPress={() => setNaming(true)}>
          <T k="views.save" />
        </Button>
      )}
      {remove.error && <Failure error={remove.error} />}
      {isNaming && <NameView query={query} onClose={() => setNaming(false)} />}
    </div>
  );
}

function NameView({ query, onClose }: { query: string; onClose: () => void }): ReactNode {
  const save = useChangeViews();
  return (
    <Dialog title="views.save" onClose={onClose}>
      <Form
        error={save.error}
        onSubmit={(form) => {
          const name = (form.get('name') as string).trim();
          save.mutate((all) => withView(all, { name, query }), { onSuccess: onClose });
        }}
        actions={
          <div className={parts['actions']}>
            <Button type="submit" kind="first" isPending={save.isPending}>
              <T k="settings.save" />
            </Button>
            <Button onPress={onClose}>
              <T k="dialog.back" />
            </Button>
          </div>
        }
      >
        <Field name="name" label="views.name" hint="views.name-hint" isRequired maxLength={80} autoFocus />
      </Form>
    </Dialog>
  );
}
