import type { ReactNode } from 'react';
import { useRead } from '../api/use-api.js';
import { useTexts } from '../i18n/text.js';
import parts from '../parts/parts.module.css';
import { Loaded } from '../parts/states.js';
import { Screen } from '../shell/screen.js';
import { NoticesByMail } from './notices.js';
import { OwnClients } from './own-clients.js';
import { Password, Profile } from './profile.js';
import { Sessions } from './sessions.js';
import { SecondFactor } from './second-factor.js';

export default function Account(): ReactNode {
  const { text } = useTexts();
  const account = useRead('getAccount', {});
  return (
    <Screen title={text('nav.account')}>
      <div className={parts['stack']}>
        <Loaded query={account}>{({ data }) => <Profile key={data.email} account={data} />}</Loaded>
        <Password />
        <Loaded query={account}>{({ data }) => <NoticesByMail isOperator={data.isOperator} />}</Loaded>
        <SecondFactor />
        <Sessions />
        <OwnClients />
      </div>
    </Screen>
  );
}
