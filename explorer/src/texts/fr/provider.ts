/** French texts of the sign-in through an OpenID provider. */

import type { Texts } from '../texts.ts';

export const provider: Texts['provider'] = {
  submit: 'Se connecter avec votre compte',
  busy: 'Ouverture de la page de connexion…',
  at: (host) => `Vous vous connectez sur ${host}, puis revenez sur cette page.`,
  or: 'ou',
  code: (code) => `La page de connexion indique\u00A0: ${code}.`,
  failures: {
    declined: {
      what: 'Vous ne vous êtes pas connecté.',
      next: 'Réessayez, ou utilisez un jeton d’accès.',
    },
    unavailable: {
      what: 'La page de connexion ne répond pas en ce moment.',
      next: 'Réessayez dans un instant, ou utilisez un jeton d’accès.',
    },
    unreachable: {
      what: 'Le service est injoignable.',
      next: 'Vérifiez votre connexion, puis connectez-vous de nouveau.',
    },
    refused: {
      what: 'La connexion avec votre compte a échoué.',
      next: 'Signalez-le à l’exploitant du service.',
    },
    interrupted: {
      what: 'Cette connexion n’a pas commencé ici, ou elle a pris trop de temps.',
      next: 'Connectez-vous de nouveau.',
    },
    noAccess: {
      what: 'Votre compte ne donne pas accès aux transactions ici.',
      next: 'Demandez un accès à l’exploitant du service, ou utilisez un autre compte.',
    },
  },
};
