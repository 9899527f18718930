// Campaigns over several channels, made from a brief.
export { creationsPlugin } from './plugin.ts';
