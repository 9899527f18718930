// The general shell: a heading, some paragraphs and a button. Used for mails for which no starter is suitable.
import { linksIn } from '../../../core/unstable.ts';
import type { BriefLanguage } from '../../kit/brief-language.ts';
import { brandVariables, footer, header, type QuestionWords, textFooter } from '../starters/brand.ts';
import { link, optionalLine } from '../starters/fields.ts';
import { mail } from '../starters/head.ts';
import { orientationOf } from '../starters/marks.ts';
import { light } from '../starters/palette.ts';
import type { Starter } from '../starters/starter.ts';
import { starterTexts } from '../starters/texts/index.ts';
import { mailWords } from './words.ts';

/** Copy that fills the shell; plain text without Liquid. */
export interface AnnouncementCopy {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly language: BriefLanguage;
}

/** The words about questions in the small print. */
function questionsIn(language: BriefLanguage): QuestionWords {
  const { write, reply } = starterTexts[language].questions;
  return { write: (address) => write.replace('{address}', () => address), reply };
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? '');

/** Returns a paragraph as HTML. Web addresses in it become links. */
function linkedParagraph(paragraph: string): string {
  let html = '';
  let at = 0;
  for (const { start, end, url } of linksIn(paragraph)) {
    html += `${escaped(paragraph.slice(at, start))}<a href="${escaped(url)}">${escaped(url)}</a>`;
    at = end;
  }
  return html + escaped(paragraph.slice(at));
}

function body({ heading, paragraphs, language }: AnnouncementCopy): string {
  const languageWords = mailWords[language];
  const orientation = orientationOf(language);
  return mail(
    escaped(heading),
    `  <mj-body width="560px" background-color="${light.page}" css-class="page">
${header(orientation.start)}
    <mj-wrapper background-color="${light.card}" border="1px solid ${light.line}" border-radius="12px" css-class="card">
      <mj-section padding="36px 40px" css-class="inset">
        <mj-column>
          <mj-text><h1 style="margin:0;font-size:26px;line-height:34px;font-weight:700">${escaped(heading)}</h1></mj-text>
          {% if name != blank %}<mj-text padding-top="16px">${languageWords.greeting}</mj-text>{% endif %}
${paragraphs.map((text) => `          <mj-text padding-top="16px">${linkedParagraph(text)}</mj-text>`).join('\n')}
          {% if url %}<mj-button href="{{url}}" padding-top="28px">{{button}}</mj-button>{% endif %}
        </mj-column>
      </mj-section>
    </mj-wrapper>
${footer(orientation.start, languageWords.reason, questionsIn(language))}
  </mj-body>
`,
    orientation,
  );
}

const html = ({ heading, paragraphs, language }: AnnouncementCopy) => `<!doctype html>
<html lang="${language}" dir="${orientationOf(language).direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(heading)}</title></head>
<body style="margin:0;background-color:${light.page};color:${light.ink};font-family:Helvetica, Arial, sans-serif">
<div style="max-width:560px;margin:0 auto;padding:32px 16px">
<p style="font-size:18px;font-weight:700;color:${light.accent}">{% if logo_url %}<img src="{{logo_url}}" alt="{{product}}" height="32" style="border:0">{% else %}{{product}}{% endif %}</p>
<div style="background-color:${light.card};border:1px solid ${light.line};border-radius:12px;padding:32px">
<h1 style="margin:0;font-size:26px;line-height:34px">${escaped(heading)}</h1>
{% if name != blank %}<p>${mailWords[language].greeting}</p>{% endif %}
${paragraphs.map((text) => `<p>${linkedParagraph(text)}</p>`).join('\n')}
{% if url %}<p style="margin-top:28px"><a href="{{url}}" style="display:inline-block;padding:14px 28px;border-radius:8px;background-color:${light.accent};color:${light.onAccent};text-decoration:none">{{button}}</a></p>{% endif %}
</div>
<p style="font-size:14px;color:${light.soft}">${mailWords[language].reason}</p>
<p style="font-size:14px;color:${light.soft}">{{product}}{% if postal_address != blank %} · {{postal_address}}{% endif %}</p>
</div>
</body>
</html>
`;

const text = ({ heading, paragraphs, language }: AnnouncementCopy) => `${heading}
{% if name != blank %}
${mailWords[language].greeting}
{% endif %}
${paragraphs.join('\n\n')}
{% if url %}
{{button}}: {{url}}
{% endif %}
${textFooter(mailWords[language].reason, questionsIn(language))}`;

/** The shell filled with copy. */
export const fillAnnouncement = (copy: AnnouncementCopy) => ({ body: body(copy), html: html(copy), text: text(copy) });

const sample: AnnouncementCopy = {
  heading: 'Something new',
  paragraphs: ['Here is what changes for you.'],
  language: 'en',
};

export const announcement: Starter = {
  key: 'announcement',
  name: 'Announcement',
  category: 'transactional',
  delivery: 'at-least-once',
  subject: sample.heading,
  previewText: '',
  get body() {
    return body(sample);
  },
  get text() {
    return text(sample);
  },
  variables: {
    type: 'object',
    description: 'A mail with one message and, where url is given, one button.',
    required: [],
    properties: {
      name: optionalLine('Whom to greet.', 100),
      url: link('Where the button leads. Without one there is no button.'),
      button: {
        type: 'string',
        minLength: 1,
        maxLength: 60,
        default: 'Read more',
        description: 'The words on the button.',
      },
      ...brandVariables,
    },
    examples: [{}, { name: 'Ada', url: 'https://app.acme.example', button: 'Have a look' }],
  },
};
