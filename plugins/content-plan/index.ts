// The content plan: what is planned on which day, market news, and weeks that are planned in steps.
export { contentPlanPlugin } from './plugin.ts';
