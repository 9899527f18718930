// The subscribe form of a public list: its fields and consent, and its HTML on pages of other plugins.
import type { Keyring } from '../../core/index.ts';
import { type ChosenTexts, type PublicForm, publicFormHtml } from '../../core/unstable.ts';
import type { ListRow } from './contact-lists.ts';
import type { SubscribeFormContext } from './service.ts';
import type { ListTexts } from './texts.ts';

export type ChosenListTexts = ChosenTexts<ListTexts>;

/** The form as the page of the list shows it. */
export const subscribeFormOf = (
  { id, name }: Pick<ListRow, 'id' | 'name'>,
  { texts: { subscribe } }: ChosenListTexts,
): PublicForm => ({
  id: `lists.subscribe:${id}`,
  fields: [
    { name: 'email', type: 'email', label: subscribe.email, required: true },
    { name: 'name', type: 'text', label: subscribe.name, required: false, autocomplete: 'name' },
  ],
  consentText: subscribe.consent.replace('{list}', () => name),
  button: subscribe.button,
  texts: subscribe,
});

/** The form with one field, for a page of another plugin. The page of the list receives it in the same language. */
export function subscribeFormHtml(
  keyring: Keyring,
  list: Pick<ListRow, 'id' | 'name'>,
  chosen: ChosenListTexts,
  { base, language, now }: SubscribeFormContext,
): string {
  const form = subscribeFormOf(list, chosen);
  const fields = form.fields.filter(({ required }) => required);
  const action = `${base}lists/${encodeURIComponent(list.id)}?language=${encodeURIComponent(language)}`;
  return publicFormHtml({ ...form, fields }, { keyring, now, action, ids: 'subscribe-' });
}
