// The door for a page where recipients of marketing mail choose what they get. Provided by another plugin, where one is
// composed; without it marketing mail has the unsubscribe link alone.
import type { Workspace, WorkspaceHandle } from '../../core/index.ts';

/** The link to the page. */
export interface PreferencesLink {
  readonly url: string;
  /** What the line under the mail says, in the language of the mail where the plugin has it. */
  readonly label: string;
}

/** `ctx.services.mailPreferences`. */
export interface MailPreferences {
  /**
   * The page for the recipient of a marketing mail, the same at every try; undefined where the service has no public
   * address. The handle is on the side of the send.
   */
  linkOf(
    handle: WorkspaceHandle,
    workspace: Workspace,
    send: { readonly id: string; readonly email: string; readonly locale: string | null },
  ): Promise<PreferencesLink | undefined>;
}
