/** The texts of the script of `/docs` in English and French. */

export interface Texts {
  readonly onThisPage: string;
  readonly copy: string;
  readonly copied: string;
  readonly notCopied: string;
  readonly search: string;
  sections(count: number): string;
  readonly request: string;
  readonly send: string;
  readonly waiting: string;
  mustBegin(path: string): string;
  readonly notAnswering: string;
  readonly notSignedIn: string;
  readonly signIn: string;
  readonly thenAgain: string;
  readonly isBeginning: string;
}

export const TEXTS = {
  en: {
    onThisPage: 'On this page',
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'Select the text instead',
    search: 'Search',
    sections: (count) => (count === 1 ? '1 section' : `${count === 0 ? 'No' : count} sections`),
    request: 'Request',
    send: 'Send',
    waiting: 'Waiting for the response…',
    mustBegin: (path) => `The request must begin with ${path}.`,
    notAnswering: 'The service does not answer.',
    notSignedIn: 'You are not signed in. ',
    signIn: 'Sign in on the start page',
    thenAgain: ', then send the request again.',
    isBeginning: 'This is the beginning of the response.',
  },
  fr: {
    onThisPage: 'Sur cette page',
    copy: 'Copier',
    copied: 'Copié',
    notCopied: 'Sélectionnez le texte',
    search: 'Rechercher',
    sections: (count) =>
      count < 2 ? `${count === 0 ? 'Aucune' : 1} section` : `${count} sections`,
    request: 'Requête',
    send: 'Envoyer',
    waiting: 'En attente de la réponse…',
    mustBegin: (path) => `La requête doit commencer par ${path}.`,
    notAnswering: 'Le service ne répond pas.',
    notSignedIn: 'Vous n’êtes pas connecté. ',
    signIn: 'Connectez-vous sur la page d’accueil',
    thenAgain: ', puis renvoyez la requête.',
    isBeginning: 'Ceci est le début de la réponse.',
  },
} as const satisfies Record<string, Texts>;
