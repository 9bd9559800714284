import { useRead } from '../api/use-api.js';

export function useApplications() {
  return useRead('listPaymentApplications', {});
}

export function useApplication(id: string) {
  return useRead('getPaymentApplication', { path: { id } });
}
