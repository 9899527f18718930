// Writes generated data: one line for each entry, so that a change shows the entries that it changed. Called by what makes *.gen.ts.

/** The source of an object literal. */
export const lineByEntry = (data: Readonly<Record<string, unknown>>): string =>
  `{\n${Object.entries(data)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`)
    .join('')}}`;
