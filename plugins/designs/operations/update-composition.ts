import { isDeepStrictEqual } from 'node:util';
import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { checkedLayers } from '../layers.ts';
import { presentComposition } from '../present.ts';
import { compositionResource, layers, name } from '../schema.ts';
import { compositionRows } from '../tables.ts';
import { someComposition, someLayers, somePicture } from './fixture-rows.ts';

export const updateComposition = defineOperation({
  id: 'designs.update',
  summary: 'Change a composition',
  description:
    'name and layers are replaced, each as a whole: a layer that is not in the list is removed. A layer that is given with its id keeps it. The version counts every change; expectedVersion or If-Match prevents overwriting the change of another caller.',
  http: 'PATCH /v1/compositions/{compositionId}',
  tool: { name: 'update_composition', destructive: true },
  scopes: ['compositions:write'],
  idempotency: 'replay',
  input: {
    params: z.object({ compositionId: idParameter('cmp') }),
    body: z.object({
      name: name.optional(),
      layers: layers.optional(),
      expectedVersion: z
        .int()
        .min(1)
        .optional()
        .describe('The change is refused if the composition has a different version.'),
    }),
  },
  fieldHints: Object.fromEntries(
    ['width', 'height', 'cropPresetId', 'brandId'].map((field) => [
      field,
      'A composition keeps its size and its brand: create another one.',
    ]),
  ),
  output: compositionResource,
  entityTag: ({ version }) => version,
  ifMatch: true,
  errors: ['composition_not_found', 'version_conflict'],
  audit: { action: 'composition.update', target: ({ compositionId }) => ({ kind: 'composition', id: compositionId }) },
  fixture: async (kit) => {
    const box = { x: 0, y: 0, width: 100, height: 100 };
    const theirs = await kit.call(
      'qr.create',
      { encodes: { kind: 'static', payload: 'https://shop.example' } },
      kit.foreignWorkspaceId,
    );
    return {
      params: { compositionId: await someComposition(kit, kit.workspaceId) },
      body: { name: kit.unique('Summer sale'), layers: someLayers.map((layer) => ({ ...layer })) },
      foreign: {
        params: { compositionId: await someComposition(kit, kit.foreignWorkspaceId) },
        body: {
          'layers[].id': 'skipped: a name inside of the composition',
          'layers[].assetId': [{ kind: 'image', ...box, assetId: await somePicture(kit, kit.foreignWorkspaceId) }],
          'layers[].qrId': [{ kind: 'qr', ...box, qrId: theirs['qrId'] }],
        },
      },
      errors: { version_conflict: async () => ({ body: { name: 'Late', expectedVersion: 1_000_000 } }) },
    };
  },

  async handler(ctx, { params: { compositionId }, body }) {
    const row = await compositionRows.lock(ctx.trx, compositionId);
    if (row === undefined) throw errors.composition_not_found({ id: compositionId });
    ctx.expectVersion(row.version, body.expectedVersion);
    const next = {
      name: body.name ?? row.name,
      layers: body.layers === undefined ? row.layers : await checkedLayers(ctx, body.layers, row.layers),
    };
    const isSame = next.name === row.name && isDeepStrictEqual(next.layers, row.layers);
    if (isSame) return presentComposition(ctx, row);
    const version = row.version + 1;
    ctx.note({ version, layers: next.layers.length });
    return presentComposition(
      ctx,
      await compositionRows.change(ctx.trx, row, { ...next, version, updated_at: ctx.now }),
    );
  },
});
