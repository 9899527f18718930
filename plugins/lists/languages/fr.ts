// The texts of lists in French.
import { type CompleteTexts, formTexts } from '../../../core/unstable.ts';
import type { ListTexts } from '../texts.ts';

export const french: CompleteTexts<ListTexts> = {
  subscribe: {
    ...formTexts.fr,
    email: 'E-mail',
    name: 'Nom',
    consent:
      'Vous acceptez de recevoir « {list} » par e-mail. Nous vous enverrons d’abord un e-mail de confirmation, et vous pourrez vous désabonner à tout moment.',
    button: 'S’abonner',
    sentTitle: 'Consultez votre boîte de réception',
    sent: 'Nous vous avons envoyé un e-mail. Cliquez sur son bouton pour confirmer votre abonnement.',
    sentHint:
      'Rien reçu ? Regardez dans vos indésirables. Si vous êtes déjà abonné, vous ne recevrez pas d’autre e-mail.',
  },
  confirm: {
    title: 'Confirmez votre demande',
    question: 'Veuillez confirmer que vous souhaitez recevoir ces e-mails.',
    about: 'Veuillez confirmer que vous avez demandé « {list} » avec l’adresse {email}.',
    button: 'Confirmer',
    doneTitle: 'Merci',
    done: 'C’est confirmé. Vous pouvez fermer cette page.',
    doneAbout: '« {list} » est confirmé pour {email}. Vous pouvez fermer cette page.',
    doneHint: 'Les liens sont valables 30 jours. Si le vôtre était plus ancien, inscrivez-vous à nouveau.',
  },
  leadMagnet: { text: 'Voici ce que vous avez demandé :', button: 'Ouvrir', validity: 'Le lien est valable 7 jours.' },
  preferences: {
    title: 'Préférences e-mail',
    lists: 'Vos abonnements',
    topics: 'Les sujets de nos e-mails',
    save: 'Enregistrer',
    saved: 'Enregistré.',
    stopTitle: 'Ne plus recevoir de publicité',
    stopNote:
      'Vous ne recevrez plus de publicité de notre part. Les autres e-mails, comme les reçus, arriveront toujours.',
    stopNoteWithLists:
      'Vous ne recevrez plus de publicité de notre part, quels que soient vos choix ci-dessus. Les autres e-mails, comme les reçus, arriveront toujours.',
    stop: 'Plus de publicité',
    stopped: 'Vous ne recevrez plus de publicité de notre part.',
    stoppedWithLists:
      'Vous ne recevrez plus de publicité de notre part. Vos choix ici s’appliqueront si vous en souhaitez à nouveau plus tard.',
    all: {
      stopTitle: 'Ne plus recevoir d’e-mails',
      stopNote: 'Vous ne recevrez plus aucun e-mail de notre part.',
      stopNoteWithLists: 'Vous ne recevrez plus aucun e-mail de notre part, quels que soient vos choix ci-dessus.',
      stop: 'Se désabonner de tous les e-mails',
      stopped: 'Vous ne recevrez plus d’e-mails de notre part.',
      stoppedWithLists:
        'Vous ne recevrez plus d’e-mails de notre part. Vos choix ici s’appliqueront si vous en souhaitez à nouveau plus tard.',
    },
    incomplete: { title: 'Lien incomplet', text: 'Ce lien est incomplet. Copiez-le en entier depuis l’e-mail.' },
  },
  invalidLink: {
    title: 'Il n’y a rien ici',
    text: 'Le lien est incomplet, ou la page n’existe plus. Copiez le lien en entier, ou demandez à l’expéditeur.',
  },
  mail: {
    subject: 'Confirmez votre demande : {list}',
    preview: 'Un clic suffit.',
    title: 'Confirmez votre demande',
    greeting: 'Bonjour {name},',
    request: 'Vous, ou quelqu’un avec votre adresse, avez demandé {list}. Veuillez confirmer que vous le souhaitez.',
    button: 'Confirmer',
    ignore: 'Si ce n’était pas vous, ignorez cet e-mail : nous ne vous écrirons plus. Le lien est valable 30 jours.',
  },
};
