// The public names of the console plugin.
export type { ConsoleOptions } from './options.ts';
export type { FirstStep, OverviewPart } from './overview.ts';
export { consolePlugin } from './plugin.ts';
