/** The part of the package `oracledb` that the dialect uses. Its types are objects that are compared by identity. */
export interface OracleDriver {
  readonly DB_TYPE_CHAR: object;
  readonly DB_TYPE_NUMBER: object;
  readonly DB_TYPE_VARCHAR: object;
  readonly OUT_FORMAT_ARRAY: number;
  getConnection(attributes: object): Promise<OracleConnection>;
}

export interface OracleConnection {
  /** The milliseconds after which a call ends, at the server too. */
  callTimeout: number;
  execute(sql: string, binds: object, options: object): Promise<{ readonly rows?: readonly (readonly unknown[])[] }>;
  /** Has the server parse a statement without running it. */
  getStatementInfo(sql: string): Promise<{ readonly metaData?: readonly OracleColumn[] }>;
  /** Ends the call that is under way at the server; it then fails. */
  breakExecution(): Promise<void>;
  rollback(): Promise<void>;
  isHealthy(): boolean;
  close(): Promise<void>;
}

export interface OracleColumn {
  readonly name: string;
  readonly dbType: object;
  /** `TIMESTAMP WITH TIME ZONE` */
  readonly dbTypeName: string;
}
