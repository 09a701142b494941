/** Where a ClickHouse server or cluster is, and as whom to speak to it. */
export interface ClickHouseAddress {
  /** The HTTP interfaces of equal servers, in the order of preference. */
  readonly hosts: readonly string[];
  readonly username: string;
  readonly password: string;
  readonly database: string;
}
