import { describeUnread, unreadSettings } from './config-names.pure.js';
import { isConfigurationKey, SETTINGS } from './config.js';

/** What is in an environment for the gateway, and is read by nothing: a sentence each. */
export const listUnreadSettings = (environment: NodeJS.ProcessEnv): string[] =>
  unreadSettings(Object.keys(environment), SETTINGS, isConfigurationKey).map(describeUnread);
