// Helpers for tests of lists: lists, members and their mails on a bench, and forms as browsers send them.
import type { MailBench } from './mail-bench.ts';
import { urlsOf, visit } from './tracked-mail.ts';

/** A form as a browser sends it. */
export const form = (fields: Readonly<Record<string, string>> | readonly (readonly [string, string])[]) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  body: new URLSearchParams(fields as Record<string, string>).toString(),
});

/** The signed time in a form. */
export const signedTimeIn = (html: string): string => /name="shown_at" value="([^"]+)"/.exec(html)?.[1] ?? '';

/** Calls on the current bench. */
export function listCalls(current: () => MailBench) {
  let calls = 0;
  const call = (path: string, method: string, body: object | undefined, key = current().liveKey) => {
    calls += 1;
    return current().request(path, { method, body, key, headers: { 'idempotency-key': `lists-${calls}` } });
  };
  const create = async (body: object): Promise<string> => (await call('/v1/lists', 'POST', body)).body.listId;
  const contact = async (name: string, key?: string): Promise<string> =>
    (await call('/v1/contacts', 'POST', { email: `${name}@example.org`, attributes: { first_name: name } }, key)).body
      .id;
  const add = (id: string, contactIds: readonly string[], key?: string) =>
    call(`/v1/lists/${id}/members`, 'POST', { contactIds }, key);
  const members = async (id: string, key = current().liveKey) =>
    (await current().request(`/v1/lists/${id}/members`, { key })).body.data;
  const statusesOf = async (id: string) =>
    (await members(id)).map(({ email, status, source }: Record<string, string>) => `${email} ${status} ${source}`);
  const doubleList = () => create({ name: 'Product <news>', optin: 'double', visibility: 'public' });
  /** The link in the newest mail to an address. */
  const linkTo = async (email: string): Promise<string> => {
    const mails = (await current().received()).filter(
      ({ to }) => to?.[0]?.address?.toLowerCase() === email.toLowerCase(),
    );
    return urlsOf(mails.at(-1) ?? {}).links[0] ?? '';
  };
  const post = (url: string) => visit(current(), url, form({}));
  return { call, create, contact, add, members, statusesOf, doubleList, linkTo, post };
}
