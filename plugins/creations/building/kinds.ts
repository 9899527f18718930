// The jobs of creations, by name: for those who enqueue them.
export const strategyKind = 'creations.strategy';
export const buildItemKind = 'creations.build_item';
