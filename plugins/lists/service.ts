// `ctx.services.lists`: what other plugins ask about lists and do with their members. Called inside the caller's transaction.
import type { ReadContext, ReferenceSource, TransactionContext, Workspace, WorkspaceHandle } from '../../core/index.ts';

/** Whether new members of a list must confirm by mail. */
export type OptIn = 'single' | 'double';

/** What added a member. */
export type MemberSource = 'api' | 'form' | 'sequence' | 'import';

/** A list, for what refers to it. */
export interface ListLook {
  readonly id: string;
  readonly name: string;
  readonly optin: OptIn;
  readonly visibility: 'private' | 'public';
}

/** How members are added. */
export interface AddMembersOptions {
  readonly source: MemberSource;
  /** They need no confirmation: `consentNote` says why. (Default: a double opt-in list asks each of them by mail) */
  readonly confirmed?: boolean | undefined;
  /** Kept with the membership, at most 500 characters. Required with `confirmed` in a double opt-in list. */
  readonly consentNote?: string | undefined;
}

/** What adding did. */
export interface AddedMembers {
  readonly added: number;
  /** Members already, confirmed or not; unconfirmed ones that the call confirmed are among them. */
  readonly alreadyMembers: number;
  /** Ids that are no contacts on this side. */
  readonly notFound: number;
}

/** What removing did. */
export interface RemovedMembers {
  readonly removed: number;
  readonly notMembers: number;
}

/** What a form of another plugin asks an address to confirm. */
export interface AskedByPlugin {
  /** The id of the plugin that asks. Its entry of `lists.confirmations` hears of it. */
  readonly asker: string;
  /** What that entry hears to be confirmed, such as the id of a submission. No other mail asks for it. */
  readonly subject: string;
  /** Names the form: an address is asked once in 24 hours and three times in 30 days for one. At most 200 characters. */
  readonly form: string;
  /** The address as it was given. */
  readonly email: string;
  /** What the form calls the person; the mail says it only where it can be nothing but a name. */
  readonly name: string;
  /** What the mail says that they signed up for. */
  readonly title: string;
  /** A BCP 47 tag. */
  readonly language: string;
  /** A confirmed member of this list is not asked. (Default: also members are) */
  readonly unlessMemberOf?: string | undefined;
}

/** A link to what a form gives away. */
export interface GivenLink {
  readonly label: string;
  readonly url: string;
}

/** A mail with such a link. */
export interface GivenMail extends GivenLink {
  /** The address as it was given. */
  readonly email: string;
  /** A BCP 47 tag. */
  readonly language: string;
}

/** An entry of `lists.confirmations`, of a plugin whose forms ask addresses to confirm. */
export interface Confirmations {
  /**
   * The address has confirmed: called once for each mail, in its transaction.
   * @param email the address as it was given
   */
  confirmed(effects: TransactionContext, subject: string, email: string): Promise<void>;
  /** What the page shows that follows: reads only. Called again where the button is pressed again. */
  given(ctx: ReadContext, workspace: Workspace, subject: string): Promise<readonly GivenLink[]>;
}

/** `ctx.services.lists`. */
export interface ListsService {
  /** A list of the workspace. `lock` keeps it from being deleted until the transaction ends. (Default: no lock) */
  find(handle: WorkspaceHandle, listId: string, lock?: 'share'): Promise<ListLook | undefined>;
  /** The error for an id that no list has, so that other plugins raise the same one. */
  notFound(listId: string): Error;
  /** Whether the contact is a confirmed member on the handle's side. */
  isMember(handle: WorkspaceHandle, listId: string, contactId: string): Promise<boolean>;
  /**
   * Adds contacts by their ids, at most 10,000, in this transaction; events and confirmation mails follow by jobs.
   * @throws list_not_found
   */
  addMembers(
    effects: TransactionContext,
    listId: string,
    contactIds: readonly string[],
    options: AddMembersOptions,
  ): Promise<AddedMembers>;
  /**
   * Asks an address by mail to confirm, within the limits of that mail. Called by jobs: the answer to a form must not depend on the
   * address. Answers when to ask again, in milliseconds, where the budget of the month has no room for the mail.
   */
  askToConfirm(effects: TransactionContext, asked: AskedByPlugin): Promise<number | undefined>;
  /**
   * Sends the link to what a form gives away, as one mail. Called by jobs once its address has confirmed; a suppressed address gets
   * none. Answers when to send it, in milliseconds, where the budget of the month has no room.
   */
  sendGiven(effects: TransactionContext, given: GivenMail): Promise<number | undefined>;
  /** Removes contacts by their ids, at most 10,000. @throws list_not_found */
  removeMembers(effects: TransactionContext, listId: string, contactIds: readonly string[]): Promise<RemovedMembers>;
}

declare module '../../core/contract/open.ts' {
  interface Services {
    lists: ListsService;
  }
  interface ExtensionPoints {
    /** What names a list: `list_in_use` shows it when the list is to be deleted. */
    'lists.references': ReferenceSource;
    'lists.confirmations': Confirmations;
  }
}
