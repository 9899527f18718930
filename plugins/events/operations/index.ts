import { emitEvent } from './emit-event.ts';

export const operations = [emitEvent] as const;
