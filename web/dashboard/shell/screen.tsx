import { type ReactNode, useEffect, useRef } from 'react';
import styles from '../parts/parts.module.css';

interface ScreenProps {
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** One screen: its title is that of the page too, and gets the focus, so that a change of screens is announced. */
export function Screen({ title, aside, children }: ScreenProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    // Not when the page has just been loaded: the browser announces it then.
    if (document.activeElement !== document.body || history.state?.idx > 0) heading.current?.focus();
  }, []);
  return (
    <>
      <div className={styles['title']}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {aside}
      </div>
      {children}
    </>
  );
}
