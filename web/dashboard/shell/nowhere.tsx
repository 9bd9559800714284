import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { T, useTexts } from '../i18n/text.js';
import { Screen } from './screen.js';

export function Nowhere(): ReactNode {
  const { text } = useTexts();
  return (
    <Screen title={text('nowhere.title')}>
      <Link to="/">
        <T k="nowhere.home" />
      </Link>
    </Screen>
  );
}
