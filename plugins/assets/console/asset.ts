// The page of one asset in the console: its facts, a link to the file, and its deletion.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  conclusion,
  deleteAction,
  detailLayout,
  facts,
  type Html,
  html,
  idOfRow,
  moment,
  panel,
} from '../../../core/unstable.ts';
import { pictureOfAsset } from './picture.ts';
import { dimensions, kindWords, sizeWords, sourceWords, statusPill } from './words.ts';

/** A side can delete only its own assets. */
const deleteForm = (ctx: ConsoleContext, name: string, sandbox: boolean): Html | null =>
  ctx.mayCall('assets.delete') && sandbox === (ctx.side === 'sandbox')
    ? actionForm(ctx, 'delete', {
        label: 'Delete',
        question: html`The file ${name} is removed soon after. This is refused while something that is public shows it.`,
        verb: 'Delete the asset',
        isDestructive: true,
      })
    : null;

/** Deletes the asset. */
export const deleteAsset = deleteAction({
  remove: (ctx, idempotencyKey) =>
    ctx.calls.assets.delete({ assetId: ctx.params['assetId'] ?? '' }, { idempotencyKey }),
  sentence: 'The asset was deleted. Its file is removed soon.',
  link: { text: 'All assets', path: 'assets' },
});

export async function assetPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const asset = await ctx.calls.assets.read({ assetId: ctx.params['assetId'] ?? '' });
  const { url, error, status } = asset;
  const picture = pictureOfAsset(ctx, asset);
  const file =
    url === null
      ? conclusion(
          status === 'failed' ? 'bad' : 'wait',
          status === 'failed' ? 'There is no file.' : 'The file has not arrived yet.',
          error ?? undefined,
        )
      : panel(
          'File',
          html`${picture === null ? null : html`<img class="chart" src="${picture.src}" alt="${picture.alt}">`}<p><a href="${url}" target="_blank" rel="noreferrer">Open the file</a></p><p class="quiet">The link works for 24 hours, without a sign-in.</p>`,
        );
  const assetFacts = facts([
    ['Kind', asset.kind === null ? undefined : kindWords[asset.kind]],
    ['Type', asset.contentType],
    ['Size', asset.bytes === null ? undefined : sizeWords(asset.bytes)],
    ['Pixels', dimensions(asset)],
    ['Duration', asset.durationMs === null ? undefined : `${asset.durationMs / 1_000} s`],
    ['Shows', asset.alt],
    ['Tags', asset.tags.join(', ')],
    ['Origin', sourceWords[asset.source]],
    ['SHA-256', asset.sha256 === null ? undefined : idOfRow(asset.sha256)],
    ['Created', moment(asset.createdAt, ctx)],
    ['Id', idOfRow(asset.assetId)],
  ]);
  return {
    heading: asset.name,
    status: statusPill(asset),
    body: detailLayout(file, [panel('Asset', assetFacts), deleteForm(ctx, asset.name, asset.sandbox)]),
  };
}
