/** French texts of the sign-in, and of the sheet in which administrators manage access tokens. */

import { LINK_MINUTES } from '../../../../src/contract/tokens/lifetime.ts';
import type { Texts } from '../texts.ts';

export const signIn: Texts['signIn'] = {
  title: 'Voir vos transactions',
  intro: 'Connectez-vous avec le jeton d’accès qui vous a été remis.',
  token: 'Jeton d’accès',
  show: 'Afficher',
  hide: 'Masquer',
  submit: 'Se connecter',
  busy: 'Connexion…',
  keep: 'Rester connecté sur cet appareil',
  kept: 'Toute personne qui utilise ce navigateur voit vos transactions jusqu’à votre déconnexion.',
  forgotten: 'Le jeton est oublié dès que vous fermez les onglets de cette page.',
  byLink: 'Connecté par un lien',
  linkUsed:
    'Vous êtes connecté. Le lien ne peut plus servir, et fermer les onglets de cette page met fin à votre accès.',
  notKept: 'Pas sur cet appareil',
  link: {
    title: 'Lien de connexion',
    question: (who) => `Vous êtes connecté en tant que ${who}. Utiliser le lien à la place\u00A0?`,
    consequence: 'Il met fin à cette connexion. Ne l’utilisez que si vous attendiez un lien.',
    use: 'Utiliser le lien',
    stay: 'Rester connecté',
  },
};

/** The sheet that manages tokens and webhooks. */
export const access: Texts['access'] = {
  tab: 'Éléments à gérer',
  tabs: { tokens: 'Jetons', webhooks: 'Webhooks' },
};

export const tokens: Texts['tokens'] = {
  open: 'Accès',
  title: 'Jetons d’accès',
  create: 'Nouveau jeton',
  name: 'Nom',
  nameExample: 'Agence',
  role: 'Rôle',
  publishers: 'ID des diffuseurs',
  publishersExample: '345, 346',
  programs: 'ID des programmes',
  programsExample: 'Tous les programmes',
  ownPrograms: (ids) => `Un ou plusieurs parmi ${ids}`,
  expires: 'Durée de validité',
  lifetimes: {
    '7d': '7 jours',
    '30d': '30 jours',
    '90d': '90 jours',
    '365d': 'Un an',
    never: 'Sans limite de durée',
  },
  asLongAsYours: 'Aussi longtemps que le vôtre',
  submit: 'Créer le jeton',
  submitLink: 'Créer un lien de connexion',
  busy: 'Création…',
  created: (name) => `Jeton créé\u00A0: ${name}`,
  unnamed: 'Sans nom',
  once: 'Copiez-le maintenant. Il ne pourra plus être affiché.',
  copyToken: 'Copier le jeton',
  linkCreated: (name) => `Lien créé\u00A0: ${name}`,
  linkOnce: `Envoyez-le maintenant. Il connecte la première personne qui l’ouvre dans les ${LINK_MINUTES}\u00A0minutes, et ne pourra plus être affiché.`,
  copyLink: 'Copier le lien',
  unusedLink: 'Lien pas encore utilisé',
  another: 'En créer un autre',
  existing: 'Jetons',
  you: 'Le vôtre',
  manages: 'Gère les jetons',
  ofPublishers: (ids) => `Diffuseurs ${ids}`,
  ofPrograms: (ids) => `Programmes ${ids}`,
  everything: 'Tout',
  createdOn: (when) => `Créé le ${when}`,
  createdBy: (whom) => `par ${whom}`,
  createdByYou: 'par vous',
  validUntil: (when) => `valable jusqu’au ${when}`,
  endless: 'sans limite de durée',
  soon: 'Expire bientôt',
  expired: 'Expiré',
  revoke: 'Révoquer',
  revokeNamed: (name) => `Révoquer ${name}`,
  sure: (name) => `Révoquer ${name}\u00A0? Il cessera de fonctionner dans les 5 secondes.`,
  cancel: 'Annuler',
  byOperator: 'Seul l’exploitant du service peut le révoquer.',
};
