// Contact lists: large lists of members, double opt-in, a subscribe form and the preferences of recipients.
import './events.ts';

export { listsPlugin } from './plugin.ts';
export type {
  AddedMembers,
  AddMembersOptions,
  Confirmations,
  GiftLink,
  GiftMail,
  ListSummary,
  ListsService,
  MemberSource,
  OptIn,
  PluginConfirmationRequest,
  RemovedMembers,
} from './service.ts';
export type { ListsPluginOptions, ListTexts } from './texts.ts';
