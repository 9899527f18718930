import { defineScopes } from '../../core/index.ts';

export const scopes = defineScopes([
  {
    scope: 'broadcasts:send',
    description:
      'Schedule, pause, resume and cancel broadcasts, send tests of them, decide their experiments, and release marketing mail that is held.',
    risk: 'Sends mail to every contact of an audience.',
  },
]);
