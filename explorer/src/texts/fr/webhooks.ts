/** French texts of the panel in which administrators manage webhooks. */

import type { Texts } from '../texts.ts';

export const webhooks: Texts['webhooks'] = {
  title: 'Webhooks',
  add: 'Nouveau webhook',
  intro:
    'Le service envoie à une adresse les transactions nouvelles ou modifiées, dès qu’il les connaît.',
  url: 'URL',
  nameExample: 'Équipe données',
  types: 'Transactions',
  submit: 'Ajouter le webhook',
  busy: 'Ajout…',
  added: (name) => `Webhook ajouté\u00A0: ${name}`,
  rotated: (name) => `Nouveau secret de ${name}`,
  once: 'Copiez le secret maintenant\u00A0: il permet au destinataire de vérifier les messages. Il ne pourra plus être affiché.',
  copySecret: 'Copier le secret',
  another: 'En ajouter un autre',
  done: 'Terminé',
  endlessOnly: (day) =>
    `Un webhook n’expire pas\u00A0: votre accès, qui se termine le ${day}, ne permet pas d’en ajouter. Adressez-vous à l’exploitant du service.`,
  existing: 'Webhooks',
  none: 'Il n’y a pas encore de webhook.',
  states: {
    active: 'Actif',
    retrying: 'En attente d’un nouvel essai',
    paused: 'En pause',
    failing: 'Arrêté après trois jours d’échecs',
    receiver_gone: 'Arrêté par le destinataire',
    changes_expired: 'Arrêté\u00A0: des changements non livrés ont expiré',
    creator_revoked: 'Arrêté\u00A0: le jeton d’accès dont il dépend est révoqué',
  },
  addedOn: (when) => `ajouté le ${when}`,
  neverDelivered: 'rien n’a encore été livré',
  lastDelivery: (when) => `dernière livraison le ${when}`,
  behind: (time) => `${time} de retard`,
  failingSince: (when) => `En échec depuis le ${when}.`,
  nextAttempt: (when) => `Prochain essai le ${when}`,
  actionsOf: (name) => `Modifier ${name}`,
  test: 'Tester',
  pause: 'Mettre en pause',
  resume: 'Réactiver',
  replay: 'Livrer à nouveau',
  rotate: 'Nouveau secret',
  remove: 'Supprimer',
  working: 'Veuillez patienter…',
  arrived: (milliseconds) =>
    `Le destinataire a accepté un message de test en ${milliseconds}\u00A0ms.`,
  failed: (why) => `Le message de test n’a pas été livré\u00A0: ${why}.`,
  since: 'Depuis',
  questions: {
    rotate: (name) =>
      `Créer un nouveau secret pour ${name}\u00A0? L’actuel reste valable 24\u00A0heures.`,
    replay: (name) =>
      `À partir de quand ${name} doit-il recevoir à nouveau tous les changements\u00A0? L’heure est celle de la plateforme. Un webhook en pause est réactivé.`,
    remove: (name) => `Supprimer ${name}\u00A0? Il ne recevra plus de changements.`,
  },
  answers: {
    rotate: 'Créer un nouveau secret',
    replay: 'Livrer à nouveau',
    remove: 'Supprimer',
  },
  wrong: {
    url: {
      what: 'Cette URL n’est pas autorisée.',
      next: 'Elle doit commencer par https:// et mener à une adresse publique, sans nom d’utilisateur.',
    },
    since: {
      what: 'La livraison ne peut pas commencer à cette date.',
      next: 'Choisissez une date passée, pour laquelle les changements sont encore conservés.',
    },
  },
  stoppedTitle: 'Des webhooks sont arrêtés\u00A0:',
  stoppedNext: 'Ils ne livrent rien tant que personne ne les réactive.',
  see: 'Voir les webhooks',
};
