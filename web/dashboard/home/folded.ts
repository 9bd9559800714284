/** In this browser: what somebody has seen says nothing of what others have. */
const KEY = 'checklist_folded';

export function isFolded(): boolean {
  return localStorage.getItem(KEY) !== null;
}

export function keepFolded(isIt: boolean): void {
  if (isIt) localStorage.setItem(KEY, '');
  else localStorage.removeItem(KEY);
}
