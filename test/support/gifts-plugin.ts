// Replaces the plugin for lead magnets in tests of forms: one lead magnet, whose link points to a file
import { definePlugin, definePublicRoute } from '../../core/index.ts';
import type { LeadMagnets } from '../../plugins/pages/forms/lead-magnets.ts';
import { bareStandardPlugins } from './plugins.ts';

export const magnet = { id: 'lm_01ARZ3NDEKTSV4RRFFQ69G5FAV', title: 'Ten <breads>' };

/** @param base the part of the link before its path */
export const pluginsWithGifts = (base: string): typeof bareStandardPlugins => {
  const leadMagnets: LeadMagnets = {
    find: async (_handle, id) => (id === magnet.id ? (magnet as never) : undefined),
    giftUrl: async () => `${base}/gift`,
  };
  const file = { 'Content-Type': 'application/pdf', 'Content-Disposition': 'attachment; filename="breads.pdf"' };
  const gifts = definePlugin({
    id: 'lead-magnets',
    publicRoutes: [
      definePublicRoute({
        http: 'GET /gift',
        description: 'The file.',
        handler: async () => ({ status: 200, headers: file, body: Buffer.from('%PDF-1.7 breads') }),
      }),
    ],
    services: { leadMagnets: () => leadMagnets } as never,
  });
  return [...bareStandardPlugins.filter(({ id }) => id !== 'lead-magnets'), gifts] as never;
};
