// The link to the preferences page in marketing mail, and the person that its token identifies.
import type { Handle, ServiceContext, WorkspaceHandle } from '../../core/index.ts';
import { chooseTexts, contentUrl } from '../../core/unstable.ts';
import type { MailPreferences } from '../email/index.ts';
import { preferencesToken, readPreferencesToken } from './confirmation/tokens.ts';
import type { ListTextsByLanguage } from './texts.ts';

/** The person that a token identifies. */
export interface PreferenceVisitor {
  readonly workspaceId: string;
  readonly sandbox: boolean;
  /** The normalised address. */
  readonly email: string;
  /** Undefined if the address has no contact. */
  readonly contactId: string | undefined;
}

/** Creates the link in marketing mail. It identifies the contact, or the send if the address has no contact. */
export const createMailPreferences =
  (languages: ListTextsByLanguage) =>
  ({ services, ports }: ServiceContext): MailPreferences => ({
    async linkOf(handle: WorkspaceHandle, workspace, { id, email, locale }) {
      const contact = await services.contacts.byEmail(handle, email);
      const token = preferencesToken(ports.keyring, contact?.id ?? id, email);
      const url = contentUrl(ports.service, workspace, `/preferences/${token}`);
      const { texts } = chooseTexts(languages, locale ?? undefined);
      return url === undefined ? undefined : { url, label: texts.preferences.title };
    },
  });

/** An id that no contact has. It is looked up for an invalid token, so that the response takes equally long. */
const noContact = 'con_';

/** The person of a token. Undefined if the service did not make the token, or if the address now belongs to another person. */
export async function visitorOf(
  { services, ports }: ServiceContext,
  handle: Handle,
  token: string,
): Promise<PreferenceVisitor | undefined> {
  const content = readPreferencesToken(ports.keyring, token);
  const id = content?.id ?? noContact;
  const recipient =
    content?.kind === 'send'
      ? await services.systemMail.recipientOf(handle, id)
      : await services.contacts.locate(handle, id);
  if (content === undefined || recipient?.email == null || !content.isFor(recipient.email)) return undefined;
  const { workspaceId, sandbox, email } = recipient;
  return { workspaceId, sandbox, email, contactId: content.kind === 'contact' ? id : undefined };
}
