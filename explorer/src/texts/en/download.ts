/** English texts of the sheet that downloads the list and shows how to use the API. */

export const download = {
  download: 'Download',
  title: 'Download',
  intro: (count: number, text: string) =>
    `${count === 1 ? 'The transaction' : `All ${text} transactions`} of this query, with all fields.`,
  introUnknown: 'All transactions of this query, with all fields.',
  byDate: 'Files are sorted by date.',
  nothing: 'Nothing to download: no transactions match this query.',
  formats: {
    csv: ['CSV', 'Comma-separated, for other software'],
    excel: ['CSV for Excel', 'Semicolons and decimal commas, as French Excel expects'],
    'excel-en': ['CSV for English Excel', 'Commas and decimal points'],
    ndjson: ['NDJSON', 'One JSON object per line'],
    json: ['JSON', 'One JSON array'],
    parquet: ['Parquet', 'Columnar, for analysis'],
  },
  start: 'Download',
  cancel: 'Cancel',
  running: (bytes: string, speed: string) => `${bytes} so far, ${speed}/s`,
  runningLabel: (soFar: string) => `Downloading, ${soFar}`,
  progress: 'Progress of the download',
  done: (bytes: string, name: string) => `Complete: ${name}, ${bytes}.`,
  cancelled: 'Cancelled. Nothing was saved.',
  broken: (file: string) => `The download of ${file} failed. Nothing was saved.`,
  brokenLabel: 'Download failed',
  copyTitle: 'Use the API',
  copyIntro:
    'The command and the code read your token from the variable TOKEN. The token itself is never copied.',
  firstPage: (rows: string) =>
    `In this order, curl returns the first ${rows} transactions, and the client all of them.`,
  url: 'Address of this view',
  curl: 'curl',
  client: 'TypeScript client',
  failedCopy: 'The browser does not allow copying. Select the text instead.',
  unwritable: (file: string) => `${file} cannot be saved there. Choose another location.`,
  documentation: 'Documentation of the API',
} as const;
