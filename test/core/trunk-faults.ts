// The possible faults of trunk-plugin.ts, each with the generated test that finds it
/** Each fault, with the single test that fails because of it */
export const faults = {
  'a list shows a foreign row': 'trunks.list shows no row of another workspace',
  'a list repeats a row': 'trunks.list shows every row once, page by page, newest first',
  'a list omits a row': 'trunks.list shows every row once, page by page, newest first',
  'a list accepts any cursor': 'trunks.list shows every row once, page by page, newest first',
  'a list lacks its example item': 'trunks.list shows every row once, page by page, newest first',
  'a list shows the other side': 'trunks.list keeps the live and the sandbox side apart',
  'a read sees the other side': 'trunks.read keeps the live and the sandbox side apart',
  'a sandbox key changes a live row': 'trunks.rename keeps the live and the sandbox side apart',
  'a sandbox key writes a live job': 'trunks.rename keeps the live and the sandbox side apart',
  'a dry run leaks an update': 'trunks.rename leaves nothing behind a dry run',
  'an answer reveals a foreign id in the body': "trunks.tag answers another workspace's id as a missing one",
  'an answer reveals a nested foreign id': "trunks.pack answers another workspace's id as a missing one",
  'a nested foreign reference is not declared': "trunks.pack answers another workspace's id as a missing one",
  'a foreign row in a field is not declared': "trunks.pack answers another workspace's id as a missing one",
  'a whole list shows a foreign row': 'trunks.labels shows no row of another workspace',
  'a whole list lacks its example item': 'trunks.labels shows no row of another workspace',
  'a natural operation lacks a foreign id': "trunks.delete answers another workspace's id as a missing one",
  'a natural operation changes a foreign row': "trunks.delete answers another workspace's id as a missing one",
  'no case raises a declared error': 'trunks.tag raises the errors that it declares',
  'an error case raises another error': 'trunks.tag raises the errors that it declares',
  'the named test does not mention the error': 'trunks.tag raises the errors that it declares',
  'an address is stored without normalising': 'trunks.create keeps addresses normalised',
  'an answer shows an address that is not normalised': 'trunks.create keeps addresses normalised',
  'a nested object ignores an unknown field': 'trunks.pack refuses an unknown field',
  'a media type has no bytes': 'trunks.tag returns its other media types',
} as const;

/** The name of a fault. */
export type TrunkFault = keyof typeof faults;
