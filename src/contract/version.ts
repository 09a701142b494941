/** The version of the service, and with it of the document that describes it. */
export const VERSION = '0.1.0';
