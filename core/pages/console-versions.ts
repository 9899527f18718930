// The part of console pages that compares two versions of a content. The query of the page names them: `before` and
// `after`.
import type { ConsoleContext } from '../contract/declaration/console.ts';
import { type ComparedText, differences } from './console-differences.ts';
import { panel } from './console-parts.ts';
import { type Html, html } from './html.ts';

/** The number of a published version, or the working copy. */
export type VersionName = number | 'working';

/** The two versions that a page compares. */
export interface VersionPair {
  readonly before: VersionName;
  readonly after: VersionName;
}

export const versionWords = (version: VersionName): string =>
  version === 'working' ? 'Working copy' : `Version ${version}`;

function versionIn(text: string | undefined): VersionName | undefined {
  if (text === 'working') return text;
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/**
 * The versions that the query names. (Default: the working copy against the published version; without changes in the
 * working copy, the published version against the one before) `current`: the published version, at least 1.
 */
export function chosenVersions(
  { query }: Pick<ConsoleContext, 'query'>,
  { current, hasChanges }: { readonly current: number; readonly hasChanges: boolean },
): VersionPair {
  const after = versionIn(query['after']) ?? (hasChanges ? 'working' : current);
  const defaultBefore = after === 'working' ? current : Math.max(1, after - 1);
  return { before: versionIn(query['before']) ?? defaultBefore, after };
}

/**
 * A version in a list, as a link to its comparison with the version before. The first version is compared with the
 * published version, `current`.
 */
export const versionLink = (
  ctx: Pick<ConsoleContext, 'link'>,
  path: string,
  version: number,
  current: number,
): Html => {
  const [before, after] = version === 1 ? [1, current] : [version - 1, version];
  const href = ctx.link(path, { before: String(before), after: String(after) });
  return html`<a class="name" href="${href}">Version ${version}</a>${version === current ? ' (current)' : ''}`;
};

/** The form that chooses two versions, and their differences. `numbers`: the published versions, newest first. */
export function versionComparison(
  ctx: Pick<ConsoleContext, 'link' | 'side'>,
  path: string,
  { before, after }: VersionPair,
  numbers: readonly number[],
  texts: readonly ComparedText[],
): Html {
  const choice = (name: string, label: string, chosen: VersionName): Html => {
    const listedVersions: readonly VersionName[] = ['working', ...numbers];
    const options = (listedVersions.includes(chosen) ? listedVersions : [...listedVersions, chosen]).map(
      (version) =>
        html`<option value="${version}"${version === chosen ? html` selected` : null}>${versionWords(version)}</option>`,
    );
    return html`<label class="field"><span>${label}</span><select name="${name}">${options}</select></label>`;
  };
  const [action = ''] = ctx.link(path).split('?', 1);
  const form = html`<form class="filters" method="get" action="${action}"><input type="hidden" name="side" value="${ctx.side}">${choice('before', 'From', before)}${choice('after', 'To', after)}<button class="button" type="submit">Compare</button></form>`;
  const title = `From ${versionWords(before).toLowerCase()} to ${versionWords(after).toLowerCase()}`;
  return html`${form}${panel(title, differences(texts))}`;
}
