// The documents of a workspace, as store.ts reads and changes them.
import {
  calendarContent,
  defaultsContent,
  emptyCalendar,
  emptyDefaults,
  emptyStrategy,
  strategyContent,
} from './schema.ts';

export const strategy = { name: 'strategy', content: strategyContent, empty: emptyStrategy } as const;
export const defaults = { name: 'defaults', content: defaultsContent, empty: emptyDefaults } as const;
export const calendar = { name: 'calendar', content: calendarContent, empty: emptyCalendar } as const;
