// The texts of lists in Portuguese.
import { type CompleteTexts, formTexts } from '../../../core/unstable.ts';
import type { ListTexts } from '../texts.ts';

export const portuguese: CompleteTexts<ListTexts> = {
  subscribe: {
    ...formTexts.pt,
    email: 'E-mail',
    name: 'Nome',
    consent:
      'Aceita receber «{list}» por e-mail. Primeiro enviaremos um e-mail de confirmação, e pode cancelar a subscrição a qualquer momento.',
    button: 'Subscrever',
    sentTitle: 'Veja a sua caixa de entrada',
    sent: 'Enviámos-lhe um e-mail. Clique no botão para confirmar a subscrição.',
    sentHint: 'Não chegou? Veja na pasta de spam. Se já subscreveu, não receberá outro e-mail.',
  },
  confirm: {
    title: 'Confirme o pedido',
    question: 'Confirme que quer receber estes e-mails.',
    about: 'Confirme que pediu «{list}» com o endereço {email}.',
    button: 'Confirmar',
    doneTitle: 'Obrigado',
    done: 'Está confirmado. Pode fechar esta página.',
    doneAbout: '«{list}» está confirmado para {email}. Pode fechar esta página.',
    doneHint: 'Os links são válidos por 30 dias. Se o seu era mais antigo, inscreva-se novamente.',
  },
  leadMagnet: { text: 'Aqui está o que pediu:', button: 'Abrir', validity: 'O link é válido por 7 dias.' },
  preferences: {
    title: 'Preferências de e-mail',
    lists: 'As suas subscrições',
    topics: 'De que tratam os nossos e-mails',
    save: 'Guardar',
    saved: 'Guardado.',
    stopTitle: 'Não receber mais publicidade',
    stopNote: 'Não receberá mais publicidade nossa. Outros e-mails, como recibos, continuam a chegar.',
    stopNoteWithLists:
      'Não receberá mais publicidade nossa, seja qual for a escolha acima. Outros e-mails, como recibos, continuam a chegar.',
    stop: 'Mais nenhuma publicidade',
    stopped: 'Não receberá mais publicidade nossa.',
    stoppedWithLists: 'Não receberá mais publicidade nossa. A escolha feita aqui vale se mais tarde a quiser de novo.',
    all: {
      stopTitle: 'Não receber mais e-mails',
      stopNote: 'Não receberá mais e-mails nossos, de nenhum tipo.',
      stopNoteWithLists: 'Não receberá mais e-mails nossos, de nenhum tipo, seja qual for a escolha acima.',
      stop: 'Cancelar todos os e-mails',
      stopped: 'Não receberá mais e-mails nossos.',
      stoppedWithLists: 'Não receberá mais e-mails nossos. A escolha feita aqui vale se mais tarde os quiser de novo.',
    },
    incomplete: { title: 'Link incompleto', text: 'Este link está incompleto. Copie-o por inteiro do e-mail.' },
  },
  invalidLink: {
    title: 'Não há nada aqui',
    text: 'O link está incompleto ou a página já não existe. Copie o link por inteiro ou pergunte ao remetente.',
  },
  mail: {
    subject: 'Confirme o pedido: {list}',
    preview: 'Um clique e está confirmado.',
    title: 'Confirme o pedido',
    greeting: 'Olá, {name},',
    request: 'O senhor, a senhora ou alguém com o seu endereço inscreveu-se em {list}. Confirme que é isso que quer.',
    button: 'Confirmar',
    ignore: 'Se não foi esse o caso, pode ignorar este e-mail: não voltaremos a escrever. O link é válido por 30 dias.',
  },
};
