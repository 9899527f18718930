// The texts of lists in German.
import { type CompleteTexts, formTexts } from '../../../core/unstable.ts';
import type { ListTexts } from '../texts.ts';

export const german: CompleteTexts<ListTexts> = {
  subscribe: {
    ...formTexts.de,
    email: 'E-Mail',
    name: 'Name',
    consent:
      'Sie stimmen zu, „{list}“ per E-Mail zu erhalten. Wir bitten Sie zuerst per E-Mail um Bestätigung. Sie können sich jederzeit abmelden.',
    button: 'Abonnieren',
    sentTitle: 'Schauen Sie in Ihr Postfach',
    sent: 'Wir haben Ihnen eine E-Mail geschickt. Klicken Sie auf den Knopf darin, um Ihre Anmeldung zu bestätigen.',
    sentHint:
      'Nichts angekommen? Sehen Sie im Spam-Ordner nach. Wenn Sie schon angemeldet sind, kommt keine weitere E-Mail.',
  },
  confirm: {
    title: 'Bitte bestätigen',
    question: 'Bitte bestätigen Sie, dass Sie diese E-Mails erhalten möchten.',
    about: 'Bitte bestätigen Sie, dass Sie „{list}“ mit der Adresse {email} angefordert haben.',
    button: 'Bestätigen',
    doneTitle: 'Danke',
    done: 'Das ist bestätigt. Sie können diese Seite schließen.',
    doneAbout: '„{list}“ ist für {email} bestätigt. Sie können diese Seite schließen.',
    doneHint: 'Links gelten 30 Tage. War Ihrer älter, melden Sie sich bitte noch einmal an.',
  },
  leadMagnet: { text: 'Hier ist, was Sie angefordert haben:', button: 'Öffnen', validity: 'Der Link gilt 7 Tage.' },
  preferences: {
    title: 'E-Mail-Einstellungen',
    lists: 'Ihre Abonnements',
    topics: 'Worum es in unseren E-Mails geht',
    save: 'Speichern',
    saved: 'Gespeichert.',
    stopTitle: 'Werbung abbestellen',
    stopNote: 'Sie erhalten dann keine Werbung mehr von uns. Andere E-Mails, etwa Rechnungen, kommen weiterhin.',
    stopNoteWithLists:
      'Sie erhalten dann keine Werbung mehr von uns, was immer Sie oben gewählt haben. Andere E-Mails, etwa Rechnungen, kommen weiterhin.',
    stop: 'Keine Werbung mehr',
    stopped: 'Sie erhalten keine Werbung mehr von uns.',
    stoppedWithLists:
      'Sie erhalten keine Werbung mehr von uns. Ihre Auswahl hier gilt, wenn Sie später wieder welche möchten.',
    all: {
      stopTitle: 'Alle E-Mails abbestellen',
      stopNote: 'Sie erhalten dann keinerlei E-Mails mehr von uns.',
      stopNoteWithLists: 'Sie erhalten dann keinerlei E-Mails mehr von uns, was immer Sie oben gewählt haben.',
      stop: 'Alle E-Mails abbestellen',
      stopped: 'Sie erhalten keine E-Mails mehr von uns.',
      stoppedWithLists:
        'Sie erhalten keine E-Mails mehr von uns. Ihre Auswahl hier gilt, wenn Sie später wieder welche möchten.',
    },
    incomplete: {
      title: 'Unvollständiger Link',
      text: 'Dieser Link ist unvollständig. Kopieren Sie ihn ganz aus der E-Mail.',
    },
  },
  invalidLink: {
    title: 'Hier ist nichts',
    text: 'Der Link ist unvollständig, oder die Seite gibt es nicht mehr. Kopieren Sie den ganzen Link, oder fragen Sie den Absender.',
  },
  mail: {
    subject: 'Bitte bestätigen: {list}',
    preview: 'Ein Klick genügt.',
    title: 'Bitte bestätigen',
    greeting: 'Guten Tag {name},',
    request:
      'Sie oder jemand mit Ihrer Adresse hat sich für {list} angemeldet. Bitte bestätigen Sie, dass Sie das möchten.',
    button: 'Bestätigen',
    ignore:
      'Waren Sie das nicht? Dann können Sie diese E-Mail ignorieren, und Sie hören nicht mehr von uns. Der Link gilt 30 Tage.',
  },
};
