import { createTopic } from './create-topic.ts';
import { deleteTopic } from './delete-topic.ts';
import { listTopics } from './list-topics.ts';
import { readPreferences } from './read-preferences.ts';
import { readTopic } from './read-topic.ts';
import { setPreferences } from './set-preferences.ts';
import { updateTopic } from './update-topic.ts';

export const operations = [
  listTopics,
  readTopic,
  createTopic,
  updateTopic,
  deleteTopic,
  readPreferences,
  setPreferences,
] as const;
