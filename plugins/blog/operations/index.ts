// The operations of the plugin, in the order of the reference.
export const operations = [] as const;
