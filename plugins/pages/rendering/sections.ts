// Each kind of section as HTML: headings in order, lists as lists, tables as tables. Pure.
import { escapeHtml, legalAnchors } from '../../../core/unstable.ts';
import { formHtml } from '../forms/form-html.ts';
import type { Section, SectionItem, SectionKind } from '../sections/schema.ts';
import { artwork } from './artwork.ts';
import { button, intro, itemHeading, itemText, linked, picture, sectionHtml, sectionText } from './parts.ts';
import type { PageRenderContext } from './render-context.ts';
import { hasHeading, levelIn } from './texts.ts';
import { embedOf } from './video.ts';

type Writer = (context: PageRenderContext, section: Section, isFirst: boolean) => string;

const list = (items: readonly SectionItem[] | undefined, write: (item: SectionItem) => string): string =>
  (items ?? []).map((item) => `<li>${write(item)}</li>`).join('');

const hero: Writer = (place, section, isFirst) => {
  const level = isFirst ? 'h1' : 'h2';
  const title = hasHeading(section) ? `<${level}>${escapeHtml(section.heading ?? '')}</${level}>` : '';
  const text = sectionText(place, section);
  const ownPicture = picture(place, section.imageAssetId);
  return sectionHtml(
    section,
    `<div class="two"><div>${title}${
      text === '' ? '' : `<div class="lead">${text}</div>`
    }${button(section.cta)}</div><div class="art">${ownPicture === '' ? artwork(`${place.seed} ${section.id}`) : ownPicture}</div></div>`,
    'hero',
  );
};

const band: Writer = (place, section) => {
  const title = hasHeading(section) ? `<h2>${escapeHtml(section.heading ?? '')}</h2>` : '';
  const text = sectionText(place, section);
  return sectionHtml(
    section,
    `${title}${text === '' ? '' : `<div class="lead">${text}</div>`}${button(section.cta)}`,
    'band',
  );
};

const features: Writer = (place, section) =>
  sectionHtml(
    section,
    `${intro(place, section)}<ul class="cards">${list(
      section.items,
      (item) => `${picture(place, item.imageAssetId)}${itemHeading(section, item)}${itemText(place, section, item)}`,
    )}</ul>${button(section.cta)}`,
  );

const steps: Writer = (place, section) =>
  sectionHtml(
    section,
    `${intro(place, section)}<ol class="steps">${list(
      section.items,
      (item) => `${itemHeading(section, item)}${itemText(place, section, item)}`,
    )}</ol>${button(section.cta)}`,
    'soft',
  );

const faq: Writer = (place, section) =>
  sectionHtml(
    section,
    `${intro(place, section)}${(section.items ?? [])
      .map(
        (item) =>
          `<details><summary>${escapeHtml(item.title ?? '')}</summary><div>${itemText(place, section, item)}</div></details>`,
      )
      .join('')}`,
  );

const team: Writer = (place, section) =>
  sectionHtml(
    section,
    `${intro(place, section)}<ul class="people">${list(
      section.items,
      (item) =>
        `${picture(place, item.imageAssetId)}${itemHeading(section, item)}${
          item.value === undefined ? '' : `<p class="role">${escapeHtml(item.value)}</p>`
        }${itemText(place, section, item)}`,
    )}</ul>`,
  );

const testimonials: Writer = (place, section) =>
  sectionHtml(
    section,
    `${intro(place, section)}<div class="quotes">${(section.items ?? [])
      .map((item) => {
        const { title, value, href } = item;
        const person = [title, value]
          .filter((part) => part !== undefined && part !== '')
          .map((part) => escapeHtml(part ?? ''));
        return `<figure><blockquote>${itemText(place, section, item)}</blockquote>${
          person.length === 0 ? '' : `<figcaption>${linked(person.join(', '), href)}</figcaption>`
        }</figure>`;
      })
      .join('')}</div>`,
    'soft',
  );

const stats: Writer = (place, section) =>
  sectionHtml(
    section,
    `${intro(place, section)}<dl class="stats">${(section.items ?? [])
      .map(({ title, value }) => `<div><dt>${escapeHtml(title ?? '')}</dt><dd>${escapeHtml(value ?? '')}</dd></div>`)
      .join('')}</dl>`,
  );

