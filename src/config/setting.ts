import 'reflect-metadata';
import { Expose } from 'class-transformer';
import { IsOptional } from 'class-validator';
import type { Kind } from './setting-kinds.js';

/** A setting of the environment, as `docs/operate/settings.md` explains it. */
export interface DeclaredSetting {
  readonly name: string;
  /** The heading under which the document lists it. */
  readonly subject: string;
  readonly type: string;
  /** The gateway's default; `undefined` for none. */
  readonly byDefault: string | undefined;
  readonly meaning: string;
  /** The operator of a production gateway decides it, so that `.env.example` has it. */
  readonly decided: boolean;
  readonly secret: boolean;
}

export interface Options {
  /** A gateway without it does not start. */
  readonly needed?: true;
  readonly decided?: true;
  /** The default, where it depends on other settings. */
  readonly otherwise?: string;
}

type Declaration = Omit<DeclaredSetting, 'byDefault'> & Pick<Options, 'otherwise'>;
export type Declare = (meaning: string, kind: Kind, options?: Options) => PropertyDecorator;

const declarations = Symbol('the declared settings of a class');

/** Declares the members of a class as settings of one subject: their kind checks them, and the document explains them. */
export function settingsOf(subject: string): Declare {
  return (meaning, { type, secret = false, checks }, { needed, decided = false, otherwise } = {}) =>
    (target, name) => {
      for (const check of [Expose(), ...(needed ? [] : [IsOptional()]), ...checks]) check(target, name);
      const one: Declaration = {
        name: String(name),
        subject,
        type,
        meaning,
        decided,
        secret,
        ...(otherwise && { otherwise }),
      };
      Reflect.defineMetadata(declarations, [...declared(target), one], target);
    };
}

/** The settings of a class and of those that it extends, in their order. */
export function declaredSettings(kind: new () => object): readonly DeclaredSetting[] {
  const defaults = new kind() as Readonly<Record<string, unknown>>;
  return declared(kind.prototype as object).map(({ otherwise, ...one }) => ({
    ...one,
    byDefault: otherwise ?? (defaults[one.name] === undefined ? undefined : String(defaults[one.name])),
  }));
}

function declared(target: object): readonly Declaration[] {
  return (Reflect.getMetadata(declarations, target) as readonly Declaration[] | undefined) ?? [];
}
