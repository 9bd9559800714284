import { createContext, useContext } from 'react';

/** Whether changes come by themselves; if not, screens have to poll. */
export const LiveContext = createContext(false);

export const useIsLive = (): boolean => useContext(LiveContext);
