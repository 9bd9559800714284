import { type ReactNode, useEffect, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { SearchField } from 'react-aria-components/SearchField';
import { Text } from 'react-aria-components/Text';
import { useNavigate } from 'react-router';
import { useRead } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import Dialog from '../parts/dialog.js';
import parts from '../parts/parts.module.css';
import { Failure } from '../parts/states.js';
import { STATUS_WORDS } from '../payments/status.pure.js';
import { type Choice, type Choices, choicesOf, LEAST_LETTERS } from './choices.pure.js';
import styles from './palette.module.css';

/** Payments that are offered at a time. */
const LIMIT = 8;
/** Milliseconds without a key until the gateway is asked. */
const PAUSE_MS = 150;

interface PaletteProps {
  screens: readonly Choice[];
  onClose: () => void;
}

/** Goes anywhere by a few letters: a screen, an application, a payment by whatever is known of it. */
export default function Palette({ screens, onClose }: PaletteProps): ReactNode {
  const { text } = useTexts();
  const navigate = useNavigate();
  const [input, setInput] = useState('');
  const applications = useRead('listPaymentApplications', {}).data?.data ?? [];
  const found = usePaymentsFound(input);
  const groups = choicesOf(input, {
    screens,
    applications: applications.map(({ id, name }) => ({ path: `/applications/${id}`, text: name, hint: '' })),
    payments: found.payments,
  });
  const go = (path: string) => {
    onClose();
    void navigate(path);
  };
  return (
    <Dialog title="palette.title" onClose={onClose}>
      <Autocomplete inputValue={input} onInputChange={setInput}>
        <SearchField autoFocus className={parts['field'] ?? ''}>
          <Label className={parts['unseen'] ?? ''}>{text('palette.search')}</Label>
          <Input placeholder={text('palette.search')} maxLength={255} />
        </SearchField>
        <Menu
          aria-label={text('palette.title')}
          className={styles['menu'] ?? ''}
          onAction={(key) => go(String(key))}
        >
          {groups.map((group) => (
            <Group key={group.title} group={group} />
          ))}
        </Menu>
      </Autocomplete>
      {found.error && <Failure error={found.error} />}
      <p role="status" className={parts['hint']}>
        {found.isBusy ? <T k="state.loading" /> : groups.length === 0 && <T k="palette.nothing" />}
      </p>
    </Dialog>
  );
}

function Group({ group }: { group: Choices }): ReactNode {
  return (
    <MenuSection id={group.title}>
      <Header className={styles['header'] ?? ''}>
        <T k={group.title} />
      </Header>
      {group.items.map(({ path, text, hint }) => (
        <MenuItem key={path} id={path} textValue={text} className={styles['item'] ?? ''}>
          <Text slot="label">
            <bdi>{text}</bdi>
          </Text>
          {hint !== '' && (
            <Text slot="description" className={parts['hint'] ?? ''}>
              <bdi>{hint}</bdi>
            </Text>
          )}
        </MenuItem>
      ))}
    </MenuSection>
  );
}

/** Payments whose id, reference, address or transaction begins with the text. */
function usePaymentsFound(input: string) {
  const { text, money } = useTexts();
  const search = usePaused(input.trim());
  const isEnabled = search.length >= LEAST_LETTERS;
  const found = useRead('listPaymentOverview', { query: { search, limit: LIMIT } }, { isEnabled });
  const isCurrent = search === input.trim() && !found.isPlaceholderData;
  const payments = (isEnabled ? (found.data?.data ?? []) : []).map(
    ({ id, reference, status, amount }): Choice => ({
      path: `/payments/${id}`,
      text: reference,
      hint: `${text(STATUS_WORDS[status].word)} · ${money(amount)}`,
    }),
  );
  return {
    payments,
    error: isEnabled ? found.error : null,
    isBusy: input.trim().length >= LEAST_LETTERS && (!isCurrent || found.isFetching) && !found.error,
  };
}

/** The text as it was when the last key was pressed a moment ago. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
