import { type ReactNode, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Copy, Field } from '../parts/field.js';
import { Form } from '../parts/form.js';
import { Dialog } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { When } from '../parts/when.js';
import { Allowed, useMay } from '../people/allowed.js';
import { Screen } from '../shell/screen.js';
import { useApplications } from './applications.queries.js';
import { newSecret } from './new-secret.js';

export default function Applications(): ReactNode {
  const { text } = useTexts();
  const [query, setQuery] = useSearchParams();
  const applications = useApplications();
  const may = useMay();
  return (
    <Screen
      title={text('nav.applications')}
      aside={
        <Allowed to="createPaymentApplication">
          <Button kind="first" onPress={() => setQuery({ new: 'true' })}>
            <T k="applications.create" />
          </Button>
        </Allowed>
      }
    >
      <p>
        <Link to="/wallets">
          <T k="wallets.defaults" />
        </Link>
      </p>
      <Loaded query={applications}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={parts['note']}>
              <T k="applications.none" />
            </p>
          ) : (
            <ul className={parts['stack']}>
              {data.map(({ id, name, site, createdAt }) => (
                <li key={id} className={parts['card']}>
                  <h2>
                    <Link to={`/applications/${id}`}>
                      <bdi>{name}</bdi>
                    </Link>
                  </h2>
                  <p className={parts['hint']}>
                    <bdi>{site.url}</bdi> <When at={createdAt} />
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {query.has('new') && may('createPaymentApplication') && <NewApplication onClose={() => setQuery({})} />}
    </Screen>
  );
}

/** The secret is made here: a server that makes one, or a person who types one, gets it wrong more often. */
function NewApplication({ onClose }: { onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const [secret] = useState(newSecret);
  const create = useWrite('createPaymentApplication');
  const made = create.data?.data;
  if (made)
    return (
      <Dialog title="applications.made">
        <p>
          <T k="secret.once" />
        </p>
        <pre dir="ltr">{secret}</pre>
        <div className={parts['actions']}>
          <Copy text={secret} />
          <Button kind="first" onPress={() => void navigate(`/applications/${made.id}`)}>
            <T k="tokens.stored" />
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="applications.create" onClose={onClose}>
      <Form
        error={create.error}
        onSubmit={(form) => {
          const textOf = (name: string) => (form.get(name) as string).trim();
          create.mutate({
            body: {
              name: textOf('name'),
              secret,
              url: textOf('url') || null,
              callbackUrl: textOf('callbackUrl') || null,
            },
          });
        }}
        actions={
          <div className={parts['actions']}>
            <Button type="submit" kind="first" isPending={create.isPending}>
              <T k="applications.create" />
            </Button>
            <Button onPress={onClose}>
              <T k="dialog.back" />
            </Button>
          </div>
        }
      >
        <Field name="name" label="applications.name" isRequired maxLength={255} autoFocus />
        <Field name="url" label="applications.url" type="url" />
        <Field
          name="callbackUrl"
          label="applications.callback"
          hint="applications.callback-hint"
          type="url"
        />
      </Form>
    </Dialog>
  );
}
