/** Error messages in French: what failed and what to do next. */

import { LINK_MINUTES } from '../../../../src/contract/tokens/lifetime.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts['errors'] = {
  unreachable: {
    what: 'Le service est injoignable.',
    next: 'Vérifiez votre connexion, puis réessayez.',
  },
  noAnswer: {
    what: 'Le service ne répond pas.',
    next: 'Votre appareil est en ligne. Réessayez dans un instant.',
  },
  cut: { what: 'La connexion a été coupée.', next: 'Réessayez.' },
  foreign: {
    what: 'La réponse ne vient pas du service, mais d’un proxy ou d’un autre serveur intermédiaire.',
    next: 'Réessayez dans un instant. Si cela se reproduit, prévenez l’exploitant du service.',
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
      what: 'Ce jeton d’accès est incomplet.',
      next: 'Copiez-le en entier et collez-le à nouveau.',
    },
    token_invalid: {
      what: 'Ce jeton d’accès est inconnu.',
      next: 'Vérifiez que vous l’avez copié en entier, ou demandez-en un nouveau.',
    },
    token_expired: {
      what: 'Votre accès a expiré.',
      next: 'Demandez un nouveau jeton à l’exploitant du service.',
    },
    token_revoked: {
      what: 'Votre accès a été révoqué.',
      next: 'Demandez un nouveau jeton à l’exploitant du service.',
    },
    sign_in_link_invalid: {
      what: `Ce lien de connexion est incomplet, a déjà servi, ou ses ${LINK_MINUTES}\u00A0minutes sont passées.`,
      next: 'Demandez-en un nouveau à la personne qui l’a envoyé.',
    },
    publisher_forbidden: {
      what: 'Ce site n’est pas l’un des vôtres.',
      next: 'Retirez-le des filtres.',
    },
    program_forbidden: {
      what: 'Ce programme n’est pas l’un des vôtres.',
      next: 'Retirez-le des filtres.',
    },
    token_management_forbidden: {
      what: 'Votre accès ne permet pas de gérer cela.',
      next: 'Adressez-vous à l’exploitant du service.',
    },
    token_too_wide: {
      what: 'Cela donnerait plus de droits que vous n’en avez.',
      next: 'Choisissez uniquement vos propres programmes et, pour un jeton, une durée de validité plus courte.',
    },
    token_not_found: {
      what: 'Ce jeton n’existe plus.',
      next: 'Rechargez la page.',
    },
    webhook_not_found: {
      what: 'Ce webhook n’existe plus.',
      next: 'Rechargez la page.',
    },
    too_many_webhooks: {
      what: 'Il y a trop de webhooks.',
      next: 'Supprimez-en un qui ne sert plus.',
    },
    too_many_links: {
      what: 'Il y a trop de liens de connexion inutilisés.',
      next: `Révoquez-en un, ou réessayez dans ${LINK_MINUTES}\u00A0minutes.`,
    },
    too_many_tokens: {
      what: 'Votre accès a créé trop de jetons.',
      next: 'Révoquez ceux qui ne servent plus.',
    },
    invalid_parameters: {
      what: 'Certaines valeurs ne sont pas valides.',
      next: 'Corrigez\u00A0:',
    },
    uri_too_long: {
      what: 'La recherche est trop longue.',
      next: 'Utilisez moins de valeurs dans les filtres.',
    },
    precondition_failed: {
      what: 'Le service n’a plus ce fichier.',
      next: 'Téléchargez-le à nouveau.',
    },
    range_not_satisfiable: {
      what: 'Le fichier ne contient pas cette partie.',
      next: 'Téléchargez le fichier entier.',
    },
    upgrade_required: {
      what: 'Un proxy devant le service utilise HTTP/1.0, qui ne permet pas cet envoi en toute sécurité.',
      next: 'Demandez à l’exploitant d’utiliser HTTP/1.1 entre le proxy et le service.',
    },
    changes_expired: {
      what: 'Le service ne conserve plus de changements aussi anciens.',
      next: 'Rechargez la page.',
    },
    transaction_not_found: {
      what: 'Cette transaction n’existe pas, ou n’est pas l’une des vôtres.',
      next: 'Vérifiez son type et son identifiant.',
    },
    request_timeout: {
      what: 'La requête est arrivée trop lentement.',
      next: 'Vérifiez votre connexion, puis réessayez.',
    },
    headers_too_large: {
      what: 'Les cookies de ce domaine, ou votre jeton d’accès, sont trop longs pour le service.',
      next: 'Supprimez les cookies de ce domaine. Si cela se reproduit, prévenez l’exploitant du service.',
    },
    wrong_role: {
      what: 'Votre rôle a changé.',
      next: 'Déconnectez-vous, puis reconnectez-vous.',
    },
    too_many_requests: {
      what: 'Vous avez envoyé trop de requêtes cette dernière minute.',
      next: 'Attendez une minute, puis réessayez.',
    },
    too_many_invalid_tokens: {
      what: 'Trop de jetons d’accès non valides ont été envoyés depuis votre réseau.',
      next: 'Attendez une minute, puis connectez-vous avec un jeton valide.',
    },
    too_many_downloads: {
      what: 'Vous avez atteint la limite de téléchargements simultanés.',
      next: 'Attendez que l’un d’eux se termine.',
    },
    disk_quota_exceeded: {
      what: 'Vos autres téléchargements occupent tout l’espace disque auquel vous avez droit.',
      next: 'Attendez qu’ils se terminent, ou choisissez CSV, NDJSON ou JSON.',
    },
    no_room: {
      what: 'Le service n’a pas assez d’espace disque pour ce fichier pour le moment.',
      next: 'Choisissez CSV, NDJSON ou JSON, ou une période plus courte.',
    },
    query_too_long: {
      what: 'La requête a pris trop de temps et a été arrêtée.',
      next: 'Choisissez une période plus courte ou moins de groupes.',
    },
    busy: {
      what: 'Le service est très sollicité en ce moment.',
      next: 'Réessayez dans quelques secondes.',
    },
    database_unavailable: {
      what: 'La base de données est indisponible pour le moment.',
      next: 'Réessayez dans quelques secondes.',
    },
    shutting_down: { what: 'Le service redémarre.', next: 'Réessayez dans quelques secondes.' },
    identity_provider_unavailable: {
      what: 'La connexion avec votre compte est indisponible pour le moment.',
      next: 'Réessayez dans quelques secondes.',
    },
    internal_error: {
      what: 'Le service a rencontré une erreur interne.',
      next: 'Réessayez\u00A0; si cela persiste, prévenez l’exploitant.',
    },
    token_missing: {
      what: 'La requête ne contenait pas de jeton d’accès.',
      next: 'Connectez-vous à nouveau.',
    },
    malformed_request: {
      what: 'Le service n’a pas pu lire la requête.',
      next: 'Rechargez la page\u00A0; si cela persiste, prévenez l’exploitant du service.',
    },
    origin_forbidden: {
      what: 'Le service n’accepte pas les requêtes de cette page.',
      next: 'Ouvrez la page à l’adresse du service.',
    },
    not_found: {
      what: 'Le service ne connaît pas cette adresse.',
      next: 'Rechargez la page\u00A0: elle est peut-être plus ancienne que le service.',
    },
    method_not_allowed: {
      what: 'Le service n’accepte pas ce type de requête.',
      next: 'Rechargez la page\u00A0: elle est peut-être plus ancienne que le service.',
    },
    not_acceptable: {
      what: 'Le service ne peut pas répondre dans un format que votre navigateur accepte.',
      next: 'Essayez un autre navigateur, ou prévenez l’exploitant du service.',
    },
    content_too_large: {
      what: 'La requête est trop volumineuse.',
      next: 'Rechargez la page\u00A0; si cela persiste, prévenez l’exploitant du service.',
    },
  },
};
