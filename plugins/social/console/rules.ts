// The rules that posts are checked against, for each channel, with the source of each rule and the date when it was read.
import { type Html, html } from '../../../core/unstable.ts';
import type { SocialChannels } from '../channels.ts';
import type { ChannelRules, LinkRule, TextRule } from '../port/index.ts';
import { setsInWords, sizeInWords, timeInWords } from '../problems/media.ts';
import { signName, unitName } from '../problems/text.ts';

const links: Readonly<Record<LinkRule, string>> = {
  text: 'at the end of the text, and counts',
  card: 'a card',
  link: 'the link of the post',
};

const limit = ({ unit, max, maxBytes }: TextRule): string =>
  `${max} ${unitName(unit)}${maxBytes === undefined ? '' : `, ${maxBytes} bytes`}`;

function linkOf({ link, linkInTextWith = [] }: ChannelRules): string {
  const rivals = linkInTextWith.map((rival) => (rival === 'media' ? 'attachments' : 'a text')).join(' or ');
  return rivals === '' ? links[link] : `${links[link]}; beside ${rivals} at the end of the text, and counts`;
}

function filesOf({ media: { files } }: ChannelRules): string {
  return Object.entries(files)
    .map(([kind, { maxBytes, maxMs }]) => {
      const length = maxMs === undefined ? '' : `, ${timeInWords(maxMs)}`;
      return `${kind} up to ${sizeInWords(maxBytes)}${length}`;
    })
    .join('; ');
}

function rulesOf(rules: ChannelRules): Html {
  const { name, text, textWith = {}, title, maxHashtags, maxMentions, maxLinks, forbidden, media, sources } = rules;
  const rows: [string, string | undefined][] = [
    ['Title', title === null ? undefined : limit(title)],
    ['Text', limit(text)],
    ...Object.entries(textWith).map(([kind, rule]): [string, string] => [`Text beside ${kind}s`, limit(rule)]),
    ['Hashtags', maxHashtags === null ? undefined : `at most ${maxHashtags}`],
    ['Mentions', maxMentions === undefined ? undefined : `at most ${maxMentions}`],
    ['Links', maxLinks === undefined ? undefined : `at most ${maxLinks}`],
    ['Refused signs', forbidden === undefined ? undefined : [...forbidden].map(signName).join(' ')],
    ['Attachments', media.sets.length === 0 ? 'none' : `${setsInWords(media.sets)}${media.required ? '; needed' : ''}`],
    ['Files', filesOf(rules) || undefined],
    ['Link', linkOf(rules)],
  ];
  const read = sources.map(
    ({ about, url, readOn }) =>
      html`<li><a rel="noreferrer" href="${url}">${about}</a> <span class="hush">${readOn === null ? 'not read again' : `read on ${readOn}`}</span></li>`,
  );
  const lines = rows.map(([what, rule]) => (rule === undefined ? null : html`<li><b>${what}</b> ${rule}</li>`));
  return html`<article class="card" aria-label="Rules of ${name}"><h3>${name}</h3><ul>${lines}</ul><ul class="facts">${read}</ul></article>`;
}

/** The rules of all channels, in a collapsed element. */
export const rulesView = ({ ids, rulesOf: find }: SocialChannels): Html =>
  html`<details><summary>Rules of the networks</summary><div class="cards">${ids.map((id) => {
    const rules = find(id);
    return rules === undefined ? null : rulesOf(rules);
  })}</div></details>`;
