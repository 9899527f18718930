import { type CallsOf, definePlugin, defineScopes, errorDefinitions, personalDataOf } from 'postrider';
import { consolePages } from './console.js';
import { errors } from './errors.js';
import { events } from './events.js';
import { expireSurvey } from './jobs/expire-survey.js';
import { answerErrors, answerSurvey } from './operations/answer-survey.js';
import { publicRoutes } from './page.js';
import { deleteOldAnswers } from './schedules.js';
import { createSurveys } from './service.js';
import { migration0001, resourceOperations, surveys } from './surveys.js';

const scopes = defineScopes([
  { scope: 'surveys:read', description: 'Read surveys and their answers.', presets: ['read'] },
  { scope: 'surveys:write', description: 'Create, answer and delete surveys.' },
]);

// With this line, programs that import the package get the types of the events.
export { events } from './events.js';

export const operations = [...resourceOperations, answerSurvey] as const;

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
    errors: [...errorDefinitions(errors), ...errorDefinitions(answerErrors)],
    tables: { surveys: surveys.table },
    migrations: [migration0001],
    jobs: [expireSurvey],
    services: { surveys: createSurveys },
    schedules: [deleteOldAnswers],
    personalData: personalDataOf({ surveys }),
    publicRoutes,
    console: consolePages,
  });
