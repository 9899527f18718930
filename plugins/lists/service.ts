// `ctx.services.lists`: the calls that other plugins make about lists and their members. Called inside the caller's transaction.
import type { ReadContext, ReferenceSource, TransactionContext, Workspace, WorkspaceHandle } from '../../core/index.ts';

/** Whether new members of a list must confirm by mail. */
export type OptIn = 'single' | 'double';

/** The way in which a member was added. */
export type MemberSource = 'api' | 'form' | 'sequence' | 'import';

/** The properties of a list that other plugins need. */
export interface ListSummary {
  readonly id: string;
  readonly name: string;
  readonly optin: OptIn;
  readonly visibility: 'private' | 'public';
}

/** Options for adding members. */
export interface AddMembersOptions {
  readonly source: MemberSource;
  /** The members do not need a confirmation: `consentNote` says why. (Default: a double opt-in list asks each member by mail) */
  readonly confirmed?: boolean | undefined;
  /** Stored with the membership, at most 500 characters. Required with `confirmed` in a double opt-in list. */
  readonly consentNote?: string | undefined;
}

/** The result of adding members. */
export interface AddedMembers {
  readonly added: number;
  /** Contacts that were already members, confirmed or not. Includes unconfirmed members that this call confirmed. */
  readonly alreadyMembers: number;
  /** Ids that are not contacts on this side. */
  readonly notFound: number;
}

/** The number of removed members. */
export interface RemovedMembers {
  readonly removed: number;
  readonly notMembers: number;
}

/** A confirmation that a form of another plugin asks for. */
export interface PluginConfirmationRequest {
  /** The id of the plugin that asks. Its entry of `lists.confirmations` is called with the confirmation. */
  readonly asker: string;
  /** The value that is passed to that entry, such as the id of a submission. At most one mail asks for each value. */
  readonly subject: string;
  /** Identifies the form. Per form, an address is asked once in 24 hours and three times in 30 days. At most 200 characters. */
  readonly form: string;
  /** The address as the person wrote it. */
  readonly email: string;
  /** The name from the form. The mail shows it only if it contains only characters of names. */
  readonly name: string;
  /** The name of the thing that the person signed up for, as the mail shows it. */
  readonly title: string;
  /** A BCP 47 tag. */
  readonly language: string;
  /** Confirmed members of this list get no mail. (Default: members get it, too) */
  readonly unlessMemberOf?: string | undefined;
}

/** A link to the lead magnet of a form. */
export interface GiftLink {
  readonly label: string;
  readonly url: string;
}

/** A mail with a link to the lead magnet of a form. */
export interface GiftMail extends GiftLink {
  /** The address as the person wrote it. */
  readonly email: string;
  /** A BCP 47 tag. */
  readonly language: string;
}

/** An entry of `lists.confirmations`, from a plugin whose forms ask for a confirmation. */
export interface Confirmations {
  /**
   * Called when the address has confirmed, once for each mail, in the transaction of the confirmation.
   * @param email the address as it was given
   */
  confirmed(ctx: TransactionContext, subject: string, email: string): Promise<void>;
  /** The links that the page shows after the confirmation. Read-only. Called again if the button is pressed again. */
  giftLinks(ctx: ReadContext, workspace: Workspace, subject: string): Promise<readonly GiftLink[]>;
}

/** A subscribe form on a page of another plugin. */
export interface SubscribeFormContext {
  /** The path from the address of the page to the root of the content host, such as `../`. */
  readonly base: string;
  /** A BCP 47 tag: the language of the page. */
  readonly language: string;
  /** The time that the form says it was shown at, in milliseconds. A form is accepted from 2 seconds to 24 hours later. */
  readonly now: number;
}

/** `ctx.services.lists`. */
export interface ListsService {
  /** A list of the workspace. `lock` prevents its deletion until the transaction ends. (Default: no lock) */
  find(handle: WorkspaceHandle, listId: string, lock?: 'share'): Promise<ListSummary | undefined>;
  /** The error for an unknown list id, so that other plugins throw the same error. */
  notFound(listId: string): Error;
  /** Whether the contact is a confirmed member on the handle's side. */
  isMember(handle: WorkspaceHandle, listId: string, contactId: string): Promise<boolean>;
  /**
   * Adds contacts by their ids, at most 10,000, in this transaction. Jobs send the events and confirmation mails.
   * @throws list_not_found
   */
  addMembers(
    ctx: TransactionContext,
    listId: string,
    contactIds: readonly string[],
    options: AddMembersOptions,
  ): Promise<AddedMembers>;
  /**
   * The subscribe form of a public list as HTML, with one field for the address. It posts to the page of the list. Undefined if
   * the list does not exist or is private.
   */
  subscribeForm(handle: WorkspaceHandle, listId: string, page: SubscribeFormContext): Promise<string | undefined>;
  /**
   * Sends a confirmation mail to an address, within the limits of such mail. Call it in a job: the response to a form must not depend on
   * the address. If the monthly budget has no room for the mail, returns when to try again, in milliseconds since the epoch.
   */
  sendConfirmations(ctx: TransactionContext, request: PluginConfirmationRequest): Promise<number | undefined>;
  /**
   * Sends the link to the lead magnet of a form, as one mail. Call it in a job after the address has confirmed. A suppressed
   * address gets no mail. If the monthly budget has no room for the mail, returns when to try again, in milliseconds since the epoch.
   */
  sendGift(ctx: TransactionContext, mail: GiftMail): Promise<number | undefined>;
  /** Removes contacts by their ids, at most 10,000. @throws list_not_found */
  removeMembers(ctx: TransactionContext, listId: string, contactIds: readonly string[]): Promise<RemovedMembers>;
}

declare module '../../core/contract/open.ts' {
  interface Services {
    lists: ListsService;
  }
  interface ExtensionPoints {
    /** The users of a list. If a caller tries to delete the list, the error `list_in_use` lists them. */
    'lists.references': ReferenceSource;
    'lists.confirmations': Confirmations;
  }
}
