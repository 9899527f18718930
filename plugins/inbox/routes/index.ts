// All routes of the inbox.
import type { PublicRoute } from '../../../core/index.ts';
import { hiddenWithoutAccess } from '../../../core/unstable.ts';
import { phonePage, phoneText } from '../phone/page.ts';
import { deleteMessage, deleteMessages, markMessageSeen, markMessagesSeen } from './change-messages.ts';
import { listMessages } from './list-messages.ts';
import { listWorkspaces } from './list-workspaces.ts';
import { readAttachment, readHtml, readSource, readText } from './message-parts.ts';
import { pages } from './page.ts';
import { readExample } from './read-example.ts';
import { readMessage } from './read-message.ts';
import { readSend } from './read-send.ts';
import { reportMessage } from './report-message.ts';

const dataRoutes = [
  listWorkspaces,
  readExample,
  listMessages,
  deleteMessages,
  markMessagesSeen,
  readMessage,
  deleteMessage,
  markMessageSeen,
  readHtml,
  readText,
  readSource,
  readAttachment,
  reportMessage,
  readSend,
  phonePage,
  phoneText,
];

/** The routes and the page's files, each with its access check. */
export const routes: readonly PublicRoute[] = [...pages, ...dataRoutes].map((route) => ({
  ...route,
  hidden: hiddenWithoutAccess,
}));
