// The page of one brand in the console: its colours and fonts, its voice, its sender and its themes.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  conclusion,
  dataTable,
  detailLayout,
  facts,
  type Html,
  html,
  idOfRow,
  moment,
  panel,
  pill,
} from '../../../core/unstable.ts';
import type { BrandLogo, Voice } from '../schema.ts';
import { brandForms } from './forms.ts';
import { palettePicture } from './palette.ts';

const linesList = (lines: readonly string[]): Html | undefined =>
  lines.length === 0 ? undefined : html`<ul>${lines.map((line) => html`<li dir="auto">${line}</li>`)}</ul>`;

const logoLink = (logo: BrandLogo | null): Html | undefined =>
  logo === null ? undefined : html`<a href="${logo.url}" target="_blank" rel="noreferrer">Open</a>`;

const fontWords = ({ family, fallback }: { readonly family: string; readonly fallback: string }): string =>
  `${family}, else ${fallback}`;

const page = (url: string | null): Html | undefined =>
  url === null ? undefined : html`<a href="${url}" target="_blank" rel="noreferrer">${url}</a>`;

function voicePart({ tone, personality, do: wanted, dont: unwanted, sample }: Voice): Html {
  if (tone === null && personality === null && wanted.length === 0 && unwanted.length === 0 && sample === null)
    return html`<p class="quiet">The voice is not described yet.</p>`;
  return facts([
    ['Tone', tone],
    ['Personality', personality],
    ['Texts should', linesList(wanted)],
    ['Texts should not', linesList(unwanted)],
    ['Sounds right', sample],
  ]);
}

export async function brandPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const brand = await ctx.calls.brand.read({ id: ctx.params['brandId'] ?? '' });
  const { voice, fonts, logos, themes, warnings } = brand;
  const themeRows = themes.map((theme) => [
    html`<span class="name" dir="auto">${theme.name}</span><span class="below">${idOfRow(theme.id)}</span>`,
    palettePicture(theme.palette),
    fontWords(theme.fonts.heading),
  ]);
  const main = [
    ...warnings.map(({ message }) => conclusion('wait', message)),
    panel('Colours', palettePicture(brand.palette)),
    panel('Voice', voicePart(voice)),
    themeRows.length === 0
      ? null
      : html`<section class="stack"><h2>Themes</h2>${dataTable('Themes', ['Theme', 'Colours', 'Headings'], themeRows)}</section>`,
  ];
  const brandFacts = facts([
    ['Headings', fontWords(fonts.heading)],
    ['Texts', fontWords(fonts.body)],
    ['Logo on light ground', logoLink(logos.light)],
    ['Logo on dark ground', logoLink(logos.dark)],
    ['Mark', logoLink(logos.mark)],
    ['Postal address', brand.postal_address ?? 'None: marketing mail needs one'],
    ['Imprint', page(brand.imprint_url)],
    ['Privacy policy', page(brand.privacy_url)],
    ['Created', moment(brand.created_at, ctx)],
    ['Changed', moment(brand.updated_at, ctx)],
    ['Id', idOfRow(brand.id)],
  ]);
  return {
    heading: brand.name,
    status: brand.is_default ? pill('Default', 'info') : undefined,
    body: detailLayout(main, [panel('Brand', brandFacts), brandForms(ctx, brand)]),
  };
}
