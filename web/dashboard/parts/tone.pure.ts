/** What a color says; each has an icon and stands beside a word. */
export type Tone = 'good' | 'warn' | 'bad' | 'calm' | 'idle';
