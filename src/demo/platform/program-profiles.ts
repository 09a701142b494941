/** Programs of the demo; all advertisers are invented. */

import type { Commission } from './commission.ts';

export type Sector =
  | 'fashion'
  | 'beauty'
  | 'home'
  | 'travel'
  | 'technology'
  | 'finance'
  | 'leisure'
  | 'food'
  | 'family'
  | 'services';

export interface ProgramProfile {
  readonly name: string;
  readonly sector: Sector;
  readonly commission: Commission;
}

// biome-ignore format: one program a line, so that the table reads as one
export const PROGRAM_PROFILES: readonly ProgramProfile[] = [
  { name: 'Atelier Brindille', sector: 'fashion', commission: { model: 'percentage', percent: 9, basket: 68, target: 'checkout' } },
  { name: 'Velours & Lin', sector: 'fashion', commission: { model: 'percentage', percent: 8, basket: 92, target: 'checkout' } },
  { name: 'Pas Chassé Chaussures', sector: 'fashion', commission: { model: 'percentage', percent: 7.5, basket: 79, target: 'checkout' } },
  { name: 'Dressing Partagé', sector: 'fashion', commission: { model: 'click', price: 0.14 } },
  { name: 'Rosée du Matin', sector: 'beauty', commission: { model: 'percentage', percent: 12, basket: 41, target: 'checkout' } },
  { name: 'Coffret Pétale', sector: 'beauty', commission: { model: 'percentage', percent: 15, basket: 19.9, target: 'subscription' } },
  { name: 'Savonnerie des Dunes', sector: 'beauty', commission: { model: 'percentage', percent: 10, basket: 33, target: 'checkout' } },
  { name: 'Institut Opaline', sector: 'beauty', commission: { model: 'lead', price: 1.2, target: 'newsletter' } },
  { name: 'Maison Lumen', sector: 'home', commission: { model: 'percentage', percent: 7, basket: 84, target: 'checkout' } },
  { name: 'Literie Grand Songe', sector: 'home', commission: { model: 'percentage', percent: 6, basket: 420, target: 'checkout' } },
  { name: 'Jardins de Talmont', sector: 'home', commission: { model: 'percentage', percent: 8, basket: 57, target: 'checkout' } },
  { name: 'Devis Toiture Claire', sector: 'home', commission: { model: 'lead', price: 24, target: 'quote' } },
  { name: 'Solaire Horizon', sector: 'home', commission: { model: 'lead', price: 32, target: 'quote' } },
  { name: 'Escales & Compagnie', sector: 'travel', commission: { model: 'percentage', percent: 3.5, basket: 640, target: 'checkout' } },
  { name: 'Gîtes du Ponant', sector: 'travel', commission: { model: 'percentage', percent: 5, basket: 310, target: 'checkout' } },
  { name: 'Rails & Rivages', sector: 'travel', commission: { model: 'percentage', percent: 2.5, basket: 96, target: 'checkout' } },
  { name: 'Comparateur Altitude', sector: 'travel', commission: { model: 'click', price: 0.22 } },
  { name: 'Pixelis Informatique', sector: 'technology', commission: { model: 'percentage', percent: 2, basket: 280, target: 'checkout' } },
  { name: 'Reconditel', sector: 'technology', commission: { model: 'percentage', percent: 3, basket: 235, target: 'checkout' } },
  { name: 'Nuage Souverain', sector: 'technology', commission: { model: 'percentage', percent: 20, basket: 11.99, target: 'subscription' } },
  { name: 'Objets Branchés', sector: 'technology', commission: { model: 'thousand', price: 2.4 } },
  { name: 'Banque du Littoral', sector: 'finance', commission: { model: 'lead', price: 35, target: 'quote' } },
  { name: 'Crédit Boussole', sector: 'finance', commission: { model: 'lead', price: 28, target: 'quote' } },
  { name: 'Mutuelle Héron', sector: 'finance', commission: { model: 'lead', price: 18, target: 'quote' } },
  { name: 'Assurance Tandem Auto', sector: 'finance', commission: { model: 'lead', price: 14, target: 'quote' } },
  { name: 'La Lettre du Bas de Laine', sector: 'finance', commission: { model: 'lead', price: 1.6, target: 'newsletter' } },
  { name: 'Vélos Tournesol', sector: 'leisure', commission: { model: 'percentage', percent: 5, basket: 145, target: 'checkout' } },
  { name: 'Jeux de la Lanterne', sector: 'leisure', commission: { model: 'percentage', percent: 8, basket: 38, target: 'checkout' } },
  { name: 'Revue Méridienne', sector: 'leisure', commission: { model: 'percentage', percent: 25, basket: 9.9, target: 'subscription' } },
  { name: 'Salle Comble Billets', sector: 'leisure', commission: { model: 'thousand', price: 1.8 } },
  { name: 'Panier des Marais', sector: 'food', commission: { model: 'percentage', percent: 10, basket: 54, target: 'subscription' } },
  { name: 'Caves de Sauveterre', sector: 'food', commission: { model: 'percentage', percent: 7, basket: 112, target: 'checkout' } },
  { name: 'Torréfaction Passerelle', sector: 'food', commission: { model: 'percentage', percent: 11, basket: 29, target: 'checkout' } },
  { name: 'Recettes de Saison', sector: 'food', commission: { model: 'lead', price: 0.9, target: 'newsletter' } },
  { name: 'Petit Mousse', sector: 'family', commission: { model: 'percentage', percent: 9, basket: 47, target: 'checkout' } },
  { name: 'Échantillons Bambin', sector: 'family', commission: { model: 'lead', price: 1.1, target: 'newsletter' } },
  { name: 'Croquettes Filou', sector: 'family', commission: { model: 'click', price: 0.11 } },
  { name: 'Forfait Libellule', sector: 'services', commission: { model: 'lead', price: 21, target: 'quote' } },
  { name: 'Énergie des Collines', sector: 'services', commission: { model: 'lead', price: 26, target: 'quote' } },
  { name: 'Déménagements Cardinal', sector: 'services', commission: { model: 'click', price: 0.35 } },
  { name: 'Emplois du Phare', sector: 'services', commission: { model: 'thousand', price: 3.1 } },
];
