// The form of the consent page, filled in without a browser. For the tests of OAuth.

/** The fields of the form in the page, as a browser would send them */
export function consentForm(page: string, choices: Readonly<Record<string, string>> = {}): URLSearchParams {
  const form = new URLSearchParams();
  for (const [input] of page.matchAll(/<input[^>]*>/g)) {
    const [, name = ''] = /\bname="([^"]*)"/.exec(input) ?? [];
    const [, value = 'on'] = /\bvalue="([^"]*)"/.exec(input) ?? [];
    const isChoice = /type="(checkbox|radio)"/.test(input);
    if (name !== '' && (!isChoice || / checked/.test(input))) form.append(name, value.replaceAll('&amp;', '&'));
  }
  form.set('decision', 'allow');
  if (!form.has('side')) form.set('side', 'live');
  for (const [name, value] of Object.entries(choices)) {
    form.delete(name);
    for (const one of name === 'scope' ? value.split(' ') : [value]) form.append(name, one);
  }
  return form;
}