const pricing: Writer = (place, section) =>
  sectionHtml(
    section,
    `${intro(place, section)}<ul class="plans">${list(section.items, (item) => {
      const { title, value, href } = item;
      const heading = `h${levelIn(section)}`;
      const label = place.content.ctaLabel ?? place.words.choosePlan ?? title ?? value ?? '';
      const name = title === undefined || title === label ? '' : `<span class="unseen">: ${escapeHtml(title)}</span>`;
      const link =
        href === undefined ? '' : `<a class="button" href="${escapeHtml(href)}">${escapeHtml(label)}${name}</a>`;
      return `${title === undefined ? '' : `<${heading}>${escapeHtml(title)}</${heading}>`}<p class="price">${escapeHtml(value ?? '')}</p>${itemText(place, section, item)}${link}`;
    })}</ul>`,
  );

const logos: Writer = (place, section) =>
  sectionHtml(
    section,
    `${intro(place, section)}<ul class="logos">${list(section.items, ({ imageAssetId, title, href }) =>
      linked(picture(place, imageAssetId, title), href),
    )}</ul>`,
  );

const gallery: Writer = (place, section) =>
  sectionHtml(
    section,
    `${intro(place, section)}<ul class="gallery">${list(
      section.items,
      ({ imageAssetId, title }) =>
        `<figure>${picture(place, imageAssetId)}${title === undefined ? '' : `<figcaption>${escapeHtml(title)}</figcaption>`}</figure>`,
    )}</ul>`,
  );

const richtext: Writer = (place, section) =>
  sectionHtml(
    section,
    `${hasHeading(section) ? `<h2>${escapeHtml(section.heading ?? '')}</h2>` : ''}<div class="text">${sectionText(place, section)}</div>${button(section.cta)}`,
  );

const comparison: Writer = (place, section) => {
  const head = (section.columns ?? []).map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join('');
  const rows = (section.items ?? []).map(
    ({ title, values = [] }) =>
      `<tr><th scope="row">${escapeHtml(title ?? '')}</th>${values.map((value) => `<td>${escapeHtml(value)}</td>`).join('')}</tr>`,
  );
  const label = escapeHtml(section.heading || place.content.title);
  return sectionHtml(
    section,
    `${intro(place, section)}<div class="table" role="region" aria-label="${label}" tabindex="0"><table><thead><tr><td></td>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
  );
};

const video: Writer = (place, section) => {
  const url = section.url ?? '';
  const title = escapeHtml(section.heading ?? place.content.title);
  const embed = embedOf(url);
  const data = embed === undefined ? '' : ` data-embed="${escapeHtml(embed)}" data-title="${title}"`;
  return sectionHtml(
    section,
    `${intro(place, section)}<div class="video"><a class="play" href="${escapeHtml(url)}"${data} rel="noopener">▶ ${title}</a></div>`,
  );
};

const countdown: Writer = (place, section) => {
  const until = new Date(section.until ?? 0);
  const visibleTime = new Intl.DateTimeFormat(place.language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(until);
  return sectionHtml(
    section,
    `${intro(place, section)}<p><time class="countdown" datetime="${until.toISOString()}" data-until="${until.toISOString()}">${escapeHtml(visibleTime)} UTC</time></p>${button(section.cta)}`,
    'soft',
  );
};

const form: Writer = (place, section) => {
  const html =
    section.form === undefined
      ? ''
      : formHtml(section.form, {
          ...place.forms,
          button: section.cta?.label ?? section.form.button ?? place.content.ctaLabel ?? undefined,
          markdown: (text) => sectionText(place, section, text),
        });
  return sectionHtml(section, `${intro(place, section)}${html}`, 'soft');
};

/** The footer of the page. */
export const footer = (context: PageRenderContext, section: Section | undefined): string => {
  const items = (section?.items ?? []).filter(({ title }) => title !== undefined && title !== '');
  const links =
    items.length === 0 ? '' : `<ul>${list(items, ({ title, href }) => linked(escapeHtml(title ?? ''), href))}</ul>`;
  const name = escapeHtml(section?.heading || context.brand.name);
  const id = section === undefined ? '' : ` id="${escapeHtml(section.id)}"`;
  const legal = legalAnchors(context.brand, context.language);
  return `<footer${id}><div class="wrap"><p><bdi>${name}</bdi></p>${section === undefined ? '' : sectionText(context, section)}${links}${legal === '' ? '' : `<p class="legal">${legal.trimStart()}</p>`}</div></footer>`;
};

/** The writers of every kind except the footer, which is outside `main`. */
export const writers: Readonly<Record<Exclude<SectionKind, 'footer'>, Writer>> = {
  ...{ hero, banner: band, cta: band, features, how_it_works: steps, faq, team, testimonials, stats, pricing },
  ...{ logos, gallery, richtext, comparison, video, countdown, lead_form: form, contact: form, newsletter: form },
};
