// Which person may change what on the page of preferences: the link in marketing mail, and the person behind its token.
import type { Handle, ServiceSurface, WorkspaceHandle } from '../../core/index.ts';
import { contentUrl } from '../../core/unstable.ts';
import type { MailPreferences } from '../email/index.ts';
import { preferencesToken, readPreferencesToken } from './confirmation/tokens.ts';

/** The person behind a token. */
export interface Visitor {
  readonly workspaceId: string;
  readonly sandbox: boolean;
  /** The normalised address. */
  readonly email: string;
  /** Undefined where the address has no contact. */
  readonly contactId: string | undefined;
}

/** The link of marketing mail: it names the contact, or the send where the address has no contact. */
export const createMailPreferences = ({ services, ports }: ServiceSurface): MailPreferences => ({
  async urlOf(handle: WorkspaceHandle, workspace, { id, email }) {
    const contact = await services.contacts.byEmail(handle, email);
    const token = preferencesToken(ports.keyring, contact?.id ?? id, email);
    return contentUrl(ports.service, workspace, `/preferences/${token}`);
  },
});

/** No contact has this id: a false token costs a look-up as well. */
const noContact = 'con_';

/** The person of a token; undefined for one that the service did not make, and once the address belongs to another person. */
export async function visitorOf(
  { services, ports }: ServiceSurface,
  handle: Handle,
  token: string,
): Promise<Visitor | undefined> {
  const read = readPreferencesToken(ports.keyring, token);
  const id = read?.id ?? noContact;
  const place =
    read?.kind === 'send'
      ? await services.systemMail.recipientOf(handle, id)
      : await services.contacts.locate(handle, id);
  if (read === undefined || place?.email == null || !read.isFor(place.email)) return undefined;
  const { workspaceId, sandbox, email } = place;
  return { workspaceId, sandbox, email, contactId: read.kind === 'contact' ? id : undefined };
}
