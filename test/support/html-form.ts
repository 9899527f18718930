// The fields of a form as a browser would send them, without its buttons. Called by tests of pages that send a form again.

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => named[name] ?? '');

const attributeOf = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescaped(value);
};

const fieldPattern = /<input[^>]*>|<select[^>]*>[\s\S]*?<\/select>|<textarea[^>]*>[\s\S]*?<\/textarea>/g;

function valueIn(field: string): string {
  if (field.startsWith('<input')) return attributeOf(field, 'value') ?? '';
  if (field.startsWith('<textarea')) {
    const content = unescaped(/^<textarea[^>]*>([\s\S]*)<\/textarea>$/.exec(field)?.[1] ?? '');
    return content.replace(/^\n/, '').replaceAll('\n', '\r\n');
  }
  const options = [...field.matchAll(/<option[^>]*>/g)].map(([tag]) => tag);
  const chosen = options.find((tag) => tag.includes(' selected')) ?? options[0];
  return chosen === undefined ? '' : (attributeOf(chosen, 'value') ?? '');
}

/** The fields of the HTML of one form, by name. */
export const fieldsInForm = (form: string): Record<string, string> =>
  Object.fromEntries(
    [...form.matchAll(fieldPattern)].flatMap(([field]) => {
      const name = attributeOf(field, 'name');
      return name === undefined ? [] : [[name, valueIn(field)]];
    }),
  );

/** The first form of a page that sends by POST and has this field. */
export function formWith(page: string, name: string): Record<string, string> {
  const forms = [...page.matchAll(/<form[^>]*method="post"[\s\S]*?<\/form>/g)].map(([form]) => fieldsInForm(form));
  const found = forms.find((fields) => Object.hasOwn(fields, name));
  if (found === undefined) throw new Error(`The page has no form with the field ${name}.`);
  return found;
}
