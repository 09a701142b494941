/** Why something did not work and what to do about it, in French. */

import type { Texts } from './texts.ts';

export const refusals: Texts['refusals'] = {
  unreachable: {
    what: 'Le service est injoignable.',
    next: 'Vérifiez votre connexion, puis réessayez.',
  },
  cut: { what: 'La connexion a été coupée.', next: 'Réessayez.' },
  foreign: {
    what: 'Un intermédiaire a répondu à la place du service.',
    next: 'Réessayez dans un instant, ou prévenez l’exploitant du service.',
  },
  noToken: {
    what: 'Ceci n’est pas un jeton d’accès.',
    next: 'Copiez-le en entier, sans espace ni saut de ligne.',
  },
  unknown: { what: 'Quelque chose n’a pas fonctionné.', next: 'Rechargez la page.' },
  other: (code) =>
    `Rechargez la page\u00A0; si cela persiste, prévenez l’exploitant du service\u00A0: ${code}.`,
  wait: (seconds) =>
    seconds === 1
      ? 'Attendez une seconde, puis réessayez.'
      : `Attendez ${seconds} secondes, puis réessayez.`,
  codes: {
    token_malformed: {
      what: 'Ce jeton d’accès n’est pas entier.',
      next: 'Copiez-le en entier et collez-le à nouveau.',
    },
    token_invalid: {
      what: 'Ce jeton d’accès n’est pas connu ici.',
      next: 'Vérifiez qu’il est entier, ou demandez-en un nouveau.',
    },
    token_expired: {
      what: 'Votre accès a expiré.',
      next: 'Demandez un nouveau jeton à l’exploitant du service.',
    },
    token_revoked: {
      what: 'Votre accès a été retiré.',
      next: 'Demandez un nouveau jeton à l’exploitant du service.',
    },
    publisher_forbidden: {
      what: 'Ce site n’est pas l’un des vôtres.',
      next: 'Retirez-le des filtres.',
    },
    program_forbidden: {
      what: 'Ce programme n’est pas l’un des vôtres.',
      next: 'Retirez-le des filtres.',
    },
    invalid_parameters: {
      what: 'Le service ne comprend pas la question.',
      next: 'Changez ce qu’il indique\u00A0:',
    },
    uri_too_long: {
      what: 'La question est trop longue.',
      next: 'Mettez moins de valeurs dans les filtres.',
    },
    request_timeout: {
      what: 'Le service a attendu la question trop longtemps.',
      next: 'Vérifiez votre connexion, puis réessayez.',
    },
    headers_too_large: {
      what: 'Ce jeton d’accès est trop long pour le service.',
      next: 'Demandez-en un autre à l’exploitant du service.',
    },
    wrong_role: {
      what: 'Votre accès a changé de nature.',
      next: 'Déconnectez-vous, puis reconnectez-vous.',
    },
    too_many_requests: {
      what: 'Vous avez beaucoup demandé cette dernière minute.',
      next: 'Attendez une minute, puis réessayez.',
    },
    too_many_downloads: {
      what: 'Vous avez déjà tous les téléchargements permis en cours.',
      next: 'Attendez que l’un d’eux se termine.',
    },
    no_room: {
      what: 'Le service n’a pas la place de faire ce fichier pour le moment.',
      next: 'Choisissez CSV, NDJSON ou JSON, ou une période plus courte.',
    },
    busy: {
      what: 'Beaucoup de monde pose des questions en ce moment.',
      next: 'Réessayez dans quelques secondes.',
    },
    database_unavailable: {
      what: 'La base de données ne répond pas pour le moment.',
      next: 'Réessayez dans quelques secondes.',
    },
    shutting_down: { what: 'Le service redémarre.', next: 'Réessayez dans quelques secondes.' },
    identity_provider_unavailable: {
      what: 'La connexion ne fonctionne pas pour le moment.',
      next: 'Réessayez dans quelques secondes.',
    },
    internal_error: {
      what: 'Le service a échoué.',
      next: 'Réessayez\u00A0; si cela persiste, prévenez l’exploitant.',
    },
    token_missing: {
      what: 'Le service a été interrogé sans jeton d’accès.',
      next: 'Connectez-vous à nouveau.',
    },
    malformed_request: {
      what: 'Le service n’a pas pu lire la question.',
      next: 'Rechargez la page\u00A0; si cela persiste, prévenez l’exploitant du service.',
    },
    not_found: {
      what: 'Le service n’a pas ce que demande cette page.',
      next: 'Rechargez la page\u00A0: elle est peut-être plus ancienne que le service.',
    },
    method_not_allowed: {
      what: 'Le service ne s’interroge pas ainsi.',
      next: 'Rechargez la page\u00A0: elle est peut-être plus ancienne que le service.',
    },
    not_acceptable: {
      what: 'Le service n’a pas de réponse sous une forme que votre navigateur accepte.',
      next: 'Essayez un autre navigateur, ou prévenez l’exploitant du service.',
    },
    content_too_large: {
      what: 'Le service a reçu plus qu’il n’accepte.',
      next: 'Rechargez la page\u00A0; si cela persiste, prévenez l’exploitant du service.',
    },
  },
};
