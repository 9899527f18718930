// The events plugin: custom events of the program.
import { type CallsOf, definePlugin } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { customEvents } from './events.ts';
import { operations } from './operations/index.ts';
import { scopes } from './scopes.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    events: CallsOf<typeof operations>;
  }
}

/** Custom events of a workspace's contacts. */
export const eventsPlugin = () =>
  definePlugin({
    id: 'events',
    requires: ['contacts'],
    scopes,
    operations,
    console: consolePages,
    customEvents,
    extensionPoints: ['events.listeners'],
  });
