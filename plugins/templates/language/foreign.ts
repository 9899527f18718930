/**
 * Placeholders of other systems that remain in a template, and their Liquid form. The parser calls it for text that
 * Liquid refuses (Handlebars, Mustache); the preview calls it for text that Liquid accepts as plain text (Mailchimp,
 * Mailgun). Pure.
 */

const unsubscribe = "For the recipient's own link to unsubscribe write %unsubscribe_url%.";
const isUnsubscribe = (name: string): boolean => /unsub/i.test(name);

const block = (open: string, close: string): string => `In Liquid: {% ${open} %}…{% ${close} %}.`;

const comparisons: Readonly<Record<string, string>> = {
  equals: '==',
  notEquals: '!=',
  greaterThan: '>',
  lessThan: '<',
  and: 'and',
  or: 'or',
};

/** The Liquid form of `{{#name rest}}`. */
function blockHint(name: string, rest: string): string {
  if (name === 'if' || name === 'unless') return block(`${name} ${rest || 'x'}`, `end${name}`);
  if (name === 'each')
    return `${block(`for item in ${rest || 'items'}`, 'endfor')} Inside, {{this.x}} is {{ item.x }}.`;
  const operator = Object.hasOwn(comparisons, name) ? comparisons[name] : undefined;
  const [left = 'a', right = 'b'] = rest.split(/\s+/).filter((word) => word !== '');
  if (operator !== undefined) return block(`if ${left} ${operator} ${right}`, 'endif');
  return `In Liquid: {% if ${name} %}…{% endif %}, or for a list {% for item in ${name} %}…{% endfor %}.`;
}

function handlebarsForm(text: string): string | undefined {
  const [, mark = '', name = '', rawArgument = ''] =
    /^\{\{[~\s]*(\{|#|\^|\/|&|!|>|@|\.\.\/)?[~\s]*([\w.:@/-]{0,60})\s*([^{}]{0,80})/.exec(text) ?? [];
  const argument = rawArgument.trim().replace(/~$/, '');
  if (mark === '{' || mark === '&')
    return isUnsubscribe(name)
      ? unsubscribe
      : `In Liquid: {{ ${name || 'x'} }}, or {{ ${name || 'x'} | raw }} for HTML that is not to be escaped.`;
  if (mark === '#') return name === '' ? undefined : blockHint(name, argument);
  if (mark === '^') return block(`unless ${name || 'x'}`, 'endunless');
  if (mark === '/') return 'In Liquid a block ends with its own tag, such as {% endif %} or {% endfor %}.';
  if (mark === '!') return block('comment', 'endcomment');
  if (mark === '>') return 'Liquid has no partials here: write the text into the template, or into its layout.';
  if (mark === '@') return 'In Liquid: {{ forloop.index0 }}, {{ forloop.first }} and {{ forloop.last }}.';
  if (mark === '../') return `In Liquid a loop sees the variables around it: {{ ${name || 'x'} }}.`;
  const [, otherwise] = name === 'insert' ? (/"default=([^"]*)"/.exec(argument) ?? []) : [];
  if (otherwise !== undefined) return `In Liquid: {{ ${argument.split(/\s/, 1)[0]} | default: "${otherwise}" }}.`;
  return undefined;
}

/**
 * Returns a hint for an output that is not Liquid (from its `{{`); undefined if it is neither Handlebars nor Mustache.
 */
export function handlebarsHint(text: string): string | undefined {
  const form = handlebarsForm(text);
  return form === undefined ? undefined : `This is Handlebars. ${form}`;
}

const tags = /\*\|([A-Z][A-Z0-9_:.=-]{0,60})\|\*|%(recipient[._][\w.]{1,60}|(?:tag|mailing_list)_unsubscribe_url)%/gi;
const maxNamed = 5;

/** Returns a sentence for each Mailchimp or Mailgun placeholder that recipients would read literally. */
export function foreignPlaceholders(text: string): string[] {
  const foundTags = new Map(
    [...text.matchAll(tags)].map(([whole, mailchimp, mailgun = '']) => [whole, mailchimp ?? mailgun]),
  );
  return [...foundTags].slice(0, maxNamed).map(([whole, name]) => {
    const variable = name.replace(/^recipient[._]/i, '').toLowerCase();
    const [, tested] = /^(?:else)?if:(\w+)/.exec(variable) ?? [];
    const form = isUnsubscribe(name)
      ? unsubscribe
      : tested !== undefined
        ? block(`if ${tested}`, 'endif')
        : /^\w+$/.test(variable)
          ? `In Liquid: {{ ${variable} }}, a variable that the send gives.`
          : 'Put a variable of Liquid in its place.';
    return `${whole} is a placeholder of ${whole.startsWith('*') ? 'Mailchimp' : 'Mailgun'}, and recipients would see it literally. ${form}`;
  });
}
