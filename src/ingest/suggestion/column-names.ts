/**
 * Lists the names of columns in exports, by field: English, French, and those of affiliate networks.
 *
 * The networks are Awin, CJ, impact.com, Effiliation and TimeOne. Names are in the form of {@link plainName}.
 */

import type { FileSubject } from '../files/known-columns.ts';

type Names = Readonly<Record<string, readonly string[]>>;

// biome-ignore format: one field a line, the best name first
const TRANSACTION_NAMES: Names = {
  type: ['transactiontype', 'actiontype', 'commissiontype', 'typetransaction', 'typedetransaction'],
  transaction_id: ['idtransaction', 'commissionid', 'actionid', 'conversionid', 'identifiant', 'id'],
  program_id: ['idprogramme', 'campaignid', 'advertiserid', 'merchantid', 'idannonceur', 'idaffilieur', 'programme', 'program'],
  publisher_id: ['websiteid', 'siteid', 'idsite', 'mediapartnerid', 'affiliateid', 'partnerid', 'partid', 'idediteur', 'editeur', 'site'],
  support_id: ['idsupport', 'placementid', 'adspaceid', 'support', 'placement', 'emplacement'],
  invoice_id: ['invoicenumber', 'numerofacture', 'numerodefacture', 'facture'],
  payment_id: ['paystubid', 'numeropaiement', 'paiement'],
  remu_program: ['programcommission', 'advcommissionamount', 'coutannonceur'],
  remu_publisher: ['publishercommission', 'commissionamount', 'pubcommissionamount', 'pubcommissionamountusd', 'pubcommissionamountpubcurrency', 'actioncommission', 'commission', 'payout', 'earnings', 'remuneration', 'gain', 'gains'],
  ip_address: ['ip', 'adresseip'],
  clickid: ['idclic', 'clicid'],
  subid: ['subid1', 'effiid', 'shopperid', 'sid', 'clickref', 'clickref1'],
  total: ['count', 'quantity', 'nombre', 'quantite'],
  orderid: ['ordernumber', 'orderref', 'orderreference', 'numerocommande', 'numerodecommande', 'commande', 'oid'],
  userid: ['customerid', 'idclient', 'client'],
  amount: ['saleamount', 'saleamountpubcurrency', 'saleamountusd', 'ordervalue', 'cartamount', 'montantvente', 'montantdelavente', 'montantcommande', 'montant', 'chiffredaffaires', 'panier'],
  coupon: ['couponcode', 'vouchercode', 'promocode', 'promotionalcode', 'codepromo'],
  first_click: ['firstclickdate', 'premierclic'],
  last_click: ['clickdate', 'clicktime', 'clickdatetime', 'referraldate', 'dateclic', 'dateduclic', 'dernierclic'],
  referer: ['referrer', 'clickreferringurl', 'referringurl', 'publisherurl', 'urldeprovenance'],
  country: ['countrycode', 'customercountry', 'codepays', 'pays'],
  device_type: ['device', 'clickdevice', 'concludingdevicetype', 'appareil'],
  device_os: ['os', 'operatingsystem', 'systeme'],
  browser: ['concludingbrowser', 'navigateur'],
  status: ['commissionstatus', 'actionstatus', 'transactionstatus', 'state', 'statut', 'etat'],
  validation_date: ['datevalidation', 'datedevalidation', 'approvaldate', 'lockingdate'],
  created_at: ['transactiondate', 'eventdate', 'actiondate', 'creationdate', 'conversiondate', 'orderdate', 'saledate', 'datetransaction', 'datedetransaction', 'datecreation', 'datedecreation', 'datedelavente', 'datevente', 'date'],
  updated_at: ['modificationdate', 'lastmodified', 'lastupdate', 'updatedate', 'amenddate', 'amendmentdate', 'postingdate', 'datemodification', 'datedemodification', 'datedemiseajour', 'miseajour'],
};

// biome-ignore format: one field a line, the best name first
const DIRECTORY_NAMES: Names = {
  id: ['identifiant', 'programid', 'idprogramme', 'campaignid', 'advertiserid', 'merchantid', 'publisherid', 'websiteid', 'siteid', 'idsite', 'supportid'],
  name: ['nom', 'programname', 'nomprogramme', 'campaignname', 'advertisername', 'merchantname', 'publishername', 'websitename', 'sitename', 'title', 'titre', 'libelle', 'programme'],
  url: ['siteweb', 'website', 'displayurl', 'lien', 'adresse'],
  status: ['statut', 'etat', 'state'],
  category: ['categorie', 'sector', 'primarysector', 'secteur'],
};

export const COLUMN_NAMES: { readonly [rows in FileSubject]: Names } = {
  transactions: TRANSACTION_NAMES,
  directory: DIRECTORY_NAMES,
};

/** A name without accents, case and separators: `Date de création` and `date_de_creation` are the same. */
export const plainName = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
