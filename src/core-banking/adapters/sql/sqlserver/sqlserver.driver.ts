/** The part of the package `tedious` that the dialect uses. */
export interface Tedious {
  readonly Connection: new (config: object) => TediousConnection;
  readonly Request: new (sql: string, done: (error?: Error | null) => void) => TediousRequest;
  readonly TYPES: Readonly<Record<'Int' | 'NVarChar' | 'VarChar', object>>;
}

export interface TediousConnection {
  connect(opened: (error?: Error) => void): void;
  execSql(request: TediousRequest): void;
  execSqlBatch(request: TediousRequest): void;
  /** Asks the server to end the statement, which then fails. False where none runs. */
  cancel(): boolean;
  close(): void;
  on(event: 'error', listener: () => void): void;
  /** `secure`: TLS has begun. */
  once(event: 'secure' | 'end', listener: () => void): void;
}

export interface TediousRequest {
  addParameter(name: string, type: object, value: string | number | null, options: { readonly length?: number }): void;
  on(event: 'row', listener: (columns: readonly TediousColumn[]) => void): void;
}

export interface TediousColumn {
  readonly value: unknown;
  readonly metadata: { readonly colName: string; readonly scale?: number; readonly type: { readonly name: string } };
}
