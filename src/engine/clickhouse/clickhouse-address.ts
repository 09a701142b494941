/** Address and credentials of a ClickHouse server or cluster. */
export interface ClickHouseAddress {
  /** The HTTP interfaces of equal servers, in order of preference. */
  readonly hosts: readonly string[];
  readonly username: string;
  readonly password: string;
  readonly database: string;
}
