/** A field of a record of the port, as the file of a bank maps it to columns. */
export type Field = Value | Group;

export interface Value {
  readonly kind:
    /** Any text. */
    | 'text'
    /** A text of one form. */
    | 'form'
    /** One of the port's words; without a list of them, any. */
    | 'word'
    /** True or false. */
    | 'flag'
    | 'currency'
    /** A decimal that is not money, such as a rate. */
    | 'decimal'
    /** A small whole number. */
    | 'integer'
    | 'money'
    /** Money that is not below zero. */
    | 'magnitude'
    /** An instant, or a day. */
    | 'time'
    | 'day';
  readonly optional: boolean;
  readonly form?: RegExp;
  readonly words?: readonly string[];
}

/** A record inside the record. It is absent where it is optional and its first field is absent. */
export interface Group {
  readonly kind: 'group';
  readonly optional: boolean;
  readonly fields: Fields;
  /** Makes the record of its parts, of which it needs all that are there; `column` is named in a fault. */
  readonly build?: (parts: Readonly<Record<string, unknown>>, column: string) => unknown;
}

export type Fields = Readonly<Record<string, Field>>;

/** The fields of a record of the port. One that the port needs, or does not have, does not compile. */
export type FieldsOf<T> = { readonly [K in keyof T]: Field };

export const value = (kind: Value['kind'], more: Partial<Value> = {}): Value => ({ kind, optional: false, ...more });
export const optional = <T extends Field>(field: T): T => ({ ...field, optional: true });
export const text = value('text');
export const word = (words?: readonly string[]): Value => value('word', words && { words });
export const form = (pattern: RegExp): Value => optional(value('form', { form: pattern }));
export const flag = value('flag');
export const time = value('time');
export const money = value('money');
export const magnitude = value('magnitude');
export const decimal = optional(value('decimal'));
export const group = <T>(fields: FieldsOf<T>): Group => ({ kind: 'group', optional: false, fields });
