// Helpers for tests of forms on pages: published pages with a form, and forms as visitors send them.

import { writePage } from './fill-placeholders.ts';
import { form, listCalls, signedTimeIn } from './list-bench.ts';
import type { MailBench } from './mail-bench.ts';
import { visit } from './tracked-mail.ts';

type Fields = Readonly<Record<string, string>>;

export const email = { name: 'email', type: 'email', label: 'Email', required: true } as const;
export const name = { name: 'name', type: 'text', label: 'Name' } as const;

/** Calls on the current bench. */
export function formCalls(current: () => MailBench) {
  const lists = listCalls(current);
  let visitors = 0;
  const pagePath = (slug: string): string => `/p/${current().workspaceId}/p/${slug}`;
  const pathOf = (slug: string, formId: string): string => `${pagePath(slug)}/forms/${formId}`;

  /** Creates a page that is built but not published. */
  async function createBuiltPage(slug: string): Promise<string> {
    const { brand, pages } = current().service.as(current().workspaceId);
    if ((await brand.list({})).data.length === 0) await brand.create({ name: 'Acme' });
    const { id } = await pages.create({ brief: 'A page for our course.', slug, length: 'short' });
    await current().drain();
    await writePage(current().service.as(current().workspaceId), id);
    return id;
  }

  /** Publishes a page with a form. Returns its id. */
  async function pageWith(slug: string, form: object): Promise<string> {
    const { pages } = current().service.as(current().workspaceId);
    const id = await createBuiltPage(slug);
    const sections = [
      { kind: 'lead_form', heading: 'Join', form: { formId: 'signup', fields: [email, name], ...form } },
    ];
    await pages.update({ idOrSlug: id, sections: sections as never });
    await pages.publish({ idOrSlug: id });
    return id;
  }

  /** Posts the fields without a change, each time from another address. */
  const post = (slug: string, fields: Fields, formId = 'signup') => {
    visitors += 1;
    const address = `203.0.${Math.floor(visitors / 200)}.${visitors % 200}`;
    return visit(current(), pathOf(slug, formId), { ...form(fields), address });
  };

  /** Opens the form, waits as a person does, and sends it. */
  async function send(slug: string, fields: Fields, formId = 'signup') {
    const at = signedTimeIn((await post(slug, {}, formId)).text);
    current().advanceClock(3_000);
    return post(slug, { ...fields, shown_at: at }, formId);
  }

  /** Presses the button on the page to which the newest mail to an address links. */
  const confirm = async (address: string) => lists.post(await lists.linkTo(address));

  const recipients = async (): Promise<(string | undefined)[]> =>
    (await current().received()).map(({ to }) => to?.[0]?.address);

  return {
    ...lists,
    press: lists.post,
    builtPage: createBuiltPage,
    confirm,
    pagePath,
    pageWith,
    pathOf,
    post,
    recipients,
    send,
  };
}
