// The public names of the console plugin.
export type { ConsoleOptions } from './options.ts';
export { consolePlugin } from './plugin.ts';
