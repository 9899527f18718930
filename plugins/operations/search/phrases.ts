// Replaces expressions of several words by words that the index and the lists of verbs contain. Pure.

type Phrase = readonly [RegExp, string];

/** Apostrophes are removed first, so that the other expressions need none. */
const spelling: readonly Phrase[] = [
  [/[’']/g, ''],
  [/\be-?mails?\b/g, ' email '],
  [/\bweb hooks?\b/g, ' webhook '],
  [/\bq\.?r\.?[ -]codes?\b/g, ' qr '],
  [/\bapi[ -]keys?\b/g, ' apikey '],
  [/\b(block|black|wait|waiting) list\b/g, ' $1list '],
  [/\bwaitinglist\b/g, ' waitlist '],
  [/\bwhite paper\b/g, ' whitepaper '],
  [/\bshort(?:ened)? (?:link|url)s?\b/g, ' shortlink '],
  [/\bfollow[ -]?ups?\b/g, ' followup '],
  [/\bopt(?:ed|s|ing)?[ -](in|out)\b/g, ' opt$1 '],
  [/\bsign(?:ed|s|ing)?[ -]?up\b/g, ' signup '],
  [/\btext messages?\b|\btexts? to \+/g, ' sms '],
];

/** Politeness before a request. The commas in the replacements begin a new clause. */
const polite: readonly Phrase[] = [
  [/\b(?:can|could|would|will) (?:you|u|we)\b|\b(?:please|pls|kindly)\b/g, ' , '],
  [/\b(?:i|we) (?:need|want)(?= an? )/g, ' , create '],
];

/** Questions. */
const questions: readonly Phrase[] = [
  [/\bwhen (?:are|may|can|do|should) we (?:not )?(?:be )?(?:allowed to )?(?:send|mail)\b/g, ' what quiet hours '],
  [
    /\bwho (?:has |have )?(?:changed|edited|deleted|touched|removed|created|published|archived|approved|added|updated|renamed|moved)\b/g,
    ' who audit ',
  ],
  [
    /\b(?:never|not|didnt|doesnt|hasnt|havent|wasnt|isnt) (?:\w+ )?(?:got|gets?|receiv\w+|arriv\w+|reach\w*|deliver\w*)\b/g,
    ' arrived status ',
  ],
  [/\bwhat (?:has |have )?(?:happened|became|went wrong)\b/g, ' what status '],
  [/\b(?:what|see what) (?:would|will|if)\b|\bwhat happens (?:if|when|to)\b/g, ' simulate what '],
  [/\bhow (?:much|many|often|far|long)\b/g, ' what count '],
  [/\blook(?:ed|s|ing)? (?:up|for)\b/g, ' find '],
];

/** Actions that must stop, and people who want no mail. */
const refusals: readonly Phrase[] = [
  [
    /\b(?:never|not|no|dont|doesnt|didnt|wont) ((?:\w+ ){0,7}?)(?:any ?more|any longer|again|longer|more)\b/g,
    ' stop $1 unwanted ',
  ],
  [/\b(?:do not|dont|must not|mustnt|shall not|should not|shouldnt|cannot|may not|wont|will not)\b/g, ' stop '],
];

/** Verbs of several words, each at the beginning of a clause. */
const verbs: readonly Phrase[] = [
  // The rest of the sentence may be about anything, so only the verb is replaced.
  [
    /(?<=^|[,.;:!?])\s*(?:tell|inform|notify|remind|write|mail|email|message|advise) (?:to )?((?:\w+\.? ){1,4}?)that\b.*$/g,
    ' , tell $1 ',
  ],
  [/(?<=^|[,.;:!?])\s*text (?:to )?((?:\w+\.? ){1,4}?)that\b.*$/g, ' , send sms $1 '],
  [/\bhere (?:is|are) (?:an?|our|the|my|some)\b/g, ' , create add upload '],
  [
    /\b(?:needs?|requires?|must have|have to have) (?:\w+ ){0,2}?(?=approval|review|sign|pair of)/g,
    ' , manage policy ',
  ],
  [
    /\b(?:must|have to|has to|needs? to) (?:be )?(?:approved?|checked|reviewed|agreed?)\b/g,
    ' , manage policy approval ',
  ],
  [/\b(?:let|have) the (?:ai|model|computer|robot)\b|\byou (?:write|compose|draft)\b/g, ' , compose '],
  [/\b(?:let|tell) the (?:system|automations?|workflows?|service)\b(?: know)?/g, ' , emit event '],
  [/\blet (\w+(?: \w+){0,3}) know\b/g, ' , tell $1 '],
  [/\b(?:drop|shoot|write|send) (\w+\.?(?: \w+){0,2}) (?:a line|a note|a word|a message)\b/g, ' , tell $1 '],
  [/\b(?:try|test|check) (?:it |the \w+ |this \w+ )?(?:on|with) (?:me|myself|us)\b/g, ' , send test myself '],
  [
    /\b(?:take|bring|pull|get|taken|took)\b(?= .{0,60}\b(?:offline|down|off (?:the|our) (?:internet|net|web|website|site)))/g,
    ' , unpublish ',
  ],
  [/\b(?:put|bring|make|set|push|goes|go|get)\b(?= .{0,60}\b(?:online|live|public)\b)/g, ' , publish '],
  [/\b(?:get|got|throw|want)\b(?= .{0,40}\bout of\b)/g, ' , remove cancel '],
  [/\b(?:take|took|kick|pull|strike|cross|throw)\b(?= .{0,50}\b(?:off|out)\b)/g, ' , remove '],
  [/\b(?:turn|vote)(?:ed)? down\b|\bsay no\b|\bsend (?:\w+ )?back\b/g, ' , reject '],
  [/\b(?:looks?|looking|sounds?|seems?) (?:good|fine|great|okay|ok)\b/g, ' , approve '],
  [/\bfill(?:ed|s|ing)? (?:in|out)\b/g, ' submitted '],
  [/\b(?:hook|plug|wire) (\w+ \w+ |\w+ )(?:up|in|into)\b/g, ' , create connected webhook $1 '],
  [/\bgo(?:es)? out\b/g, ' send '],
];

/** The subjects of requests. */
const objects: readonly Phrase[] = [
  [/\bright to be forgotten\b/g, ' erase '],
  [/\b(?:who|that) (?:did not|didnt|never|havent|hasnt|have not|bought|clicked|opened|live|spent)\b/g, ' $& filter '],
  [/\b(?:after|wait) (?:\w+ )?days?\b|\bdays? (?:later|after|before)\b/g, ' sequence delay '],
  [
    /\b(?:tomorrow|tonight|later today|next (?:week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|at \d{1,2}(?::\d\d)? ?(?:am|pm|oclock)?|on (?:the )?\d{1,2}(?:st|nd|rd|th))\b/g,
    ' $& sometime ',
  ],
  [/\b(?:coming|following|next) (?:days?|weeks?|month)\b/g, ' upcoming '],
];

const allPhrases: readonly Phrase[] = [...spelling, ...polite, ...questions, ...refusals, ...verbs, ...objects];

const replaced = (text: string, phrases: readonly Phrase[]): string =>
  phrases.reduce((plain, [expression, meaning]) => plain.replace(expression, meaning), text.toLowerCase());

/** The text in lower case, with uniform spelling. */
export const plainSpelling = (text: string): string => replaced(text, spelling);

/** The text in lower case, with all its expressions replaced. */
export const plainText = (text: string): string => replaced(text, allPhrases);
