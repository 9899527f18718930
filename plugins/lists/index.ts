// Contact lists: large lists of members, double opt-in, a subscribe form and the preferences of recipients.
import './events.ts';

export { listsPlugin } from './plugin.ts';
export type {
  AddedMembers,
  AddMembersOptions,
  AskedByPlugin,
  Confirmations,
  GivenLink,
  GivenMail,
  ListLook,
  ListsService,
  MemberSource,
  OptIn,
  RemovedMembers,
} from './service.ts';
export type { ListsPluginOptions, ListTexts } from './texts.ts';
