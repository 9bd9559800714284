import { type ReactNode, useState } from 'react';
import { useWrite } from '../api/use-api.js';
import { T, useTexts } from '../i18n/text.js';
import { Button } from '../parts/button.js';
import { Confirm } from '../parts/lazy-dialog.js';
import parts from '../parts/parts.module.css';
import { StepUp } from '../session/step-up.js';

/** Ends the halt of a chain, whose node has to follow the right fork again. */
export function ResumeChain({ slug, name }: { slug: string; name: string }): ReactNode {
  const { text } = useTexts();
  const [isAsking, setAsking] = useState(false);
  const resume = useWrite('resumeChain');
  return (
    <div className={parts['actions']}>
      <Button kind="danger" aria-label={text('chain.resume-named', { name })} onPress={() => setAsking(true)}>
        <T k="chain.resume" />
      </Button>
      {isAsking && (
        <Confirm
          title="chain.resume"
          what={name}
          text={text('chain.resume-question', { name })}
          confirm="chain.resume"
          isDanger
          isPending={resume.isPending}
          failure={resume.error && <StepUp error={resume.error} />}
          onConfirm={() => resume.mutate({ path: { slug } }, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
