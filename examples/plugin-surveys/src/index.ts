import type { CallsOf } from 'postrider';
import { definePlugin, defineScopes, errorDefinitions } from 'postrider';
import { errors } from './errors.js';
import { events } from './events.js';
import { expireSurvey } from './jobs/expire-survey.js';
import { answerSurvey } from './operations/answer-survey.js';
import { createSurvey } from './operations/create-survey.js';
import { listSurveys } from './operations/list-surveys.js';
import { migration0001, tables } from './tables.js';

const scopes = defineScopes([
  { scope: 'surveys:read', description: 'Read surveys and their answers.' },
  { scope: 'surveys:write', description: 'Create surveys and answer them.' },
]);

// Through this line the types of the events reach whoever imports the package.
export { events } from './events.js';

export const operations = [listSurveys, createSurvey, answerSurvey] as const;

declare module 'postrider/open' {
  interface Api {
    surveys: CallsOf<typeof operations>;
  }
}

/** Surveys: one question to one customer, answered once with a score from 0 to 10. */
export const surveysPlugin = () =>
  definePlugin({
    id: 'surveys',
    scopes,
    operations,
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    jobs: [expireSurvey],
  });
