/** The form of a response: a format, or a variant of CSV for spreadsheets. */

import {
  CSV_VARIANTS,
  type CsvVariant,
  type FormatName,
  isTextFormat,
  type TextFormat,
} from '../contract/query/formats.ts';

export type Form = FormatName | CsvVariant;

/** A form that is written record by record. */
export type TextForm = TextFormat | CsvVariant;

export type CsvForm = 'csv' | CsvVariant;

/** A form with a footer: the file is written whole, then sent. */
export type FileForm = Exclude<FormatName, TextFormat>;

export const isCsvVariant = (form: Form): form is CsvVariant => Object.hasOwn(CSV_VARIANTS, form);

export const isFileForm = (form: Form): form is FileForm =>
  !isCsvVariant(form) && !isTextFormat(form);

/** The form of a response that is text. Throws a TypeError for the form of a file, which has its own statement. */
export function textFormOf({ form }: { readonly form: Form }): TextForm {
  if (isFileForm(form)) throw new TypeError(`The format ${form} is not text`);
  return form;
}
