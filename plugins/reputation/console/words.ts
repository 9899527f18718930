// The words of the console for the reputation. Pure.
import type { PillTone } from '../../../core/unstable.ts';
import type { Reputation } from '../schema.ts';

export const stateWords: Readonly<Record<Reputation['state'], readonly [words: string, tone: PillTone]>> = {
  ok: ['Good', 'good'],
  warned: ['Warned', 'wait'],
  held: ['Held', 'bad'],
};

/** A share from 0 to 1 as a percentage. */
export const percent = (value: number): string => `${Number((value * 100).toFixed(2))} %`;
