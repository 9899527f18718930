import { listen } from './listen.ts';
import { trigger } from './trigger.ts';

export const commands = [listen, trigger];
