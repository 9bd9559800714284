import { Component, type ReactNode } from 'react';
import { T } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import parts from '../parts/parts.module.css';

/** A screen that breaks leaves the menu, and a way out of it. */
export class Boundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override render(): ReactNode {
    if (!this.state.isBroken) return this.props.children;
    return (
      <div role="alert" className={parts['note']} data-tone="bad">
        <p>
          <T k="failure.title" />
        </p>
        <div className={parts['actions']}>
          <Button onPress={() => location.reload()}>
            <T k="failure.retry" />
          </Button>
        </div>
      </div>
    );
  }
}
