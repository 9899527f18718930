// The job kinds of creations, for the code that enqueues them.
export const strategyKind = 'creations.strategy';
export const buildItemKind = 'creations.build_item';
