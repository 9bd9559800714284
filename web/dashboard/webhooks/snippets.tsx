import { type ReactNode, useState } from 'react';
import { T } from '../i18n/text.js';
import { Copy, Pick } from '../parts/field.js';
import parts from '../parts/parts.module.css';
import { LANGUAGE_NAMES, LANGUAGES, type Language, snippetOf } from './snippets.pure.js';

/** How the server at a webhook URL proves that a request is the gateway's. */
export function OfEndpoint({ url }: { url: string }): ReactNode {
  const [language, setLanguage] = useState<Language>('node');
  const snippet = snippetOf(language, { url });
  return (
    <section className={parts['card']}>
      <h2>
        <T k="snippet.title" />
      </h2>
      <p className={parts['hint']}>
        <T k="snippet.text" />
      </p>
      <Pick
        label="snippet.language"
        value={language}
        options={LANGUAGES.map((name) => [name, LANGUAGE_NAMES[name]] as const)}
        onChange={(chosen) => setLanguage(chosen as Language)}
      />
      <pre dir="ltr" data-snippet={language} tabIndex={0} role="region" aria-label={LANGUAGE_NAMES[language]}>
        {snippet}
      </pre>
      <div className={parts['actions']}>
        <Copy text={snippet} />
      </div>
    </section>
  );
}
