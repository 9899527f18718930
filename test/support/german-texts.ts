// German texts of the public pages, as a program gives them.
import type { UnsubscribeTexts } from '../../plugins/email/index.ts';
import type { ListTexts } from '../../plugins/lists/index.ts';

export const germanLists: ListTexts = {
  subscribe: {
    email: 'E-Mail',
    name: 'Name',
    optional: '(freiwillig)',
    consent: 'Sie bekommen „{list}“ per E-Mail.',
    button: 'Abonnieren',
    error: 'Fehler:',
    missing: 'Bitte „{label}“ ausfüllen.',
    noAddress: 'Das ist keine E-Mail-Adresse.',
    tooLong: 'Bitte höchstens {count} Zeichen.',
    characters: 'Bitte keine Sonderzeichen.',
    again: 'Bitte noch einmal absenden.',
    sentTitle: 'Schauen Sie in Ihr Postfach',
    sent: 'Wir haben Ihnen geschrieben.',
    sentHint: 'Nichts da? Vielleicht ist sie im Spam.',
  },
  confirm: {
    title: 'Bitte bestätigen',
    question: 'Möchten Sie diese E-Mails bekommen?',
    button: 'Bestätigen & los',
    doneTitle: 'Danke',
    done: 'Sie sind dabei.',
    doneHint: 'Links gelten 30 Tage.',
  },
  leadMagnet: { text: 'Bitte sehr:', button: 'Öffnen', validity: 'Gilt 7 Tage.' },
  preferences: {
    title: 'Ihre E-Mails',
    lists: 'Abonnements',
    topics: 'Worum es in unseren E-Mails geht',
    save: 'Speichern',
    saved: 'Gespeichert.',
    stopTitle: 'Alles abbestellen',
    stopNote: 'Sie bekommen dann nichts mehr.',
    stopNoteWithLists: 'Sie bekommen dann nichts mehr, was auch oben steht.',
    stop: 'Alle abbestellen',
    stopped: 'Sie bekommen nichts mehr.',
    stoppedWithLists: 'Sie bekommen nichts mehr. Die Auswahl gilt für später.',
  },
  invalidLink: { title: 'Hier ist nichts', text: 'Der Link ist unvollständig.' },
  mail: {
    subject: 'Bitte bestätigen: {list}',
    preview: 'Ein Klick genügt.',
    title: 'Bitte bestätigen',
    greeting: 'Hallo {name},',
    request: 'Sie haben {list} abonniert.',
    button: 'Bestätigen & los',
    ignore: 'Waren Sie das nicht? Dann ist nichts zu tun.',
  },
};

export const germanUnsubscribe: UnsubscribeTexts = {
  title: 'Abmelden?',
  question: 'Sie bekommen diese E-Mails dann nicht mehr.',
  button: 'Abmelden',
  doneTitle: 'Sie sind abgemeldet',
  done: 'Sie bekommen diese E-Mails nicht mehr.',
  scopes: {
    marketing: {
      question: 'Sie bekommen dann keine Werbung von {sender} mehr. Andere E-Mails, wie Rechnungen, kommen weiter.',
      done: 'Sie bekommen keine Werbung von {sender} mehr.',
    },
    all: {
      question: 'Sie bekommen dann keine E-Mails von {sender} mehr.',
      done: 'Sie bekommen keine E-Mails von {sender} mehr.',
    },
  },
  topic: {
    question: 'Sie bekommen dann von {sender} nichts mehr zum Thema „{topic}“.',
    done: 'Sie bekommen von {sender} nichts mehr zum Thema „{topic}“.',
    stop: 'Keine Werbung mehr',
    stopAll: 'Keine E-Mails mehr',
  },
};
