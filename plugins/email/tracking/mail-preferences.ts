// The interface for a page where recipients of marketing mail choose which mail they get. Another plugin may provide it. Without it,
// marketing mail only has the unsubscribe link.
import type { Workspace, WorkspaceHandle } from '../../../core/index.ts';

/** The link to the page. */
export interface PreferencesLink {
  readonly url: string;
  /** The text of the line below the mail, in the language of the mail if the plugin has it. */
  readonly label: string;
}

/** `ctx.services.mailPreferences`. */
export interface MailPreferences {
  /**
   * The page for the recipient of a marketing mail, the same at every attempt. Undefined if the service has no public
   * URL. The handle is on the side of the send.
   */
  linkOf(
    handle: WorkspaceHandle,
    workspace: Workspace,
    send: { readonly id: string; readonly email: string; readonly locale: string | null },
  ): Promise<PreferencesLink | undefined>;
}
