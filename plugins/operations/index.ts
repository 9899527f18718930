// Finds operations by the words of a user. Agents with many tools load only search_tools, and find the other tools with it.
export { operationsPlugin } from './plugin.ts';
