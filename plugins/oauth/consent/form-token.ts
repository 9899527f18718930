// The hidden field that proves that a form came from our own page, because a page of another site cannot know its value. Used by
// the pages in this folder.
import type { PublicRouteContext } from '../../../core/index.ts';

type Context = Pick<PublicRouteContext, 'ports'>;

const purpose = 'oauth consent form';

/** The name of the field. */
export const tokenField = 'form_token';

/** The token for one member's form. `subject`: the id of the request or of the grant that the form is about. */
export const formToken = ({ ports }: Context, member: string, subject: string): string =>
  Buffer.from(ports.keyring.mac(JSON.stringify([member, subject]), purpose)).toString('base64url');

/** Whether the form that was sent contains the token. */
export const hasFormToken = ({ ports }: Context, form: URLSearchParams, member: string, subject: string): boolean =>
  ports.keyring.verifyMac(
    Buffer.from(form.get(tokenField) ?? '', 'base64url'),
    JSON.stringify([member, subject]),
    purpose,
  );
