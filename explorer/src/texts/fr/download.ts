/** French texts of the sheet that downloads the list and shows how to use the API. */

import type { Texts } from '../texts.ts';

export const download: Texts['download'] = {
  download: 'Télécharger',
  title: 'Télécharger',
  intro: (count, text) =>
    `${count === 1 ? 'La transaction' : `Les ${text} transactions`} de cette recherche, avec tous les champs.`,
  introUnknown: 'Toutes les transactions de cette recherche, avec tous les champs.',
  byDate: 'Les fichiers sont triés par date.',
  nothing: 'Rien à télécharger\u00A0: aucune transaction ne correspond à cette recherche.',
  formats: {
    csv: ['CSV', 'Avec des virgules, pour d’autres logiciels'],
    excel: ['CSV pour Excel', 'Avec des points-virgules et des virgules décimales'],
    'excel-en': ['CSV pour un Excel anglais', 'Avec des virgules et des points décimaux'],
    ndjson: ['NDJSON', 'Un objet JSON par ligne'],
    json: ['JSON', 'Un tableau JSON'],
    parquet: ['Parquet', 'En colonnes, pour l’analyse'],
  },
  start: 'Télécharger',
  cancel: 'Annuler',
  running: (bytes, speed) => `${bytes} jusqu’ici, ${speed}/s`,
  runningLabel: (soFar) => `Téléchargement, ${soFar}`,
  progress: 'Avancement du téléchargement',
  done: (bytes, name) => `Complet\u00A0: ${name}, ${bytes}.`,
  cancelled: 'Annulé. Rien n’a été enregistré.',
  broken: (file) => `Le téléchargement de ${file} a échoué. Rien n’a été enregistré.`,
  brokenLabel: 'Échec du téléchargement',
  copyTitle: 'Utiliser l’API',
  copyIntro:
    'La commande et le code lisent votre jeton dans la variable TOKEN. Le jeton lui-même n’est jamais copié.',
  firstPage: (rows) =>
    `Dans cet ordre, curl renvoie les ${rows} premières transactions, et le client toutes.`,
  url: 'Adresse de cette vue',
  curl: 'curl',
  client: 'Client TypeScript',
  failedCopy: 'Le navigateur ne permet pas de copier. Sélectionnez le texte.',
  unwritable: (file) =>
    `${file} ne peut pas être enregistré à cet endroit. Choisissez-en un autre.`,
  documentation: 'Documentation de l’API',
};
