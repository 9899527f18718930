// The possible faults of trunk-plugin.ts, and the generated test that finds each.
/** Each fault, and the single test that it fails. */
export const faults = {
  'a list shows a foreign row': 'trunks.list shows no row of another workspace',
  'a list repeats a row': 'trunks.list shows every row once, page by page, newest first',
  'a list loses a row': 'trunks.list shows every row once, page by page, newest first',
  'a list takes any cursor': 'trunks.list shows every row once, page by page, newest first',
  'a list does not say how an item is made': 'trunks.list shows every row once, page by page, newest first',
  'a list shows the other side': 'trunks.list keeps the live and the sandbox side apart',
  'a read sees the other side': 'trunks.read keeps the live and the sandbox side apart',
  'a sandbox key changes a live row': 'trunks.rename keeps the live and the sandbox side apart',
  'a sandbox key writes a live job': 'trunks.rename keeps the live and the sandbox side apart',
  'a dry run leaks an update': 'trunks.rename leaves nothing behind a dry run',
  'a foreign id in a body is told': "trunks.tag answers another workspace's id as a missing one",
  'a nested foreign id is told': "trunks.pack answers another workspace's id as a missing one",
  'a nested reference is not tried': "trunks.pack answers another workspace's id as a missing one",
  'a named row is not tried': "trunks.pack answers another workspace's id as a missing one",
  'a whole list shows a foreign row': 'trunks.labels shows no row of another workspace',
  'a whole list does not say how an item is made': 'trunks.labels shows no row of another workspace',
  'a natural operation names no foreign id': "trunks.delete answers another workspace's id as a missing one",
  'a natural operation changes a foreign row': "trunks.delete answers another workspace's id as a missing one",
  'a declared error is raised by nothing': 'trunks.tag raises the errors that it declares',
  'an error case raises another error': 'trunks.tag raises the errors that it declares',
  'a named test does not show the error': 'trunks.tag raises the errors that it declares',
  'an address is kept as it was spelled': 'trunks.create keeps addresses normalised',
  'an answer shows an address as it was spelled': 'trunks.create keeps addresses normalised',
  'a nested object drops a field': 'trunks.pack refuses an unknown field',
  'a media type has no bytes': 'trunks.tag answers its other media types',
} as const;

/** The name of a fault. */
export type TrunkFault = keyof typeof faults;
