// The action that a request wants: the verbs of tools, with the users' words for them. A verb is the first word of a
// tool's name. Pure.
import type { CataloguedOperation } from '../../../core/index.ts';
import { stemOf, wordsOf } from './words.ts';

const askingWords =
  'show see look find check view display tell know wonder question inspect browse status overview count arrived who which what when where ' +
  'whether why';
const makingWords =
  'new create make add write build start prepare draft register open launch generate design set produce save store fresh';
const changingWords =
  'change edit fix correct wrong typo mistake replace set rename modify adjust adapt update revise amend improve move shift swap instead ' +
  'reword rewrite old big bigger smaller longer shorter outdated';
const deletingWords = 'delete remove drop kill clear erase wipe trash destroy scrap discard unwanted purge bin';
const stoppingWords = 'stop cancel abort end kill halt unwanted call quit leave remove';

/** Words of users for the first words of the names of tools. */
export const verbWords: Readonly<Record<string, string>> = {
  add: 'add put include join append insert place import assign',
  approve: 'approve accept agree confirm yes fine permit',
  archive: `archive retire hide old unwanted pause disable deactivate stop obsolete ${deletingWords}`,
  browse: askingWords,
  cancel: `${stoppingWords} revoke undo withdraw skip recall mistake`,
  compose: 'compose write generate draft brief make rewrite create text wording new',
  create: makingWords,
  decide: 'decide approve reject accept answer decline refuse deny choose pick agree confirm prefer suggest winner',
  delete: deletingWords,
  duplicate: 'duplicate copy reuse clone again',
  emit: 'emit happen record track tell log report trigger just fire note',
  enroll: 'enrol put add start join enter begin subscribe launch',
  explain: 'explain why reason whether would whi understand belong',
  export: 'export download save file copy pdf backup extract',
  get: askingWords,
  import: 'import upload load migrate transfer bring add move',
  list: `${askingWords} list every`,
  manage: `${changingWords} require must rule allow forbid stop agree need`,
  patch: `${changingWords} stop`,
  pause: 'pause stop halt hold freeze temporarily suspend wait interrupt',
  plan: 'plan propose suggest fill idea prepare schedule',
  preview: `preview ${askingWords} try before sample draft example`,
  propose: 'propose suggest recommend improve idea change better',
  publish: 'publish release live online activate launch finish finalize ready post share visible public announce',
  read: `${askingWords} read open detail`,
  recent: `${askingWords} history`,
  record: 'record note agree permit withdraw consent say unwanted stop',
  refresh: 'refresh update reload sync again new missing connect',
  reject: 'reject decline refuse deny rubbish bad wrong again',
  release: 'release lift unlock unblock resume',
  remove: `${deletingWords} kick take unsubscribe leave`,
  render: 'render picture image draw show see look download preview print export file svg png convert',
  replay: 'replay again repeat resend retry redo missed once',
  resume: 'resume continue unpause again restart proceed reactivate',
  retry: 'retry again repeat redo failed broke rebuild',
  revoke: 'revoke disconnect kick remove block end lock stop delete withdraw',
  rollback: 'rollback undo revert restore earlier old previous',
  rotate: 'rotate new renew replace change leak compromise regenerate reset',
  schedule:
    'schedule plan time tomorrow date tonight move shift monday tuesday wednesday thursday friday saturday sunday',
  search: 'search find',
  send: 'send deliver write tell notify inform message remind ship thank invite email contact ping reply resend',
  set: changingWords,
  simulate: 'simulate try dry happen test pretend',
  spawn: 'start launch make create run new generate brief',
  submit: 'submit request ask hand check review',
  test: 'test try check work sample fake fire ping trial',
  transition: 'skip move advance jump push forward step',
  trigger: 'trigger announce tell happen fire celebrate',
  unpublish: 'unpublish offline hide remove pull withdraw',
  unschedule: 'unschedule postpone stop cancel hold wait',
  update: changingWords,
  upsert: `${makingWords} ${changingWords} import`,
  vote: 'vote irrelevant relevant like dislike interesting useful boring rate',
  withdraw: 'withdraw cancel undo take recall retract unwanted stop bother',
};

/** The weight of a word for a verb: the verb itself counts more than a synonym. */
export const verbWeights = { own: 1, synonym: 0.7 };

const verbsByStem: ReadonlyMap<string, ReadonlyMap<string, number>> = Object.entries(verbWords).reduce(
  (known, [verb, line]) => {
    for (const word of line.split(' ')) {
      const stem = stemOf(word) ?? word;
      const verbs = known.get(stem) ?? new Map<string, number>();
      verbs.set(verb, Math.max(verbs.get(verb) ?? 0, word === verb ? verbWeights.own : verbWeights.synonym));
      known.set(stem, verbs);
    }
    return known;
  },
  new Map<string, Map<string, number>>(),
);

const noVerbs: ReadonlyMap<string, number> = new Map();

/** The verbs that a word may mean, with their weights. Stop words, too, can mean a verb: `who`, `why`. */
export const verbsOf = (word: string): ReadonlyMap<string, number> => verbsByStem.get(stemOf(word) ?? word) ?? noVerbs;

/** The verb of an operation: the first word of its tool's name. */
export const verbOf = ({ id, tool }: CataloguedOperation): string =>
  (wordsOf(tool ?? id.split('.').at(-1) ?? '')[0] ?? '').toLowerCase();

const readingVerbs: ReadonlySet<string> = new Set([
  'browse',
  'explain',
  'get',
  'list',
  'preview',
  'read',
  'recent',
  'render',
  'search',
  'simulate',
]);

/** Whether a verb only reads. */
export const isReading = (verb: string): boolean => readingVerbs.has(verb);
