/** The texts of performance and of comparisons in French. */

import type { Texts } from '../texts.ts';

export const comparison: Texts['comparison'] = {
  choices: { previous: 'Période précédente', year: 'Année précédente', none: 'Aucune comparaison' },
  against: (first, last) =>
    first === last ? `Par rapport au ${first}` : `Par rapport à la période du ${first} au ${last}`,
  nothingBefore: (first, last) =>
    first === last ? `Aucune donnée le ${first}` : `Aucune donnée du ${first} au ${last}`,
  untilHour: (hour) => `les deux périodes jusqu’à ${hour}`,
  todayIsOpen: 'journée en cours',
  daysToCome: 'la période n’est pas terminée, elle n’est donc pas comparée',
  isNew: 'nouveau',
  multiplied: (growth) => `×${growth} ou plus`,
  points: (value) => `${value}\u00A0pts`,
  misleading: {
    status:
      'Pas de comparaison, car un filtre par statut s’applique\u00A0: les transactions récentes sont souvent encore en attente',
    date: 'Pas de comparaison\u00A0: elle n’existe que par date de création',
  },
};

export const performance: Texts['performance'] = {
  title: 'Gains et conversion',
  earnings: 'Gains',
  allKinds: 'tous types de transactions',
  was: (before) => `contre ${before}`,
  notEarned: 'non gagné',
  funnel: 'De l’impression à la vente',
  rates: {
    impressions: (rate) => rate,
    clics: (rate) => `${rate} des impressions`,
    leads: (rate) => `${rate} des clics`,
    sales: (rate) => `${rate} des clics`,
  },
  figures: {
    conversion_rate: { label: 'Conversion', hint: 'Leads et ventes par clic' },
    earnings_per_click: { label: 'Gain par clic', hint: 'Gains divisés par le nombre de clics' },
    approval_rate: {
      label: 'Validation',
      hint: 'Part des leads et ventes validés parmi ceux qui sont validés ou refusés',
    },
    average_order_value: { label: 'Panier moyen', hint: 'Montant par vente' },
    amount: { label: 'Montant des ventes', hint: 'Ventes de tous statuts' },
    remu_program: { label: 'Rémunération programme', hint: 'Rémunération de tous statuts' },
  },
  ignores: (names) =>
    `Les gains et la conversion ne tiennent pas compte de ces filtres\u00A0: ${names}.`,
  programs: {
    changed: 'Plus fortes variations par programme',
    top: 'Meilleurs programmes',
    now: (amount) => `actuel\u00A0: ${amount}`,
  },
  pending: {
    title: 'Pas encore validé',
    since: '24 derniers mois · actions\u00A0: leads et ventes',
    age: (days) => `${days.replace('-', '–')} jours`,
    count: (count, text) => `${text} ${count < 2 ? 'action' : 'actions'}`,
    before: 'Créé avant',
    show: 'Afficher dans la liste',
  },
  payments: {
    title: 'Paiements',
    unpaid: 'Validé, pas encore payé',
    months: (first, last) => `${first} – ${last}`,
    none: 'Aucun paiement pour l’instant.',
  },
  firstSteps: {
    title: 'Aucune transaction pour l’instant',
    steps: [
      'Placez les liens de vos programmes sur votre site.',
      'Les clics, leads et ventes apparaissent ici dès qu’ils sont enregistrés et importés.',
      'S’il en manque, vérifiez sous «\u00A0Compte\u00A0» que vos sites y figurent.',
    ],
  },
  tables: 'Performance',
  groupedBy: 'Performance par',
  sortedBy: 'Ordre de la performance',
  tab: {
    program_id: 'Programmes',
    publisher_id: 'Sites',
    subid: 'Sub IDs',
    country: 'Pays',
    device_type: 'Appareils',
    coupon: 'Coupons',
  },
  columns: {
    earnings: 'Gains',
    clics: 'Clics',
    conversion_rate: 'Conversion',
    earnings_per_click: 'Par clic',
    leads: 'Leads',
    sales: 'Ventes',
    approval_rate: 'Validation',
    amount: 'Montant',
    average_order_value: 'Panier moyen',
  },
  more: 'Toutes les lignes, recherche et CSV',
  search: 'Rechercher par nom',
  found: (count) => `Lignes\u00A0: ${count}`,
  first: (count) =>
    `uniquement les ${count} premières dans cet ordre\u00A0; le CSV contient toutes les lignes`,
  csv: 'Télécharger en CSV',
  publishers: { earnings: 'Gains des diffuseurs' },
};
