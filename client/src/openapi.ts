/** The types of the OpenAPI document, written by `npm run generate`; not to be edited. */

export interface paths {
    readonly "/api/admin/transactions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Transactions of a period, for the role admin */
        readonly get: operations["adminTransactions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/affiliate/transactions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Transactions of a period, for the role affiliate */
        readonly get: operations["affiliateTransactions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/admin/transactions/summary": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What the transactions of a period add up to, for the role admin */
        readonly get: operations["adminSummary"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/affiliate/transactions/summary": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What the transactions of a period add up to, for the role affiliate */
        readonly get: operations["affiliateSummary"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/me": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Who the token is for */
        readonly get: operations["me"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A transaction as a token of the role admin reads it: every field is always there. */
        readonly AdminTransaction: {
            /**
             * Format: int64
             * @description Unique identifier of the transaction
             */
            readonly transaction_id: number;
            /**
             * Format: int64
             * @description Program
             */
            readonly program_id: number;
            /**
             * Format: int64
             * @description Publisher; for affiliates: the website
             */
            readonly publisher_id: number;
            /**
             * Format: int64
             * @description Support (the place on the website)
             */
            readonly support_id: number;
            /** @description Invoice, if available */
            readonly invoice_id: string | null;
            /** @description Payment, if available */
            readonly payment_id: string | null;
            /** @description Remuneration attributed to the program */
            readonly remu_program: number | null;
            /** @description Remuneration attributed to the publisher */
            readonly remu_publisher: number | null;
            /** @description IP address of the action, if available */
            readonly ip_address: string | null;
            /** @description Optional tracking parameter */
            readonly pid: string | null;
            /** @description Click identifier, if available */
            readonly clickid: string | null;
            /** @description Secondary identifier, if available */
            readonly subid: string | null;
            /** @description Optional token */
            readonly token: string | null;
            /**
             * Format: int64
             * @description How many events the row stands for
             */
            readonly total: number | null;
            /**
             * Format: int64
             * @description Order
             */
            readonly orderid: number | null;
            /**
             * Format: int64
             * @description User
             */
            readonly userid: number | null;
            /** @description Target of the action */
            readonly target: string | null;
            /** @description Amount of the sale */
            readonly amount: number | null;
            /** @description Coupon used */
            readonly coupon: string | null;
            /**
             * Format: int64
             * @description Type of share attribution
             */
            readonly share: number | null;
            /** @description Name of the share attribution */
            readonly share_label: string | null;
            /** @description Date of the first click */
            readonly first_click: string | null;
            /** @description Date of the last click */
            readonly last_click: string | null;
            /** @description First referer */
            readonly first_referer: string | null;
            /** @description Last referer */
            readonly last_referer: string | null;
            /** @description Country of the IP address */
            readonly country: string | null;
            /** @description Type of the device (mobile, desktop, …) */
            readonly device_type: string | null;
            /** @description Operating system of the device */
            readonly device_os: string | null;
            /** @description Browser */
            readonly browser: string | null;
            /** @description URL of origin */
            readonly referer: string | null;
            /**
             * @description Status: 0 refused, 1 validated, 2 pending
             * @enum {string}
             */
            readonly status: "0" | "1" | "2";
            /**
             * @description The status in the language of the reader
             * @enum {string}
             */
            readonly status_label: "Refusé" | "Validé" | "En attente" | "Refused" | "Validated" | "Pending" | "Abgelehnt" | "Bestätigt" | "Ausstehend" | "Rechazado" | "Validado" | "Pendiente" | "Rifiutato" | "Convalidato" | "In attesa" | "Geweigerd" | "Gevalideerd" | "In behandeling" | "Recusado" | "Pendente";
            /** @description Date of validation; null unless the status is 1 */
            readonly validation_date: string | null;
            /** @description Date of creation */
            readonly created_at: string;
            /** @description Date of the last change */
            readonly updated_at: string;
        };
        /** @description What transactions add up to as a token of the role admin reads it: the fields that name the group are those of group_by. */
        readonly AdminGroup: {
            /** @description Day on the platform's clock */
            readonly day?: string;
            /** @description Week, as its Monday (ISO 8601) */
            readonly week?: string;
            /** @description Month */
            readonly month?: string;
            /**
             * Format: int64
             * @description Program
             */
            readonly program_id?: number;
            /**
             * Format: int64
             * @description Publisher; for affiliates: the website
             */
            readonly publisher_id?: number;
            /**
             * @description Status: 0 refused, 1 validated, 2 pending
             * @enum {string}
             */
            readonly status?: "0" | "1" | "2";
            /**
             * @description The status in the language of the reader
             * @enum {string}
             */
            readonly status_label?: "Refusé" | "Validé" | "En attente" | "Refused" | "Validated" | "Pending" | "Abgelehnt" | "Bestätigt" | "Ausstehend" | "Rechazado" | "Validado" | "Pendiente" | "Rifiutato" | "Convalidato" | "In attesa" | "Geweigerd" | "Gevalideerd" | "In behandeling" | "Recusado" | "Pendente";
            /** @description Country of the IP address */
            readonly country?: string | null;
            /** @description Type of the device (mobile, desktop, …) */
            readonly device_type?: string | null;
            /** @description Operating system of the device */
            readonly device_os?: string | null;
            /** @description Browser */
            readonly browser?: string | null;
            /** @description Secondary identifier, if available */
            readonly subid?: string | null;
            /**
             * @description Kind
             * @enum {string}
             */
            readonly type?: "impressions" | "clics" | "dbclicks" | "leads" | "sales";
            /**
             * Format: int64
             * @description How many transactions the group has
             */
            readonly count: number;
            /**
             * Format: int64
             * @description Sum: how many events the row stands for
             */
            readonly total: number;
            /** @description Sum: remuneration attributed to the program */
            readonly remu_program: number;
            /** @description Sum: remuneration attributed to the publisher */
            readonly remu_publisher: number;
            /** @description Sum: amount of the sale */
            readonly amount: number;
            /** @description Changes when a transaction of the group is added, removed or changed, and for no other reason */
            readonly fingerprint: string;
        };
        /** @description A transaction as a token of the role affiliate reads it: every field is always there. */
        readonly AffiliateTransaction: {
            /**
             * Format: int64
             * @description Unique identifier of the transaction
             */
            readonly transaction_id: number;
            /**
             * Format: int64
             * @description Program
             */
            readonly program_id: number;
            /**
             * Format: int64
             * @description Publisher; for affiliates: the website
             */
            readonly publisher_id: number;
            /**
             * Format: int64
             * @description Support (the place on the website)
             */
            readonly support_id: number;
            /** @description Payment, if available */
            readonly payment_id: string | null;
            /** @description Remuneration attributed to the publisher */
            readonly remuneration: number | null;
            /**
             * Format: int64
             * @description How many events the row stands for
             */
            readonly total: number | null;
            /** @description IP address of the action, if available */
            readonly ip_address: string | null;
            /** @description Click identifier, if available */
            readonly clickid: string | null;
            /** @description Secondary identifier, if available */
            readonly subid: string | null;
            /** @description Optional token */
            readonly token: string | null;
            /** @description Country of the IP address */
            readonly country: string | null;
            /** @description Type of the device (mobile, desktop, …) */
            readonly device_type: string | null;
            /** @description Operating system of the device */
            readonly device_os: string | null;
            /** @description Browser */
            readonly browser: string | null;
            /**
             * @description Status: 0 refused, 1 validated, 2 pending
             * @enum {string}
             */
            readonly status: "0" | "1" | "2";
            /**
             * @description The status in the language of the reader
             * @enum {string}
             */
            readonly status_label: "Refusé" | "Validé" | "En attente" | "Refused" | "Validated" | "Pending" | "Abgelehnt" | "Bestätigt" | "Ausstehend" | "Rechazado" | "Validado" | "Pendiente" | "Rifiutato" | "Convalidato" | "In attesa" | "Geweigerd" | "Gevalideerd" | "In behandeling" | "Recusado" | "Pendente";
            /** @description Date of validation; null unless the status is 1 */
            readonly validation_date: string | null;
            /** @description Date of creation */
            readonly created_at: string;
            /** @description Date of the last change */
            readonly updated_at: string;
        };
        /** @description What transactions add up to as a token of the role affiliate reads it: the fields that name the group are those of group_by. */
        readonly AffiliateGroup: {
            /** @description Day on the platform's clock */
            readonly day?: string;
            /** @description Week, as its Monday (ISO 8601) */
            readonly week?: string;
            /** @description Month */
            readonly month?: string;
            /**
             * Format: int64
             * @description Program
             */
            readonly program_id?: number;
            /**
             * Format: int64
             * @description Publisher; for affiliates: the website
             */
            readonly publisher_id?: number;
            /**
             * @description Status: 0 refused, 1 validated, 2 pending
             * @enum {string}
             */
            readonly status?: "0" | "1" | "2";
            /**
             * @description The status in the language of the reader
             * @enum {string}
             */
            readonly status_label?: "Refusé" | "Validé" | "En attente" | "Refused" | "Validated" | "Pending" | "Abgelehnt" | "Bestätigt" | "Ausstehend" | "Rechazado" | "Validado" | "Pendiente" | "Rifiutato" | "Convalidato" | "In attesa" | "Geweigerd" | "Gevalideerd" | "In behandeling" | "Recusado" | "Pendente";
            /** @description Country of the IP address */
            readonly country?: string | null;
            /** @description Type of the device (mobile, desktop, …) */
            readonly device_type?: string | null;
            /** @description Operating system of the device */
            readonly device_os?: string | null;
            /** @description Browser */
            readonly browser?: string | null;
            /** @description Secondary identifier, if available */
            readonly subid?: string | null;
            /**
             * @description Kind
             * @enum {string}
             */
            readonly type?: "impressions" | "clics" | "dbclicks" | "leads" | "sales";
            /**
             * Format: int64
             * @description How many transactions the group has
             */
            readonly count: number;
            /**
             * Format: int64
             * @description Sum: how many events the row stands for
             */
            readonly total: number;
            /** @description Sum: remuneration attributed to the publisher */
            readonly remuneration: number;
            /** @description Changes when a transaction of the group is added, removed or changed, and for no other reason */
            readonly fingerprint: string;
        };
        /** @description What the service knows of whoever asks. */
        readonly Me: {
            /**
             * @description The role, and with it the endpoint
             * @enum {string}
             */
            readonly role: "admin" | "affiliate";
            /** @description The websites whose transactions are theirs to read */
            readonly publisher_ids: "all" | readonly number[];
            /** @description The programs whose transactions are theirs to read */
            readonly program_ids: "all" | readonly number[];
            /**
             * @description The language of the labels; null: that of the request
             * @enum {string|null}
             */
            readonly locale: "fr" | "en" | "de" | "es" | "it" | "nl" | "pt" | null;
            /** @description The platform’s time zone (IANA name) */
            readonly time_zone: string;
            /**
             * Format: date-time
             * @description When the access ends, in UTC (RFC 3339); null: it does not
             */
            readonly expires_at: string | null;
            /** @description What is left of the limits */
            readonly limits: {
                /** @description Requests in a window of time; null where there is no such limit */
                readonly requests: {
                    /**
                     * Format: int32
                     * @description Requests in a window
                     */
                    readonly limit: number;
                    /**
                     * Format: int32
                     * @description What is left of them
                     */
                    readonly remaining: number;
                    /**
                     * Format: int32
                     * @description The length of the window
                     */
                    readonly window_seconds: number;
                    /**
                     * Format: int32
                     * @description Seconds until all of them are there again
                     */
                    readonly reset_seconds: number;
                } | null;
                /** @description Answers on their way at a time; null where there is no such limit */
                readonly downloads: {
                    /**
                     * Format: int32
                     * @description Answers at a time
                     */
                    readonly limit: number;
                    /**
                     * Format: int32
                     * @description What is left of them
                     */
                    readonly remaining: number;
                } | null;
            };
        };
        /** @description The process lives. */
        readonly Live: {
            /**
             * @description The process lives.
             * @constant
             */
            readonly status: "live";
        };
        /** @description The process lives and its database answers. */
        readonly Ready: {
            /**
             * @description The process lives and its database answers.
             * @constant
             */
            readonly status: "ready";
        };
        /** @description Why a request was refused (RFC 9457). */
        readonly Problem: {
            /**
             * Format: uri-reference
             * @description The page that explains the problem, relative to this server
             */
            readonly type: string;
            /** @description The problem in a few words, for people */
            readonly title: string;
            /**
             * Format: int32
             * @description The status of the answer
             */
            readonly status: number;
            /** @description What can be done about it, for people */
            readonly detail: string;
            /**
             * @description The problem, for programs
             * @enum {string}
             */
            readonly code: "invalid_parameters" | "malformed_request" | "token_missing" | "token_malformed" | "token_invalid" | "token_expired" | "token_revoked" | "wrong_role" | "publisher_forbidden" | "program_forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "content_too_large" | "uri_too_long" | "too_many_requests" | "too_many_downloads" | "headers_too_large" | "internal_error" | "identity_provider_unavailable" | "database_unavailable" | "no_room" | "busy" | "shutting_down";
            /** @description The id of the request, as in the header X-Request-Id */
            readonly request_id: string;
            /** @description Every wrong parameter, where the parameters are the problem */
            readonly errors?: readonly components["schemas"]["ParameterFault"][];
        };
        /** @description One wrong parameter of a request. */
        readonly ParameterFault: {
            /** @description Its name as it was sent, or as it should have been */
            readonly parameter: string;
            /**
             * @description What is wrong with it
             * @enum {string}
             */
            readonly code: "unknown" | "repeated" | "empty" | "missing" | "invalid";
            /** @description What would be right, for people */
            readonly detail: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly adminTransactions: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Kind of transactions to list
                 * @example sales
                 */
                readonly type: "impressions" | "clics" | "dbclicks" | "leads" | "sales";
                /**
                 * @description First day of the period, in the platform's time zone
                 * @example 2026-01-01
                 */
                readonly start_date: string;
                /**
                 * @description Last day of the period, included, in the platform's time zone
                 * @example 2026-01-31
                 */
                readonly end_date: string;
                /**
                 * @description The date that the period is about; created_at, which never changes, where it is not given. By another one, a record that changes while a list is read moves: in ascending order it comes again, in descending order it may be missed
                 * @example updated_at
                 */
                readonly date_field?: "created_at" | "updated_at" | "validation_date";
                /**
                 * @description Only this program, or these, separated by commas
                 * @example [
                 *       12
                 *     ]
                 */
                readonly program_id?: (number | string) | readonly (number | string)[];
                /**
                 * @description Only this publisher, or these, separated by commas; for affiliates: only this website, or these
                 * @example [
                 *       345
                 *     ]
                 */
                readonly publisher_id?: (number | string) | readonly (number | string)[];
                /**
                 * @description Only transactions of this status, or these, separated by commas: 0 refused, 1 validated, 2 pending
                 * @example [
                 *       "1",
                 *       "2"
                 *     ]
                 */
                readonly status?: ("0" | "1" | "2") | readonly ("0" | "1" | "2")[];
                /**
                 * @description Only this transaction, or these, separated by commas
                 * @example [
                 *       1001
                 *     ]
                 */
                readonly transaction_id?: (number | string) | readonly (number | string)[];
                /**
                 * @description Only transactions of this click
                 * @example c0ffee
                 */
                readonly clickid?: string;
                /**
                 * @description Only transactions with this secondary identifier
                 * @example newsletter
                 */
                readonly subid?: string;
                /**
                 * @description Only this country, or these, separated by commas (ISO 3166-1 alpha-2)
                 * @example [
                 *       "FR",
                 *       "BE"
                 *     ]
                 */
                readonly country?: string | readonly string[];
                /**
                 * @description Only this type of device
                 * @example mobile
                 */
                readonly device_type?: string;
                /**
                 * @description By the date, then the transaction: asc (the oldest first) or desc; asc where it is not given
                 * @example desc
                 */
                readonly order?: "asc" | "desc";
                /**
                 * @description Only these fields, each once, in this order, separated by commas
                 * @example [
                 *       "transaction_id",
                 *       "status"
                 *     ]
                 */
                readonly fields?: ("transaction_id" | "program_id" | "publisher_id" | "support_id" | "invoice_id" | "payment_id" | "remu_program" | "remu_publisher" | "ip_address" | "pid" | "clickid" | "subid" | "token" | "total" | "orderid" | "userid" | "target" | "amount" | "coupon" | "share" | "share_label" | "first_click" | "last_click" | "first_referer" | "last_referer" | "country" | "device_type" | "device_os" | "browser" | "referer" | "status" | "status_label" | "validation_date" | "created_at" | "updated_at") | readonly ("transaction_id" | "program_id" | "publisher_id" | "support_id" | "invoice_id" | "payment_id" | "remu_program" | "remu_publisher" | "ip_address" | "pid" | "clickid" | "subid" | "token" | "total" | "orderid" | "userid" | "target" | "amount" | "coupon" | "share" | "share_label" | "first_click" | "last_click" | "first_referer" | "last_referer" | "country" | "device_type" | "device_os" | "browser" | "referer" | "status" | "status_label" | "validation_date" | "created_at" | "updated_at")[];
                /**
                 * @description One page of at most so many records, 1 to 10000; without it all of them
                 * @example 100
                 */
                readonly limit?: number;
                /**
                 * @description Where the page before ended: follow its link rel="next"
                 * @example AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
                 */
                readonly cursor?: string;
                /**
                 * @description The format, instead of the header Accept
                 * @example csv
                 */
                readonly format?: "json" | "ndjson" | "csv" | "parquet" | "arrow";
                /**
                 * @description excel: CSV as spreadsheets open it, with semicolons, and nothing taken for a formula
                 * @example excel
                 */
                readonly csv?: "excel";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly affiliateTransactions: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Kind of transactions to list
                 * @example sales
                 */
                readonly type: "impressions" | "clics" | "dbclicks" | "leads" | "sales";
                /**
                 * @description First day of the period, in the platform's time zone
                 * @example 2026-01-01
                 */
                readonly start_date: string;
                /**
                 * @description Last day of the period, included, in the platform's time zone
                 * @example 2026-01-31
                 */
                readonly end_date: string;
                /**
                 * @description The date that the period is about; created_at, which never changes, where it is not given. By another one, a record that changes while a list is read moves: in ascending order it comes again, in descending order it may be missed
                 * @example updated_at
                 */
                readonly date_field?: "created_at" | "updated_at" | "validation_date";
                /**
                 * @description Only this program, or these, separated by commas
                 * @example [
                 *       12
                 *     ]
                 */
                readonly program_id?: (number | string) | readonly (number | string)[];
                /**
                 * @description Only this publisher, or these, separated by commas; for affiliates: only this website, or these
                 * @example [
                 *       345
                 *     ]
                 */
                readonly publisher_id?: (number | string) | readonly (number | string)[];
                /**
                 * @description Only transactions of this status, or these, separated by commas: 0 refused, 1 validated, 2 pending
                 * @example [
                 *       "1",
                 *       "2"
                 *     ]
                 */
                readonly status?: ("0" | "1" | "2") | readonly ("0" | "1" | "2")[];
                /**
                 * @description Only this transaction, or these, separated by commas
                 * @example [
                 *       1001
                 *     ]
                 */
                readonly transaction_id?: (number | string) | readonly (number | string)[];
                /**
                 * @description Only transactions of this click
                 * @example c0ffee
                 */
                readonly clickid?: string;
                /**
                 * @description Only transactions with this secondary identifier
                 * @example newsletter
                 */
                readonly subid?: string;
                /**
                 * @description Only this country, or these, separated by commas (ISO 3166-1 alpha-2)
                 * @example [
                 *       "FR",
                 *       "BE"
                 *     ]
                 */
                readonly country?: string | readonly string[];
                /**
                 * @description Only this type of device
                 * @example mobile
                 */
                readonly device_type?: string;
                /**
                 * @description By the date, then the transaction: asc (the oldest first) or desc; asc where it is not given
                 * @example desc
                 */
                readonly order?: "asc" | "desc";
                /**
                 * @description Only these fields, each once, in this order, separated by commas
                 * @example [
                 *       "transaction_id",
                 *       "status"
                 *     ]
                 */
                readonly fields?: ("transaction_id" | "program_id" | "publisher_id" | "support_id" | "payment_id" | "remuneration" | "total" | "ip_address" | "clickid" | "subid" | "token" | "country" | "device_type" | "device_os" | "browser" | "status" | "status_label" | "validation_date" | "created_at" | "updated_at") | readonly ("transaction_id" | "program_id" | "publisher_id" | "support_id" | "payment_id" | "remuneration" | "total" | "ip_address" | "clickid" | "subid" | "token" | "country" | "device_type" | "device_os" | "browser" | "status" | "status_label" | "validation_date" | "created_at" | "updated_at")[];
                /**
                 * @description One page of at most so many records, 1 to 10000; without it all of them
                 * @example 100
                 */
                readonly limit?: number;
                /**
                 * @description Where the page before ended: follow its link rel="next"
                 * @example AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
                 */
                readonly cursor?: string;
                /**
                 * @description The format, instead of the header Accept
                 * @example csv
                 */
                readonly format?: "json" | "ndjson" | "csv" | "parquet" | "arrow";
                /**
                 * @description excel: CSV as spreadsheets open it, with semicolons, and nothing taken for a formula
                 * @example excel
                 */
                readonly csv?: "excel";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly adminSummary: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Kind of transactions, or kinds, separated by commas
                 * @example [
                 *       "sales"
                 *     ]
                 */
                readonly type: ("impressions" | "clics" | "dbclicks" | "leads" | "sales") | readonly ("impressions" | "clics" | "dbclicks" | "leads" | "sales")[];
                /**
                 * @description First day of the period, in the platform's time zone
                 * @example 2026-01-01
                 */
                readonly start_date: string;
                /**
                 * @description Last day of the period, included, in the platform's time zone
                 * @example 2026-01-31
                 */
                readonly end_date: string;
                /**
                 * @description The date that the period is about; created_at, which never changes, where it is not given. By another one, a record that changes while a list is read moves: in ascending order it comes again, in descending order it may be missed
                 * @example updated_at
                 */
                readonly date_field?: "created_at" | "updated_at" | "validation_date";
                /**
                 * @description Only this program, or these, separated by commas
                 * @example [
                 *       12
                 *     ]
                 */
                readonly program_id?: (number | string) | readonly (number | string)[];
                /**
                 * @description Only this publisher, or these, separated by commas; for affiliates: only this website, or these
                 * @example [
                 *       345
                 *     ]
                 */
                readonly publisher_id?: (number | string) | readonly (number | string)[];
                /**
                 * @description Only transactions of this status, or these, separated by commas: 0 refused, 1 validated, 2 pending
                 * @example [
                 *       "1",
                 *       "2"
                 *     ]
                 */
                readonly status?: ("0" | "1" | "2") | readonly ("0" | "1" | "2")[];
                /**
                 * @description Only this transaction, or these, separated by commas
                 * @example [
                 *       1001
                 *     ]
                 */
                readonly transaction_id?: (number | string) | readonly (number | string)[];
                /**
                 * @description Only transactions of this click
                 * @example c0ffee
                 */
                readonly clickid?: string;
                /**
                 * @description Only transactions with this secondary identifier
                 * @example newsletter
                 */
                readonly subid?: string;
                /**
                 * @description Only this country, or these, separated by commas (ISO 3166-1 alpha-2)
                 * @example [
                 *       "FR",
                 *       "BE"
                 *     ]
                 */
                readonly country?: string | readonly string[];
                /**
                 * @description Only this type of device
                 * @example mobile
                 */
                readonly device_type?: string;
                /**
                 * @description One group for each of these, each once and up to 3, separated by commas; without it one for all
                 * @example [
                 *       "day",
                 *       "status"
                 *     ]
                 */
                readonly group_by?: ("day" | "week" | "month" | "program_id" | "publisher_id" | "status" | "country" | "device_type" | "device_os" | "browser" | "subid" | "type") | readonly ("day" | "week" | "month" | "program_id" | "publisher_id" | "status" | "country" | "device_type" | "device_os" | "browser" | "subid" | "type")[];
                /**
                 * @description The format, instead of the header Accept
                 * @example csv
                 */
                readonly format?: "json" | "ndjson" | "csv";
                /**
                 * @description excel: CSV as spreadsheets open it, with semicolons, and nothing taken for a formula
                 * @example excel
                 */
                readonly csv?: "excel";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly affiliateSummary: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Kind of transactions, or kinds, separated by commas
                 * @example [
                 *       "sales"
                 *     ]
                 */
                readonly type: ("impressions" | "clics" | "dbclicks" | "leads" | "sales") | readonly ("impressions" | "clics" | "dbclicks" | "leads" | "sales")[];
                /**
                 * @description First day of the period, in the platform's time zone
                 * @example 2026-01-01
                 */
                readonly start_date: string;
                /**
                 * @description Last day of the period, included, in the platform's time zone
                 * @example 2026-01-31
                 */
                readonly end_date: string;
                /**
                 * @description The date that the period is about; created_at, which never changes, where it is not given. By another one, a record that changes while a list is read moves: in ascending order it comes again, in descending order it may be missed
                 * @example updated_at
                 */
                readonly date_field?: "created_at" | "updated_at" | "validation_date";
                /**
                 * @description Only this program, or these, separated by commas
                 * @example [
                 *       12
                 *     ]
                 */
                readonly program_id?: (number | string) | readonly (number | string)[];
                /**
                 * @description Only this publisher, or these, separated by commas; for affiliates: only this website, or these
                 * @example [
                 *       345
                 *     ]
                 */
                readonly publisher_id?: (number | string) | readonly (number | string)[];
                /**
                 * @description Only transactions of this status, or these, separated by commas: 0 refused, 1 validated, 2 pending
                 * @example [
                 *       "1",
                 *       "2"
                 *     ]
                 */
                readonly status?: ("0" | "1" | "2") | readonly ("0" | "1" | "2")[];
                /**
                 * @description Only this transaction, or these, separated by commas
                 * @example [
                 *       1001
                 *     ]
                 */
                readonly transaction_id?: (number | string) | readonly (number | string)[];
                /**
                 * @description Only transactions of this click
                 * @example c0ffee
                 */
                readonly clickid?: string;
                /**
                 * @description Only transactions with this secondary identifier
                 * @example newsletter
                 */
                readonly subid?: string;
                /**
                 * @description Only this country, or these, separated by commas (ISO 3166-1 alpha-2)
                 * @example [
                 *       "FR",
                 *       "BE"
                 *     ]
                 */
                readonly country?: string | readonly string[];
                /**
                 * @description Only this type of device
                 * @example mobile
                 */
                readonly device_type?: string;
                /**
                 * @description One group for each of these, each once and up to 3, separated by commas; without it one for all
                 * @example [
                 *       "day",
                 *       "status"
                 *     ]
                 */
                readonly group_by?: ("day" | "week" | "month" | "program_id" | "publisher_id" | "status" | "country" | "device_type" | "device_os" | "browser" | "subid" | "type") | readonly ("day" | "week" | "month" | "program_id" | "publisher_id" | "status" | "country" | "device_type" | "device_os" | "browser" | "subid" | "type")[];
                /**
                 * @description The format, instead of the header Accept
                 * @example csv
                 */
                readonly format?: "json" | "ndjson" | "csv";
                /**
                 * @description excel: CSV as spreadsheets open it, with semicolons, and nothing taken for a formula
                 * @example excel
                 */
                readonly csv?: "excel";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly me: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
