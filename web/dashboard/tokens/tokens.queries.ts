import { useRead } from '../api/use-api.js';

export function useTokens(applicationId: string) {
  return useRead('listClientTokens', { path: { id: applicationId } }, { isEnabled: applicationId !== '' });
}
