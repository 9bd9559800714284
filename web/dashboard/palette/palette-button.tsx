import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { T } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import type { Choice } from './choices.pure.js';
import styles from './palette.module.css';

const load = () => import('./palette.js');
const Palette = lazy(load);

/** Opens the palette, as Ctrl+K and ⌘K do. */
export function PaletteButton({ screens }: { screens: readonly Choice[] }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      // So that it is there for the letters that follow.
      if (event.key === 'Control' || event.key === 'Meta') void load();
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', open);
    return () => window.removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <Button aria-keyshortcuts="Control+K Meta+K" onPress={() => setOpen(true)}>
        <T k="palette.open" /> <kbd className={styles['keys']}>Ctrl K</kbd>
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette screens={screens} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
